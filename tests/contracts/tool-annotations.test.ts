// What hosts are told about the tools, and that it stays small at any number of skills (T3, T8).
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listTools } from '../support/document-tools.ts';
import { modernMeta } from '../support/modern-meta.ts';
import { World } from '../support/world.ts';
import { writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

const documentTools = ['skill', 'list_skills', 'search_skills', 'get_skill', 'read_skill_file'];

test('every document tool is there and says that it only reads, in a closed world (T8)', async () => {
  const tools = await listTools(await world.serve());
  expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(documentTools));
  for (const tool of tools) {
    expect([tool.name, tool.annotations]).toEqual([
      tool.name,
      expect.objectContaining({ readOnlyHint: true, openWorldHint: false, destructiveHint: false }),
    ]);
  }
});

test('no input schema has oneOf, anyOf or allOf at its top level, and each is an object (T3)', async () => {
  for (const { name, inputSchema } of await listTools(await world.serve())) {
    expect([name, inputSchema.type]).toEqual([name, 'object']);
    for (const key of ['oneOf', 'anyOf', 'allOf']) expect([name, key in inputSchema]).toEqual([name, false]);
  }
});

test('the tool that finds every skill and the one that loads one ask to be always loaded (U3)', async () => {
  const marked = (await listTools(await world.serve())).filter((tool) =>
    JSON.stringify(tool).includes('"anthropic/alwaysLoad":true'),
  );
  expect(marked.map(({ name }) => name)).toEqual(['skill', 'list_skills']);
});

// Names and descriptions at their longest, in characters of one, three and four bytes.
const wordy = ['d'.repeat(1024), '説'.repeat(1024), '\u{1f600}'.repeat(512), 'line\nbreak '.repeat(93)];

test.each([0, 1, 10, 1000])(
  'with %i skills of the longest kind tools and instructions keep their limits (T8)',
  async (count) => {
    for (let index = 0; index < count; index += 1) {
      const name = `${'n'.repeat(58)}-${String(index).padStart(4, '0')}`;
      writeSkill(world.skills, name, { description: wordy[index % wordy.length] ?? '' });
    }
    const client = await world.serve();
    const legacy = await client.request('tools/list');
    expect(Buffer.byteLength(JSON.stringify(legacy.result))).toBeLessThanOrEqual(32 * 1024);
    for (const tool of await listTools(client))
      expect([tool.name, tool.description.length <= 1900]).toEqual([tool.name, true]);
    expect(client.hello.instructions).toMatch(/list_skills/);
    expect(String(client.hello.instructions).length).toBeLessThanOrEqual(2000);
  },
);

test('a 2026 client is told the same tools and instructions within the same limits (T8)', async () => {
  for (let index = 0; index < 200; index += 1)
    writeSkill(world.skills, `skill-${index}`, { description: wordy[index % 4] ?? '' });
  const old = await listTools(await world.serve());
  const client = await world.serve({ greet: false });
  const discovered = await client.request('server/discover', { _meta: modernMeta() });
  const listed = await client.request('tools/list', { _meta: modernMeta() });
  expect(String(discovered.result?.instructions).length).toBeLessThanOrEqual(2000);
  expect(listed.result?.tools).toEqual(old);
});
