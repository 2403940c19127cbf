// The catalog as programs open it: whose folders are read.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeSkill } from '../tests/support/write-skill.ts';
import { type OpenCatalogOptions, openCatalog } from './open-catalog.ts';

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
