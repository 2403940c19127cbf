// The tool `list_skills`: every skill, every problem, in pages (T2).
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, listSkills, onlyText, refusalOf } from '../support/document-tools.ts';
import { World } from '../support/world.ts';
import { write, writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

const many = (count: number) => {
  for (let index = 0; index < count; index += 1) writeSkill(world.skills, `skill-${String(index).padStart(4, '0')}`);
};

test('list_skills gives name, description, uri, source and availability, and nothing else (T2)', async () => {
  writeSkill(world.skills, 'group/one', { description: 'The first' });
  const result = await callTool(await world.serve(), 'list_skills', {});
  expect(result.isError ?? false).toBe(false);
  expect(result.structuredContent).toEqual({
    skills: [
      {
        name: 'one',
        description: 'The first',
        uri: 'skill://group/one/SKILL.md',
        source: './.agents/skills',
        availability: 'available',
      },
    ],
    by_folder: [],
    problems: [],
    next_cursor: null,
  });
});

test('the text names every skill with its URI and every problem, one line each (T2)', async () => {
  writeSkill(world.skills, 'one', { description: 'First\nsecond line' });
  writeSkill(world.skills, 'two words', { name: 'Two Words' });
  write(join(world.skills, 'broken/SKILL.md'), 'no frontmatter');
  const result = await callTool(await world.serve(), 'list_skills', {});
  const lines = onlyText(result).split('\n');
  const lineOf = (part: string) => lines.filter((line) => line.includes(part));
  expect(lineOf('skill://one/SKILL.md')).toHaveLength(1);
  expect(lineOf('skill://one/SKILL.md')[0]).toMatch(/one.*First second line/);
  expect(lineOf('skill://two%20words/SKILL.md')).toHaveLength(1);
  expect(lineOf('broken/SKILL.md')).toHaveLength(1);
});

test('the path of a problem is relative to its root, with rule, message and fix (T2)', async () => {
  write(join(world.skills, 'group/broken/SKILL.md'), 'no frontmatter');
  const { problems } = await listSkills(await world.serve());
  expect(problems).toHaveLength(1);
  expect(problems[0]?.path).toBe('group/broken/SKILL.md');
  expect(problems[0]).toEqual({
    path: 'group/broken/SKILL.md',
    rule: expect.stringMatching(/^[a-z-]+$/),
    message: expect.stringMatching(/\S/),
    fix: expect.stringMatching(/\S/),
  });
});

test('a page holds 100 skills unless told otherwise, and the pages together hold every skill once (T2)', async () => {
  many(230);
  const client = await world.serve();
  const sizes: number[] = [];
  const uris: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && sizes.length < 10) {
    const page = await listSkills(client, cursor === undefined ? {} : { cursor });
    sizes.push(page.skills.length);
    uris.push(...page.skills.map((skill) => skill.uri));
    cursor = page.next_cursor;
  }
  expect(sizes).toEqual([100, 100, 30]);
  expect(new Set(uris).size).toBe(230);
});

test('limit takes 1 to 1000 (T2)', async () => {
  many(3);
  const client = await world.serve();
  expect((await listSkills(client, { limit: 1 })).skills).toHaveLength(1);
  const all = await listSkills(client, { limit: 1000 });
  expect(all.skills).toHaveLength(3);
  expect(all.next_cursor).toBeNull();
  // A full last page has no successor.
  expect((await listSkills(client, { limit: 3 })).next_cursor).toBeNull();
});

test.each([
  ['limit 0', { limit: 0 }],
  ['limit 1001', { limit: 1001 }],
  ['a negative limit', { limit: -1 }],
  ['a fractional limit', { limit: 1.5 }],
  ['a limit in words', { limit: '5' }],
  ['a limit that is null', { limit: null }],
  ['a cursor that nobody gave', { cursor: 'made-up' }],
  ['an empty cursor', { cursor: '' }],
  ['a cursor that is a number', { cursor: 5 }],
  ['an unknown field', { page: 2 }],
])('%s is refused (T2)', async (_what, args) => {
  many(2);
  expect(await refusalOf(await world.serve(), 'list_skills', args)).toMatch(/\S/);
});

test('a skill named by --without is in no listing and no lookup (T2, C)', async () => {
  writeSkill(world.skills, 'kept');
  writeSkill(world.skills, 'left-out');
  const client = await world.serve({ args: ['--without', 'Left-Out'] });
  expect((await listSkills(client)).skills.map((skill) => skill.name)).toEqual(['kept']);
  expect((await callTool(client, 'skill', { name: 'left-out' })).isError).toBe(true);
  expect((await callTool(client, 'get_skill', { uri: 'skill://left-out/SKILL.md' })).isError).toBe(true);
  expect((await callTool(client, 'get_skill', { skill_name: 'left-out' })).isError).toBe(true);
});
