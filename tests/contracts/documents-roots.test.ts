// Which folders are looked at, in which order, and what in them is a skill (D1, D2).
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, listSkills, loadContent, namesOf, onlyText } from '../support/document-tools.ts';
import { World } from '../support/world.ts';
import { write, writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

const defaultRoots = [
  './.agents/skills',
  './.agent/skills',
  '~/.agents/skills',
  '~/.agent/skills',
  './.claude/skills',
  '~/.claude/skills',
];
const folderOf = (label: string) => label.replace(/^\./, world.project).replace(/^~/, world.home);

test('the six default roots are searched and an earlier one beats every later one (D1)', async () => {
  for (const [first, winner] of defaultRoots.entries()) {
    for (const root of defaultRoots.slice(first)) writeSkill(folderOf(root), `rank-${first}`, { body: `from ${root}` });
    expect(winner).toBe(defaultRoots[first]);
  }
  const client = await world.serve();
  const { skills } = await listSkills(client);
  const sources = skills.map(({ name, source }) => [name, source]).sort();
  expect(sources).toEqual(defaultRoots.map((root, rank) => [`rank-${rank}`, root]));
  for (const [rank, root] of defaultRoots.entries()) {
    expect(await loadContent(client, `rank-${rank}`)).toContain(`from ${root}`);
  }
});

test('--project names the directory that the dot stands for, whatever the working directory is (D1)', async () => {
  writeSkill(world.skills, 'here');
  const elsewhere = join(world.path, 'elsewhere');
  mkdirSync(elsewhere);
  const client = await world.serve({ cwd: elsewhere, args: ['--project', world.project] });
  expect(await namesOf(client)).toEqual(['here']);
});

test.each([
  ['a .git directory', (top: string) => mkdirSync(join(top, '.git'), { recursive: true })],
  ['a .git file, as in a worktree', (top: string) => write(join(top, '.git'), 'gitdir: ../elsewhere\n')],
])('inside a repository marked by %s the parents up to its top count, nearest first (D1)', async (_marker, mark) => {
  mark(world.project);
  const app = join(world.project, 'packages/app');
  const place = (directory: string, root: string, name: string, body: string) =>
    writeSkill(join(directory, root), name, { body });
  mkdirSync(app, { recursive: true });
  place(app, '.agents/skills', 'nearest', 'from app');
  place(join(world.project, 'packages'), '.agents/skills', 'nearest', 'from packages');
  place(world.project, '.agents/skills', 'nearest', 'from top');
  // A parent's .agents/skills comes before the project's own .agent/skills: the entry stands for all of them.
  place(world.project, '.agents/skills', 'entry-order', 'from the first entry');
  place(app, '.agent/skills', 'entry-order', 'from the second entry');
  // And ~/.agents/skills before any ./.claude/skills.
  place(world.home, '.agents/skills', 'home-order', 'from home');
  place(app, '.claude/skills', 'home-order', 'from app');
  place(join(world.project, 'packages'), '.claude/skills', 'only-in-between', 'from packages');
  place(world.path, '.agents/skills', 'above-the-top', 'not ours');

  const client = await world.serve({ cwd: app });
  expect(await namesOf(client)).toEqual(['entry-order', 'home-order', 'nearest', 'only-in-between']);
  expect(await loadContent(client, 'nearest')).toContain('from app');
  expect(await loadContent(client, 'entry-order')).toContain('from the first entry');
  expect(await loadContent(client, 'home-order')).toContain('from home');
});

test('outside a repository the parents of the project are not searched (D1)', async () => {
  writeSkill(join(world.path, '.agents/skills'), 'above');
  writeSkill(world.skills, 'here');
  expect(await namesOf(await world.serve())).toEqual(['here']);
});

test('--root, repeated, replaces the defaults and the first one wins (D1)', async () => {
  const [one, two] = [join(world.path, 'one'), join(world.path, 'two')];
  writeSkill(world.skills, 'default');
  writeSkill(one, 'shared', { body: 'from one' });
  writeSkill(two, 'shared', { body: 'from two' });
  writeSkill(two, 'second');
  const client = await world.serve({ args: ['--root', one, '--root', two] });
  expect(await namesOf(client)).toEqual(['second', 'shared']);
  expect(await loadContent(client, 'shared')).toContain('from one');
});

test('--default-roots adds the defaults after the given roots (D1)', async () => {
  const given = join(world.path, 'given');
  writeSkill(given, 'shared', { body: 'from given' });
  writeSkill(world.skills, 'shared', { body: 'from default' });
  writeSkill(world.skills, 'default');
  const client = await world.serve({ args: ['--root', given, '--default-roots'] });
  expect(await namesOf(client)).toEqual(['default', 'shared']);
  expect(await loadContent(client, 'shared')).toContain('from given');
});

test('missing roots are no error: the server runs with nothing to serve and no problem (D1)', async () => {
  const client = await world.serve({ args: ['--root', join(world.path, 'absent'), '--default-roots'] });
  expect(await listSkills(client)).toEqual({ skills: [], by_folder: [], problems: [], next_cursor: null });
  expect(await client.stop()).toEqual({ code: 0, signal: null });
});

test.each(['SKILL.md', 'SKILL.MD', 'skill.md', 'Skill.Md'])('a folder with a %s is a skill (D2)', async (file) => {
  const text = writeSkill(world.skills, 'cased', { file });
  const client = await world.serve();
  const { skills } = await listSkills(client);
  expect(skills.map(({ name, uri }) => [name, uri])).toEqual([['cased', 'skill://cased/SKILL.md']]);
  expect(await loadContent(client, 'cased')).toBe(text);
});

test('where several letter cases are present SKILL.md counts and the others are supporting files (D2)', async () => {
  writeSkill(world.skills, 'both', { body: 'the one that counts' });
  write(join(world.skills, 'both/SKILL.MD'), 'upper');
  write(join(world.skills, 'both/skill.md'), 'lower');
  const client = await world.serve();
  expect(await loadContent(client, 'both')).toContain('the one that counts');
  const lower = await callTool(client, 'read_skill_file', { skill: 'both', path: 'skill.md' });
  expect(onlyText(lower)).toContain('lower');
  const upper = await callTool(client, 'read_skill_file', { skill: 'both', path: 'SKILL.MD' });
  expect(onlyText(upper)).toContain('upper');
});

test('folders nest: a skill at depth 6 is found, one below that is not (D2)', async () => {
  const at = (depth: number) => [...'abcdefgh'.slice(0, depth - 1), `depth-${depth}`].join('/');
  for (const depth of [1, 2, 5, 6, 7, 8]) writeSkill(world.skills, at(depth));
  const client = await world.serve();
  expect(await namesOf(client)).toEqual(['depth-1', 'depth-2', 'depth-5', 'depth-6']);
  const { skills } = await listSkills(client);
  expect(skills.find((skill) => skill.name === 'depth-6')?.uri).toBe('skill://a/b/c/d/e/depth-6/SKILL.md');
});

test('.git and node_modules are skipped, other dot folders are not (D2)', async () => {
  for (const folder of ['.git/hook', 'node_modules/pack', 'group/node_modules/pack2', 'group/.git/hook2']) {
    writeSkill(world.skills, folder);
  }
  writeSkill(world.skills, '.system/kept');
  expect(await namesOf(await world.serve())).toEqual(['kept']);
});

test('a skill inside a skill is one of its own and a supporting file of the outer one (D2)', async () => {
  writeSkill(world.skills, 'outer');
  const inner = writeSkill(world.skills, 'outer/parts/inner');
  const client = await world.serve();
  expect(await namesOf(client)).toEqual(['inner', 'outer']);
  expect(await loadContent(client, 'inner')).toBe(inner);
  const asFile = await callTool(client, 'read_skill_file', { skill: 'outer', path: 'parts/inner/SKILL.md' });
  expect(onlyText(asFile)).toContain(inner);
});
