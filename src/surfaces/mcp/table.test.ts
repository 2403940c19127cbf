// The table that every wire serves: its tools, what it says of itself, and its promises at any number of skills.
import { describe, expect, test } from 'vitest';
import { modernMeta } from '../../../tests/support/modern-meta.ts';
import { openTestCatalog, testRoot } from '../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld, type SkillWorld } from '../../catalog/fixtures/skill-world.ts';
import { openCatalogEarly } from '../../catalog/live-catalog.ts';
import { createRepertoire } from '../../repertoire/repertoire.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { calledTool, contextOf } from './fixtures/tool-world.ts';
import type { ToolAnswer } from './methods/tool.ts';
import { createMethodTable } from './table.ts';
import { ClientOnPaper } from './wire/fixtures/client-on-paper.ts';
import type { MethodTable, ServerEvent } from './wire/method.ts';

const CLIENT = { name: 'test', version: '1', capabilities: {} };

async function openTable(world: SkillWorld) {
  const catalog = await openTestCatalog([world.at('root')]);
  return { catalog, table: createMethodTable({ repertoire: createRepertoire(catalog), version: '1.2.3' }) };
}

async function ask(table: MethodTable, method: string, params: JsonObject = {}): Promise<JsonObject> {
  const reply = await table.methods.get(method)?.(params, contextOf());
  if (!reply?.ok) throw new Error(`${method} was refused`);
  return reply.value as unknown as JsonObject;
}

const toolsOf = async (table: MethodTable) => (await ask(table, 'tools/list')).tools as readonly JsonObject[];

describe('createMethodTable()', () => {
  test('offers the document tools, each read-only and with a schema that every host takes (T3, T8)', async () => {
    const { table } = await openTable(createSkillWorld());
    const tools = await toolsOf(table);
    expect(tools.map(({ name }) => name)).toEqual([
      'skill',
      'list_skills',
      'search_skills',
      'get_skill',
      'read_skill_file',
    ]);
    for (const { inputSchema, annotations } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      for (const key of ['oneOf', 'anyOf', 'allOf']) expect(inputSchema).not.toHaveProperty(key);
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false, destructiveHint: false });
    }
  });

  test('a held text is marked beside what the wire adds of its own (D8, M13)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const { catalog, table } = await openTable(world);
    world.write('root/a/SKILL.md', 'bad');
    await catalog.refresh();
    const client = new ClientOnPaper(table);
    for (const input of [{ uri: 'skill://a/SKILL.md' }, { skill_name: 'a' }]) {
      const [answer] = client.call(1, 'get_skill', input, modernMeta());
      expect(answer).toMatchObject({
        result: {
          _meta: {
            'repertoire/availability': 'fallback',
            'io.modelcontextprotocol/serverInfo': { name: 'repertoire' },
          },
        },
      });
    }
  });

  test('keeps two tools in view of hosts that defer tools (U3)', async () => {
    const { table } = await openTable(createSkillWorld());
    const always = (await toolsOf(table)).filter(
      ({ _meta }) => (_meta as JsonObject)?.['anthropic/alwaysLoad'] === true,
    );
    expect(always.map(({ name }) => name)).toEqual(['skill', 'list_skills']);
  });

  test('says which server the tool for loading belongs to, because hosts have a tool of the same name (U3)', async () => {
    const world = createSkillWorld();
    world.skill('root/pdf');
    const { table } = await openTable(world);
    const described = new Map((await toolsOf(table)).map(({ name, description }) => [name, description]));
    const ours = "this server's tool `skill`";
    expect(await table.instructions(CLIENT)).toContain(ours);
    expect(described.get('list_skills')).toContain(ours);
    expect(described.get('search_skills')).toContain(ours);
    const found = await ask(table, 'tools/call', { name: 'search_skills', arguments: { query: 'pdf' } });
    expect(calledTool(found as ToolAnswer).text).toContain(`call ${ours} with its name`);
  });

  test('stays within what hosts read, at hundreds of skills with long texts (PROTOCOL)', async () => {
    const world = createSkillWorld();
    for (let index = 0; index < 300; index += 1)
      world.write(`root/s${index}/SKILL.md`, `---\nname: s${index}\ndescription: ${'words '.repeat(150)}\n---\n`);
    const { table } = await openTable(world);
    const tools = await toolsOf(table);
    for (const { description } of tools) expect(String(description).length).toBeLessThanOrEqual(1_900);
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(32 * 1024);
    const instructions = await table.instructions(CLIENT);
    expect(instructions.length).toBeLessThanOrEqual(2_000);
    expect(instructions).toContain('list_skills');
  });

  test('names the skills in its instructions, and itself with its version', async () => {
    const world = createSkillWorld();
    world.skill('root/pdf');
    const { table } = await openTable(world);
    expect(await table.instructions(CLIENT)).toContain('- pdf (Does pdf things.)');
    expect(table.info).toEqual({ name: 'repertoire', title: 'Repertoire', version: '1.2.3' });
    expect(table.capabilities).toMatchObject({ tools: { listChanged: true } });
  });

  test('tells which lists and resources changed when skills did, until the last listener has gone (R1)', async () => {
    const world = createSkillWorld();
    const { table, catalog } = await openTable(world);
    const events: ServerEvent[] = [];
    const stop = table.subscribe((event) => events.push(event));
    world.skill('root/a');
    await catalog.refresh();
    const lists = [{ kind: 'tools' }, { kind: 'resources' }, { kind: 'prompts' }];
    expect(events.splice(0)).toEqual([...lists, { kind: 'resource', uri: 'skill://a/SKILL.md' }]);
    world.write('root/a/notes.md', 'a supporting file');
    world.skill('root/a', { body: 'another text\n' });
    await catalog.refresh();
    expect(events.splice(0)).toContainEqual({ kind: 'resource', uri: 'skill://a/notes.md' });
    stop();
    world.skill('root/b');
    await catalog.refresh();
    expect(events).toEqual([]);
  });

  test('a call waits until every skill is known, the tool list does not', async () => {
    const world = createSkillWorld();
    world.skill('root/outer');
    world.skill('root/outer/inner');
    const options = { allowLinks: [], without: [], watch: false, rescanMs: 30_000, now: () => new Date() };
    const roots = [testRoot(world.at('root'))];
    const catalog = await openCatalogEarly({ ...options, roots, log: () => undefined });
    const table = createMethodTable({ repertoire: createRepertoire(catalog), version: '1' });
    await toolsOf(table);
    expect(catalog.isWhole).toBe(false);
    const answer = await ask(table, 'tools/call', { name: 'skill', arguments: { name: 'inner' } });
    expect(calledTool(answer as ToolAnswer).text).toContain('Loading: inner');
    catalog.close();
  });
});
