// The tool `get_skill`: by URI and by folder name, and every way in which it says no (T3, T4, T5, T6, T7).
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, listSkills, listTools, onlyText, refusalOf } from '../support/document-tools.ts';
import type { RawClient } from '../support/raw-client.ts';
import { World } from '../support/world.ts';
import { skillText, write, writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

const megabyte = 1_048_576;
const byName = (client: RawClient, name: string) => callTool(client, 'get_skill', { skill_name: name });
const documentation = async (client: RawClient, name: string) =>
  (await byName(client, name)).structuredContent?.documentation;

/** The error object in the text; fails where the answer is no error or no JSON. */
async function errorByName(client: RawClient, name: string): Promise<unknown> {
  const result = await byName(client, name);
  expect(result.isError).toBe(true);
  return JSON.parse(onlyText(result));
}

test.each([
  ['nothing', {}],
  ['both', { uri: 'skill://one/SKILL.md', skill_name: 'one' }],
  ['a number as uri', { uri: 5 }],
  ['null as skill_name', { skill_name: null }],
  ['both, one of them null', { uri: 'skill://one/SKILL.md', skill_name: null }],
  ['an unknown field', { uri: 'skill://one/SKILL.md', verbose: true }],
  ['another field alone', { name: 'one' }],
])('%s is refused with a sentence that says what to send (T3)', async (_what, args) => {
  writeSkill(world.skills, 'one');
  const said = await refusalOf(await world.serve(), 'get_skill', args);
  expect(said).toContain('uri');
  expect(said).toContain('skill_name');
});

test('both fields are optional properties of the published schema (T3)', async () => {
  const tool = (await listTools(await world.serve())).find(({ name }) => name === 'get_skill');
  expect(Object.keys(tool?.inputSchema.properties ?? {}).sort()).toEqual(['skill_name', 'uri']);
  expect(tool?.inputSchema.required ?? []).toEqual([]);
});

test('by uri it answers the URI and the Markdown as text, and uri, mimeType and text as structure (T4)', async () => {
  const text = writeSkill(world.skills, 'group/one', { body: '# One\r\nZwölf 🥊\n' });
  const uri = 'skill://group/one/SKILL.md';
  const result = await callTool(await world.serve(), 'get_skill', { uri });
  expect(result.isError).toBe(false);
  expect(result.structuredContent).toEqual({ uri, mimeType: 'text/markdown', text });
  expect(onlyText(result)).toContain(uri);
  expect(onlyText(result)).toContain(text);
});

test.each([
  ['an empty string', ''],
  ['a blank', ' '],
  ['a bare name', 'one'],
  ['another scheme', 'https://one/SKILL.md'],
  ['a file address', 'file:///etc/passwd'],
  ['a scheme without slashes', 'skill:one/SKILL.md'],
])('%s as uri is an error that shows the expected format (T4, T5)', async (_what, uri) => {
  writeSkill(world.skills, 'one');
  const result = await callTool(await world.serve(), 'get_skill', { uri });
  expect(result.isError).toBe(true);
  expect(result.structuredContent).toBeUndefined();
  expect(onlyText(result)).toContain('skill://');
});

test.each([
  'skill://two/SKILL.md',
  'skill://one',
  'skill://one/',
  'skill://ONE/SKILL.md',
  'skill://one/SKILL.md?x',
  'skill://',
])('the unknown URI %s is an error with the hint to call list_skills (T4, T5)', async (uri) => {
  writeSkill(world.skills, 'one');
  const result = await callTool(await world.serve(), 'get_skill', { uri });
  expect(result.isError).toBe(true);
  expect(onlyText(result)).toContain('list_skills');
});

test("a supporting file's URI is an error that names read_skill_file (T4)", async () => {
  writeSkill(world.skills, 'one');
  write(join(world.skills, 'one/references/guide.md'), 'guide');
  const result = await callTool(await world.serve(), 'get_skill', { uri: 'skill://one/references/guide.md' });
  expect(result.isError).toBe(true);
  expect(onlyText(result)).toContain('read_skill_file');
});

test('every listed URI resolves to exactly its own skill, encoded segments included (T5)', async () => {
  const folders = ['plain', 'with space', 'группа/отчёт', 'per%cent', 'hash#mark', 'q?mark', 'a+b', "it's", '%2e%2e'];
  const texts = new Map(
    folders.map((folder, index) => [`n${index}`, writeSkill(world.skills, folder, { name: `n${index}` })]),
  );
  const client = await world.serve();
  const { skills } = await listSkills(client);
  expect(skills).toHaveLength(folders.length);
  for (const { name, uri } of skills) {
    const result = await callTool(client, 'get_skill', { uri });
    expect([uri, result.structuredContent?.text]).toEqual([uri, texts.get(name)]);
  }
});

test('by skill_name it answers skill_name and documentation, as structure and as JSON text (T6)', async () => {
  const text = writeSkill(world.skills, 'folder-name', { name: 'Another Name' });
  const client = await world.serve();
  const result = await byName(client, 'folder-name');
  expect(result.isError ?? false).toBe(false);
  expect(result.structuredContent).toEqual({ skill_name: 'folder-name', documentation: text });
  expect(JSON.parse(onlyText(result))).toEqual(result.structuredContent);
  expect(await errorByName(client, 'Another Name')).toEqual({
    error: "Skill 'Another Name' not found in skills folder",
  });
});

test('by skill_name exact letter case, then direct children, then root order, then path order decide (T6)', async () => {
  const second = join(world.home, '.agents/skills');
  writeSkill(world.skills, 'cased', { body: 'direct, lower' });
  writeSkill(second, 'deep/Cased', { name: 'x1', body: 'nested, upper' });
  writeSkill(world.skills, 'deep/direct', { name: 'x2', body: 'nested, first root' });
  writeSkill(second, 'direct', { name: 'x3', body: 'direct, second root' });
  writeSkill(second, 'rooted', { name: 'x4', body: 'second root' });
  writeSkill(world.skills, 'rooted', { name: 'x5', body: 'first root' });
  writeSkill(world.skills, 'b/pathed', { name: 'x6', body: 'path b' });
  writeSkill(world.skills, 'a/pathed', { name: 'x7', body: 'path a' });
  const client = await world.serve();
  expect(await documentation(client, 'Cased')).toContain('nested, upper');
  expect(await documentation(client, 'CASED')).toContain('direct, lower');
  expect(await documentation(client, 'direct')).toContain('direct, second root');
  expect(await documentation(client, 'rooted')).toContain('first root');
  expect(await documentation(client, 'pathed')).toContain('path a');
});

test('by skill_name any readable SKILL.md is served, also one without frontmatter (T6)', async () => {
  write(join(world.skills, 'plain/SKILL.MD'), '# Only Markdown\n');
  expect(await documentation(await world.serve(), 'plain')).toBe('# Only Markdown\n');
});

test('by skill_name a held last good text is served (T6, D8)', async () => {
  const good = writeSkill(world.skills, 'held');
  const client = await world.serve();
  expect(await documentation(client, 'held')).toBe(good);
  write(join(world.skills, 'held/SKILL.md'), Buffer.from([0xff, 0xfe]));
  const availability = async () => (await listSkills(client)).skills[0]?.availability;
  await expect.poll(availability).toBe('fallback');
  expect(await documentation(client, 'held')).toBe(good);
});

test.each(['', 'a/b', 'a\\b', '..', '../one', 'one/..', 'x..y', '/etc', 'one/', '\\\\host\\share'])(
  'the name %j is invalid before anything else (T6)',
  async (name) => {
    writeSkill(world.skills, 'one');
    expect(await errorByName(await world.serve(), name)).toEqual({
      error: `Invalid skill name: '${name}'. Skill names must not contain '/', '\\', or '..'`,
    });
  },
);

test('each other failure by skill_name has its own exact sentence (T6)', async () => {
  mkdirSync(join(world.skills, 'without'), { recursive: true });
  mkdirSync(join(world.skills, 'category/nested-without'), { recursive: true });
  write(join(world.skills, 'empty/SKILL.md'), '');
  write(join(world.skills, 'large/SKILL.md'), 'x'.repeat(megabyte + 1));
  write(join(world.skills, 'latin/SKILL.md'), Buffer.from('caf\u00e9', 'latin1'));
  const client = await world.serve();
  const expected = {
    absent: "Skill 'absent' not found in skills folder",
    'nested-without': "Skill 'nested-without' not found in skills folder",
    without: "SKILL.MD not found for skill 'without'",
    empty: "SKILL.MD is empty for skill 'empty'",
    large: "SKILL.MD too large (>1MB) for skill 'large'",
    latin: "SKILL.MD contains invalid UTF-8 for skill 'latin'",
  };
  for (const [name, error] of Object.entries(expected)) expect(await errorByName(client, name)).toEqual({ error });
});

test('a SKILL.md that may not be read is "Permission denied" (T6)', async () => {
  writeSkill(world.skills, 'locked');
  chmodSync(join(world.skills, 'locked/SKILL.md'), 0);
  expect(await errorByName(await world.serve({ unprivileged: true }), 'locked')).toEqual({
    error: "Permission denied reading SKILL.MD for skill 'locked'",
  });
});

test('a SKILL.md of exactly 1,048,576 bytes is served whole by every way (T6, T7)', async () => {
  const head = skillText({ name: 'full', body: '' });
  const text = head + 'y'.repeat(megabyte - head.length);
  write(join(world.skills, 'full/SKILL.md'), text);
  const client = await world.serve();
  const ways = [
    () => documentation(client, 'full'),
    async () => (await callTool(client, 'get_skill', { uri: 'skill://full/SKILL.md' })).structuredContent?.text,
  ];
  // Within 500 ms: `npm run bench`, big.
  for (const way of ways) expect((await way()) === text).toBe(true);
});
