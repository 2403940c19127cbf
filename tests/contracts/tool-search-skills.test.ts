// The tool `search_skills`: the best first, live, and a clear word about wrong input or no hit (T13).
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, onlyText, refusalOf } from '../support/document-tools.ts';
import { World } from '../support/world.ts';
import { write, writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

interface Hit {
  readonly name: string;
  readonly score: number;
}

const search = async (server: Awaited<ReturnType<World['serve']>>, input: Record<string, unknown>) => {
  const result = await callTool(server, 'search_skills', input);
  expect(result.isError ?? false).toBe(false);
  return (result.structuredContent as { skills: Hit[] }).skills;
};

const namesOf = (hits: readonly Hit[]): readonly string[] => hits.map(({ name }) => name);

test('answers name, description, uri, kind, score and why, best first, and nothing else (T13)', async () => {
  writeSkill(world.skills, 'forms/pdf-forms', { description: 'Fills in PDF forms and checks them.' });
  writeSkill(world.skills, 'release-notes', { description: 'Writes release notes from a log.' });
  const server = await world.serve();
  const result = await callTool(server, 'search_skills', { query: 'fill in a form' });
  expect(result.structuredContent).toEqual({
    skills: [
      {
        name: 'pdf-forms',
        description: 'Fills in PDF forms and checks them.',
        uri: 'skill://forms/pdf-forms/SKILL.md',
        kind: 'document',
        score: expect.any(Number),
        why: 'name: form; description: fill',
      },
    ],
  });
});

test('the text has one line per hit with its URI, and says why each matched (T13)', async () => {
  writeSkill(world.skills, 'pdf-forms', {
    description: 'Fills in PDF forms.\n</skills>',
    body: '# Steps\nUse qpdf.\n',
  });
  const text = onlyText(await callTool(await world.serve(), 'search_skills', { query: 'forms with qpdf' }));
  expect(text).toMatch(/^- pdf-forms \(Fills in PDF forms\. &lt;\/skills>\) skill:\/\/pdf-forms\/SKILL\.md$/m);
  expect(text).toMatch(/^ {2}.*name: forms/m);
  expect(text).toMatch(/^ {2}.*body: qpdf/m);
});

test('limit is 1 to 50 and 5 when absent; scores never rise (T13)', async () => {
  for (let index = 0; index < 60; index += 1) {
    writeSkill(world.skills, `report-${index}`, { description: `Writes report number ${index}.` });
  }
  const server = await world.serve();
  expect(await search(server, { query: 'report' })).toHaveLength(5);
  expect(await search(server, { query: 'report', limit: 1 })).toHaveLength(1);
  expect(await search(server, { query: 'report', limit: null })).toHaveLength(5);
  const hits = await search(server, { query: 'report', limit: 50 });
  expect(hits).toHaveLength(50);
  const scores = hits.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(scores.every((score) => score > 0)).toBe(true);
  expect(await search(server, { query: 'report', limit: 50 })).toEqual(hits);
});

test('an exact name comes first whatever else is there (T13)', async () => {
  writeSkill(world.skills, 'deploy', { description: 'Rolls a build out.' });
  for (let index = 0; index < 20; index += 1) {
    const description = 'deploy deploy deploy: deploy everything, deploy always, deploy now';
    writeSkill(world.skills, `deploy-${index}`, { description, body: '# deploy\n'.repeat(20) });
  }
  const server = await world.serve();
  for (const query of ['deploy', 'DEPLOY', ' Deploy '])
    expect((await search(server, { query }))[0]?.name).toBe('deploy');
});

test.each([
  ['no query', {}, /query/],
  ['a query that is no string', { query: 7 }, /query/],
  ['an empty query', { query: ' \n' }, /empty/],
  ['limit 0', { query: 'x', limit: 0 }, /1 to 50/],
  ['limit 51', { query: 'x', limit: 51 }, /1 to 50/],
  ['a limit that is no number', { query: 'x', limit: '5' }, /1 to 50/],
  ['an unknown field', { query: 'x', q: 'y' }, /q: is not known here: known are query, limit/],
])('%s is refused with a sentence that says what to send (T13)', async (_, input, sentence) => {
  expect(await refusalOf(await world.serve(), 'search_skills', input)).toMatch(sentence);
});

test('no hit says so and offers the nearest names (T13)', async () => {
  writeSkill(world.skills, 'invoices', { description: 'Writes bills.' });
  const server = await world.serve();
  const result = await callTool(server, 'search_skills', { query: 'zzqx' });
  expect(result.structuredContent).toEqual({ skills: [] });
  expect(onlyText(result)).toMatch(/No skill fits "zzqx".*invoices/);
});

test('what changed on disk is found by its new words, not by its old ones (T13, D6)', async () => {
  writeSkill(world.skills, 'helper', { description: 'Draws charts.' });
  const server = await world.serve();
  expect(namesOf(await search(server, { query: 'charts' }))).toEqual(['helper']);
  writeSkill(world.skills, 'helper', { description: 'Translates poems.' });
  writeSkill(world.skills, 'second', { description: 'Translates novels.' });
  await expect
    .poll(async () => namesOf(await search(server, { query: 'translates' })).toSorted())
    .toEqual(['helper', 'second']);
  expect(await search(server, { query: 'charts' })).toEqual([]);
});

test('a skill left out by --without is not found, a shadowed one not twice (T13, C)', async () => {
  writeSkill(world.skills, 'secret-plan', { description: 'Plans parties.' });
  writeSkill(world.skills, 'a/party', { description: 'Plans parties well.' });
  writeSkill(world.skills, 'b/party', { description: 'Plans parties badly.' });
  const server = await world.serve({ args: ['--without', 'secret-plan'] });
  expect(namesOf(await search(server, { query: 'plan a party' }))).toEqual(['party']);
});

test('hostile queries are answered, and the server lives on (T13, T9)', async () => {
  writeSkill(world.skills, 'plain', { description: 'Does plain things.' });
  write(join(world.skills, 'odd/SKILL.md'), '---\nname: odd\ndescription: constructor __proto__ toString\n---\n');
  const server = await world.serve();
  const queries = [
    'constructor',
    '__proto__',
    '.*+?^$(){}|[]\\',
    '\u0000\u202e',
    '日本語の文章',
    '🦊'.repeat(500),
    'a '.repeat(200_000),
  ];
  for (const query of queries) await search(server, { query });
  expect(namesOf(await search(server, { query: 'constructor' }))).toEqual(['odd']);
  expect(namesOf(await search(server, { query: 'plain' }))[0]).toBe('plain');
});
