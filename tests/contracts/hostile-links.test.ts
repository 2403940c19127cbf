// Links that lead out: no byte from beyond the allowed roots, also while files are swapped under the reader (D2, T12).
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, listSkills, loadContent, namesOf } from '../support/document-tools.ts';
import { makeFifo } from '../support/make-fifo.ts';
import { watchCount } from '../support/process-statistics.ts';
import type { RawClient } from '../support/raw-client.ts';
import { startSwapping } from '../support/swapping.ts';
import { World } from '../support/world.ts';
import { write, writeSkill } from '../support/write-skill.ts';

let world: World;
let outside: string;
beforeEach(() => {
  world = new World({ apart: true });
  outside = join(world.path, 'outside');
  writeSkill(world.skills, 'good');
  writeSkill(outside, 'secret', { body: 'FOREIGN BYTES' });
  write(join(outside, 'secret.txt'), 'FOREIGN BYTES');
});
afterEach(() => world.close());

const link = (target: string, path: string) => {
  mkdirSync(join(path, '..'), { recursive: true });
  symlinkSync(target, path);
};

async function expectNothingForeign(client: RawClient, folder: string): Promise<void> {
  await callTool(client, 'skill', { name: folder });
  await callTool(client, 'get_skill', { skill_name: folder });
  await callTool(client, 'get_skill', { uri: `skill://${folder}/SKILL.md` });
  await callTool(client, 'read_skill_file', { uri: `skill://${folder}/SKILL.md` });
  expect(client.lines.filter((line) => line.includes('FOREIGN BYTES'))).toEqual([]);
}

test.each([
  ['a linked skill folder', (name: string) => link(join(outside, 'secret'), join(world.skills, name))],
  ['a linked SKILL.md', (name: string) => link(join(outside, 'secret/SKILL.md'), join(world.skills, name, 'SKILL.md'))],
  ['a relative link', (name: string) => link('../../../outside/secret', join(world.skills, name))],
  ['a link to a folder of skills', (name: string) => link(outside, join(world.skills, name))],
  [
    'a link to a root with a longer name',
    (name: string) => {
      writeSkill(`${world.skills}-evil`, 'x', { body: 'FOREIGN BYTES' });
      link(`${world.skills}-evil/x`, join(world.skills, name));
    },
  ],
])('%s that leaves the roots is a problem and gives no byte (D2, T9)', async (_what, make) => {
  make('leak');
  const client = await world.serve();
  const listing = await listSkills(client);
  expect(listing.skills.map((skill) => skill.name)).toEqual(['good']);
  const problem = listing.problems.find(({ path }) => path.split('/')[0] === 'leak');
  expect(problem?.fix).toMatch(/\S/);
  await expectNothingForeign(client, 'leak');
});

test('a link between allowed roots is followed, and so is one under --allow-links (D2)', async () => {
  writeSkill(join(world.project, '.claude/skills'), 'there');
  link('../../.claude/skills/there', join(world.skills, 'there'));
  link(join(outside, 'secret'), join(world.skills, 'secret'));
  const client = await world.serve({ args: ['--allow-links', outside] });
  expect(await namesOf(client)).toEqual(['good', 'secret', 'there']);
  expect(await loadContent(client, 'secret')).toContain('FOREIGN BYTES');
});

test('links in circles and into nothing end (D2)', async () => {
  link(world.skills, join(world.skills, 'loop/again'));
  link('self', join(world.skills, 'self'));
  link('/nowhere/at/all', join(world.skills, 'dangling'));
  link('../b', join(world.skills, 'a/b'));
  link('../a', join(world.skills, 'b/a'));
  expect(await namesOf(await world.serve())).toEqual(['good']);
});

test.each([
  ['among the skills', () => link('/', join(world.skills, 'everything'))],
  ['inside a skill', () => link('/', join(world.skills, 'good/everything'))],
  ['in place of a root', () => link('/', join(world.project, '.claude/skills'))],
  ['in place of the home root', () => link('/', join(world.home, '.agents/skills'))],
])('a link to / %s is neither scanned nor watched (D2, D6)', async (_where, make) => {
  make();
  const client = await world.serve({ args: ['--rescan', '86400'] });
  expect(await namesOf(client)).toEqual(['good']);
  // Watching begins in the background: when a change is seen, it has begun everywhere.
  writeSkill(world.skills, 'late');
  await expect.poll(() => namesOf(client)).toEqual(['good', 'late']);
  const watches = watchCount(client.pid);
  if (watches === undefined) console.log('Watches are not counted: this system has no /proc.');
  else expect(watches).toBeLessThan(40);
  const read = await callTool(client, 'read_skill_file', { skill: 'good', path: 'everything/etc/passwd' });
  expect(read.isError).toBe(true);
});

const readOurs = async (client: RawClient, path: string) =>
  (await callTool(client, 'read_skill_file', { skill: 'good', path })).content[0]?.text;

const swaps: readonly (readonly [string, string, (other: string) => void])[] = [
  ['SKILL.md is swapped for a link', 'good/SKILL.md', (other) => link(join(outside, 'secret/SKILL.md'), other)],
  ['a supporting file is swapped for a link', 'good/secret.txt', (other) => link(join(outside, 'secret.txt'), other)],
  ['the folder of a skill is swapped for a link', 'good', (other) => link(outside, other)],
  ['a folder inside a skill is swapped for a link', 'good/sub', (other) => link(outside, other)],
  ['SKILL.md is swapped for a FIFO', 'good/SKILL.md', makeFifo],
  ['a supporting file is swapped for a FIFO', 'good/secret.txt', makeFifo],
];

test.each(swaps)('no foreign byte and no standstill while %s (T12, F7, F8)', async (_what, path, make) => {
  write(join(world.skills, 'good/secret.txt'), 'ours');
  write(join(world.skills, 'good/sub/secret.txt'), 'ours');
  write(join(outside, 'SKILL.md'), readFileSync(join(outside, 'secret/SKILL.md')));
  // Aside, where nobody looks: only the swap itself is seen.
  const other = join(world.path, 'other');
  make(other);
  const client = await world.serve();
  expect(await readOurs(client, 'sub/secret.txt')).toBe('ours');
  const swapping = startSwapping(join(world.skills, path), other);
  // Swaps and reads meet in between: many of both, however long this machine takes for them.
  for (let rounds = 0; rounds < 50 || swapping.count() < 100; rounds += 1) await askForEverything(client);
  await swapping.stop();
  expect(client.lines.filter((line) => line.includes('FOREIGN BYTES'))).toEqual([]);
  // And after the storm everything is there again.
  await expect.poll(() => readOurs(client, 'secret.txt')).toBe('ours');
  await expect.poll(() => readOurs(client, 'sub/secret.txt')).toBe('ours');
});

async function askForEverything(client: RawClient): Promise<void> {
  await Promise.all([
    callTool(client, 'read_skill_file', { skill: 'good', path: 'secret.txt' }),
    callTool(client, 'read_skill_file', { skill: 'good', path: 'sub/secret.txt' }),
    callTool(client, 'get_skill', { skill_name: 'good' }),
    callTool(client, 'skill', { name: 'good' }),
    listSkills(client),
  ]);
}

test('a root that is removed under the server and replaced by a link gives no foreign byte (D6)', async () => {
  const client = await world.serve();
  expect(await namesOf(client)).toEqual(['good']);
  rmSync(join(world.skills, 'good'), { recursive: true });
  symlinkSync(join(outside, 'secret'), join(world.skills, 'good'));
  await expect.poll(() => namesOf(client)).toEqual([]);
  await expectNothingForeign(client, 'good');
});
