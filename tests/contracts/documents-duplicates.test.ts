// Names that are the same, or only look the same (D5).
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, type Listing, listSkills, loadContent, namesOf } from '../support/document-tools.ts';
import type { RawClient } from '../support/raw-client.ts';
import { World } from '../support/world.ts';
import { writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

const shadowed = (listing: Listing) =>
  listing.problems.filter(({ rule }) => rule === 'shadowed').map(({ path }) => path);
const textByUri = async (client: RawClient, uri: string) =>
  (await callTool(client, 'get_skill', { uri })).structuredContent?.text;

test.each(['My Skill', 'my skill', 'MY SKILL', '  mY sKiLl \t'])(
  'lookup of %j finds "My Skill" (D5)',
  async (asked) => {
    const text = writeSkill(world.skills, 'mine', { name: 'My Skill' });
    expect(await loadContent(await world.serve(), asked)).toBe(text);
  },
);

test('a name that differs in letter case and outer spaces only is a duplicate (D5)', async () => {
  writeSkill(world.skills, 'a-first', { name: 'Deploy' });
  writeSkill(world.skills, 'b-second', { name: ' DEPLOY ' });
  const listing = await listSkills(await world.serve());
  expect(shadowed(listing)).toEqual(['b-second/SKILL.md']);
});

test('the first root wins and the loser is reported as shadowed (D5)', async () => {
  const winner = writeSkill(world.skills, 'one', { name: 'same', body: 'winner' });
  writeSkill(join(world.home, '.agents/skills'), 'two', { name: 'same', body: 'loser' });
  const client = await world.serve();
  expect(await loadContent(client, 'same')).toBe(winner);
  expect(shadowed(await listSkills(client))).toEqual(['two/SKILL.md']);
});

test('inside a root the folder that bears the name beats one that merely claims it (D5)', async () => {
  writeSkill(world.skills, 'aaa', { name: 'billing', body: 'claims' });
  writeSkill(world.skills, 'billing', { body: 'bears' });
  writeSkill(world.skills, 'zzz', { name: 'billing', body: 'claims too' });
  const client = await world.serve();
  expect(await loadContent(client, 'billing')).toContain('bears');
  expect([...shadowed(await listSkills(client))].sort()).toEqual(['aaa/SKILL.md', 'zzz/SKILL.md']);
});

test('a folder that bears the name in a later root does not beat an earlier root (D5)', async () => {
  writeSkill(world.skills, 'aaa', { name: 'billing', body: 'first root' });
  writeSkill(join(world.home, '.agents/skills'), 'billing', { body: 'second root' });
  expect(await loadContent(await world.serve(), 'billing')).toContain('first root');
});

test('between two that bear the name path order decides, and the loser keeps its own URI (D5)', async () => {
  const billing = writeSkill(world.skills, 'acme/billing/refunds', { body: 'billing' });
  const support = writeSkill(world.skills, 'acme/support/refunds', { body: 'support' });
  const client = await world.serve();
  expect(await loadContent(client, 'refunds')).toBe(billing);
  expect(shadowed(await listSkills(client))).toEqual(['acme/support/refunds/SKILL.md']);
  expect(await textByUri(client, 'skill://acme/billing/refunds/SKILL.md')).toBe(billing);
  expect(await textByUri(client, 'skill://acme/support/refunds/SKILL.md')).toBe(support);
});

test('where two roots offer the same path only the first root is served there (D5)', async () => {
  const first = writeSkill(world.skills, 'same/path', { body: 'first' });
  writeSkill(join(world.home, '.agents/skills'), 'same/path', { body: 'second' });
  const client = await world.serve();
  expect(await textByUri(client, 'skill://same/path/SKILL.md')).toBe(first);
  const listing = await listSkills(client);
  expect(listing.skills.map(({ uri }) => uri)).toEqual(['skill://same/path/SKILL.md']);
  expect(listing.problems.length).toBeGreaterThan(0);
});

test.each([
  ['a Cyrillic letter', 'p\u0430ypal', 'paypal'],
  ['a Greek letter', '\u03bfffice', 'office'],
  ['full-width letters', '\uff44\uff45\uff50loy', 'deploy'],
  ['a Cyrillic capital', '\u0415xport', 'export'],
])('a name that looks like another through %s is a problem and the plain one stays (D5)', async (_how, fake, plain) => {
  // The look-alike even comes first, in path order and in root order.
  writeSkill(world.skills, 'aaa', { name: fake, body: 'fake' });
  writeSkill(join(world.home, '.agents/skills'), plain, { body: 'plain' });
  const client = await world.serve();
  const { skills, problems } = await listSkills(client);
  expect(skills.map((skill) => skill.name)).toEqual([plain]);
  expect(problems.map((problem) => problem.path)).toContain('aaa/SKILL.md');
  expect(await loadContent(client, plain)).toContain('plain');
});

test('names of another script that look like nobody else are left alone (D5)', async () => {
  writeSkill(world.skills, 'a', { name: 'отчёт' });
  writeSkill(world.skills, 'b', { name: 'αναφορά' });
  expect(await namesOf(await world.serve())).toEqual(['αναφορά', 'отчёт']);
});

test('the result does not depend on the order in which the folders were made (D5, F15)', async () => {
  const folders = ['a/x', 'b/x', 'x', 'claims', 'group/y', 'y', 'z-last', 'Cased', 'other/cased'];
  const name = (folder: string) => (folder === 'claims' ? { name: 'x' } : {});
  for (const folder of folders) writeSkill(join(world.path, 'forward'), folder, name(folder));
  for (const folder of [...folders].reverse()) writeSkill(join(world.path, 'backward'), folder, name(folder));
  const listingOf = async (root: string) => {
    const listing = await listSkills(await world.serve({ args: ['--root', join(world.path, root)] }));
    return JSON.stringify(listing).replaceAll(root, 'root');
  };
  expect(await listingOf('forward')).toBe(await listingOf('backward'));
});
