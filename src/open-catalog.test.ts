// The catalog as programs open it: whose folders are read.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeSkill } from '../tests/support/write-skill.ts';
import { describeUnusedWithout, type OpenCatalogOptions, openCatalog } from './open-catalog.ts';
import { createCommandWorld } from './surfaces/cli/fixtures/command-world.ts';
import { run as list } from './surfaces/cli/list.ts';

let project = '';
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'repertoire-hosts-'));
  writeSkill(join(project, '.cursor/skills'), 'of-cursor');
  writeSkill(join(project, '.gemini/skills'), 'of-gemini');
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

test.each<[OpenCatalogOptions, readonly string[]]>([
  [{ hosts: ['cursor'] }, ['of-cursor']],
  [{ agents: ['cursor'] }, ['of-cursor']],
  [{ hosts: ['cursor'], agents: ['gemini-cli'] }, ['of-cursor', 'of-gemini']],
])('openCatalog(%o) reads the folders of these hosts (C)', async (options, names) => {
  const catalog = await openCatalog({ roots: [join(project, 'none')], project, watch: false, ...options });
  const found = catalog.current.skills.map(({ name }) => name).filter((name) => name.startsWith('of-'));
  expect(found.sort()).toEqual(names);
  catalog.close();
});

test.each(['hosts', 'agents'])('an unknown name in %s is refused', async (field) => {
  await expect(openCatalog({ [field]: ['nothing'] })).rejects.toThrow('no host is called "nothing"');
});

test.each<[unknown, string]>([
  [{ rots: ['./skills'] }, 'the field "rots" is unknown. Did you mean "roots"?'],
  [{ builtin: ['all'] }, 'the field "builtin" is unknown. Use roots, defaultRoots, hosts,'],
  [{ roots: './skills' }, 'the field "roots" is not a list of texts. Write ["one", "two"].'],
  [{ without: [1] }, 'the field "without" is not a list of texts.'],
  [{ watch: 'no' }, 'the field "watch" is not a truth value. Write true or false.'],
  [{ rescanMs: '1h' }, 'the field "rescanMs" is no number of milliseconds. Write 30_000.'],
  [{ log: 'stderr' }, 'the field "log" is not a function.'],
  ['./skills', 'its options are a string, not an object. Write openCatalog({ … }).'],
])('openCatalog(%o) is refused in a sentence (C)', async (options, said) => {
  await expect(openCatalog(options as OpenCatalogOptions)).rejects.toThrow(`Cannot open the catalog: ${said}`);
});

test('a name to leave out that no skill has is warned of, with the nearest one (C)', async () => {
  const roots = [join(project, '.cursor/skills')];
  const without = ['of-cursr', 'quaternion', 'Task_Creation'];
  const catalog = await openCatalog({ roots, without, watch: false });
  const sentences = [
    'Cannot leave out the skill "of-cursr": no skill has this name; did you mean "of-cursor"?',
    'Cannot leave out the skill "quaternion": no skill has this name',
  ];
  expect(describeUnusedWithout(catalog, ['task_creation'])).toEqual(sentences);
  catalog.close();
  const other = await openCatalog({ roots, without: ['OF-Cursor'], watch: false });
  expect(describeUnusedWithout(other, [])).toEqual([]);
  other.close();
  const { context, stderr } = createCommandWorld({ given: { roots, without } });
  expect(await list(context)).toBe(0);
  expect(stderr()).toBe(sentences.map((sentence) => `Warning: ${sentence}\n`).join(''));
});
