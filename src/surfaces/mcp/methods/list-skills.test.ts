// The tool `list_skills` (T2).
import { describe, expect, test } from 'vitest';
import { openTestCatalog } from '../../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../../../catalog/fixtures/skill-world.ts';
import { createRepertoire } from '../../../repertoire/repertoire.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { listSkillsTool } from '../fixtures/list-skills-tool.ts';
import { calledTool, contextOf, openToolWorld } from '../fixtures/tool-world.ts';
import { PreparedResults } from './prepared-results.ts';

describe('list_skills', () => {
  test('answers every skill with its URI, and every problem with its fix, as text and as data (T2)', async () => {
    const world = createSkillWorld();
    world.skill('root/b');
    world.skill('root/group/a');
    world.write('root/bad/SKILL.md', '');
    const { call } = await openToolWorld(world, (...parts) => listSkillsTool(...parts));
    const { structured, text, isError } = await call({});
    expect(isError).toBe(false);
    const source = world.at('root');
    expect(structured).toEqual({
      skills: [
        {
          name: 'a',
          description: 'Does a things.',
          uri: 'skill://group/a/SKILL.md',
          source,
          availability: 'available',
        },
        { name: 'b', description: 'Does b things.', uri: 'skill://b/SKILL.md', source, availability: 'available' },
      ],
      by_folder: [],
      problems: [{ path: 'bad/SKILL.md', rule: 'empty', message: expect.any(String), fix: expect.any(String) }],
      next_cursor: null,
    });
    expect(text.split('\n').slice(0, 3)).toEqual([
      '2 skills',
      '- a (Does a things.) skill://group/a/SKILL.md',
      '- b (Does b things.) skill://b/SKILL.md',
    ]);
    expect(text).toContain('1 problem\n- bad/SKILL.md: ');
  });

  test('says of each problem which root it is in where there are several, and only there (T2, M15)', async () => {
    const world = createSkillWorld();
    for (const root of ['one', 'two']) world.write(`${root}/bad/SKILL.md`, '');
    const roots = ['one', 'two', 'absent'].map((root) => world.at(root));
    const problemsIn = async (searched: readonly string[], remote = false) => {
      const repertoire = createRepertoire(await openTestCatalog(searched));
      const answer = await listSkillsTool(repertoire, new PreparedResults()).call({}, contextOf({ remote }), {});
      const { structured, text } = calledTool(answer);
      const problems = structured?.problems as readonly { path: string; source?: string }[];
      return [...problems.map(({ path, source }) => [path, source]), text.split('\n').slice(-problems.length)];
    };
    expect(await problemsIn(roots)).toEqual([
      ['bad/SKILL.md', roots[0]],
      ['bad/SKILL.md', roots[1]],
      roots.slice(0, 2).map((root) => expect.stringMatching(`^- bad/SKILL.md in ${root}: `)),
    ]);
    // A remote caller learns no path of this machine.
    expect((await problemsIn(roots, true)).slice(0, 2)).toEqual([
      ['bad/SKILL.md', 'one'],
      ['bad/SKILL.md', 'two'],
    ]);
    // One that is not there is not counted.
    expect(await problemsIn([world.at('one'), world.at('absent')])).toEqual([
      ['bad/SKILL.md', undefined],
      [expect.stringMatching('^- bad/SKILL.md: ')],
    ]);
  });

  test('shows a shadowed skill by its URI, and a fallback as such (D5, D8)', async () => {
    const world = createSkillWorld();
    world.skill('root/x/pdf');
    world.skill('root/y/pdf');
    const { call, catalog } = await openToolWorld(world, (...parts) => listSkillsTool(...parts));
    world.write('root/x/pdf/SKILL.md', 'bad');
    await catalog.refresh();
    const { structured } = await call({});
    expect(structured?.skills).toMatchObject([
      { uri: 'skill://x/pdf/SKILL.md', availability: 'fallback' },
      { uri: 'skill://y/pdf/SKILL.md', availability: 'available' },
    ]);
    expect(structured?.problems).toMatchObject([
      { path: 'x/pdf/SKILL.md', rule: 'frontmatter-missing' },
      { path: 'x/pdf/SKILL.md', rule: 'serving-last-good' },
      { path: 'y/pdf/SKILL.md', rule: 'shadowed' },
    ]);
  });

  test('is made once while nothing changes, for each page and each side of the machine', async () => {
    const world = createSkillWorld();
    for (const name of ['a', 'b', 'c']) world.skill(`root/${name}`);
    const prepared = new PreparedResults();
    const { repertoire, catalog } = await openToolWorld(world, (each) => listSkillsTool(each, prepared));
    const tool = listSkillsTool(repertoire, prepared);
    const answer = (input: JsonObject, remote = false) => tool.call(input, contextOf({ remote }), {});
    expect(await answer({})).toBe(await answer({}));
    expect(await answer({ limit: 2 })).not.toBe(await answer({ limit: 3 }));
    expect(await answer({ limit: 2, cursor: null })).toBe(await answer({ limit: 2 }));
    expect(await answer({}, true)).not.toBe(await answer({}));
    const before = await answer({});
    world.skill('root/d');
    await catalog.refresh();
    expect(await answer({})).not.toBe(before);
  });

  test('gives pages that meet every skill once, and the problems on the first (T2)', async () => {
    const world = createSkillWorld();
    for (let index = 0; index < 7; index += 1) world.skill(`root/s${index}`);
    world.write('root/bad/SKILL.md', '');
    const { call } = await openToolWorld(world, (...parts) => listSkillsTool(...parts));
    const seen: string[] = [];
    const problems: number[] = [];
    let cursor: unknown;
    do {
      const { structured, text } = await call({ limit: 3, ...(cursor ? { cursor } : {}) });
      const page = structured as { skills: { name: string }[]; problems: unknown[]; next_cursor: string | null };
      seen.push(...page.skills.map(({ name }) => name));
      problems.push(page.problems.length);
      expect(text.startsWith('7 skills')).toBe(true);
      expect(text.includes('More: call list_skills with cursor')).toBe(page.next_cursor !== null);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(['s0', 's1', 's2', 's3', 's4', 's5', 's6']);
    expect(problems).toEqual([1, 0, 0]);
  });

  test('gives 100 unless told otherwise (T2)', async () => {
    const world = createSkillWorld();
    for (let index = 0; index < 101; index += 1) world.skill(`root/s${index}`);
    const { call } = await openToolWorld(world, (...parts) => listSkillsTool(...parts));
    expect((await call({})).structured?.skills).toHaveLength(100);
    expect((await call({ limit: 1_000 })).structured?.skills).toHaveLength(101);
  });

  test.each([{ limit: 0 }, { limit: 1_001 }, { limit: 1.5 }, { limit: '5' }, { limit: null }])(
    'refuses %j, and says which limits there are',
    async (input) => {
      const { call } = await openToolWorld(createSkillWorld(), (...parts) => listSkillsTool(...parts));
      expect(await call(input)).toMatchObject({ isError: true, text: expect.stringContaining('1 to 1000') });
    },
  );

  test('a cursor that is null is none: the last page answers it, and some agents send it back', async () => {
    const { call } = await openToolWorld(createSkillWorld(), (...parts) => listSkillsTool(...parts));
    expect(await call({ cursor: null })).toMatchObject({ isError: false, text: '0 skills' });
  });

  test.each([{ cursor: 'x' }, { cursor: '' }, { cursor: 5 }, { cursor: false }])('refuses %j', async (input) => {
    const { call } = await openToolWorld(createSkillWorld(), (...parts) => listSkillsTool(...parts));
    expect(await call(input)).toMatchObject({ isError: true, text: expect.stringMatching(/^Invalid input: cursor: /) });
  });

  test('refuses unknown fields', async () => {
    const { call } = await openToolWorld(createSkillWorld(), (...parts) => listSkillsTool(...parts));
    expect(await call({ page: 2 })).toMatchObject({
      isError: true,
      text: 'Invalid input: page: is not known here: known are cursor, limit',
    });
  });

  test('carries no path of this machine but the root as configured, and one line per skill (T9)', async () => {
    const world = createSkillWorld();
    world.write('root/x/SKILL.md', '---\nname: x\ndescription: "one\\ntwo\\r\\nthree\\u0007"\n---\n');
    world.write('root/evil\nfolder/SKILL.md', '');
    const { call } = await openToolWorld(world, (...parts) => listSkillsTool(...parts));
    const { text, structured } = await call({});
    expect(text).not.toContain(world.path);
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(2);
    expect(text).toContain('- x (one two three)');
    expect(structured?.problems).toMatchObject([{ path: 'evil folder/SKILL.md' }]);
  });

  test('cuts an endless list of problems and says where the rest is', async () => {
    const world = createSkillWorld();
    for (let index = 0; index < 1_003; index += 1) world.write(`root/${index}/SKILL.md`, '');
    const { call } = await openToolWorld(world, (...parts) => listSkillsTool(...parts));
    const { structured, text } = await call({});
    expect(structured?.problems).toHaveLength(1_000);
    expect(text.split('\n').at(-1)).toBe('… and 3 more: run repertoire doctor');
  });
});
