// Skills as OpenAI-style function tools: what a provider accepts, and what a model gets back (T11).
import { describe, expect, test, vi } from 'vitest';
import { asStrangerAsync } from '../../catalog/fixtures/as-stranger.ts';
import { openTestCatalog } from '../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld, type SkillWorld, skillText } from '../../catalog/fixtures/skill-world.ts';
import { openCatalogEarly } from '../../catalog/live-catalog.ts';
import { createRepertoire, type Repertoire } from '../../repertoire/repertoire.ts';
import { listSkillsTool } from '../mcp/fixtures/list-skills-tool.ts';
import { openToolWorld } from '../mcp/fixtures/tool-world.ts';
import { getSkillTool } from '../mcp/methods/get-skill.ts';
import { createFunctionTools, type ToolCall } from './function-tools.ts';
import { strictFaults } from './strict-mode.ts';

const call = (name: string, input: unknown, id = 'call_1'): ToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
});

async function openTools(world: SkillWorld) {
  const catalog = await openTestCatalog([world.at('root')]);
  const tools = createFunctionTools(createRepertoire(catalog));
  const contentOf = async (each: ToolCall) => JSON.parse((await tools.dispatch(each)).content);
  return { ...tools, contentOf, catalog };
}

describe('the definitions', () => {
  const { definitions } = createFunctionTools({ typedSkills: [] } as Partial<Repertoire> as Repertoire);

  test('are list_skills and get_skill, in the form of chat completions (T11)', () => {
    expect(definitions).toEqual([
      {
        type: 'function',
        function: {
          name: 'list_skills',
          description: expect.any(String),
          parameters: {
            type: 'object',
            properties: {
              cursor: { type: ['string', 'null'], description: expect.any(String) },
              limit: { type: ['integer', 'null'], description: 'Skills per page, 1 to 1000; null for 100' },
            },
            required: ['cursor', 'limit'],
            additionalProperties: false,
          },
          strict: true,
        },
      },
      {
        type: 'function',
        function: {
          name: 'get_skill',
          description: expect.stringContaining('Read the SKILL.MD documentation for a specific skill.'),
          parameters: {
            type: 'object',
            properties: { skill_name: { type: 'string', description: 'Name of the skill (folder name)' } },
            required: ['skill_name'],
            additionalProperties: false,
          },
          strict: true,
        },
      },
    ]);
  });

  test.each(definitions.map((each) => [each.function.name, each.function] as const))(
    '%s is what strict mode accepts (T11)',
    (name, { description, parameters }) => {
      expect(strictFaults(parameters)).toEqual([]);
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(description.length).toBeLessThanOrEqual(1_024);
    },
  );
});

describe('get_skill', () => {
  test('answers a tool message with the JSON string that MCP answers (T6, T11)', async () => {
    const world = createSkillWorld();
    world.skill('root/pdf', { body: '# "Quotes", 🎉 and \\ more\n' });
    const { dispatch } = await openTools(world);
    const overMcp = await (await openToolWorld(world, getSkillTool)).call({ skill_name: 'pdf' });
    const message = await dispatch(call('get_skill', { skill_name: 'pdf' }));
    expect(message).toEqual({ role: 'tool', tool_call_id: 'call_1', name: 'get_skill', content: overMcp.text });
    expect(Object.keys(JSON.parse(message.content))).toEqual(['skill_name', 'documentation']);
    expect(JSON.parse(message.content).documentation).toBe(skillText('pdf', '# "Quotes", 🎉 and \\ more\n'));
  });

  test('has the exact sentence for each failure (T6, T11)', async () => {
    const world = createSkillWorld();
    world.folder('root/bare');
    world.write('root/empty/SKILL.md', '');
    world.write('root/large/SKILL.md', Buffer.alloc(1_048_577, 'a'));
    world.write('root/bytes/SKILL.md', Uint8Array.of(0x61, 0xff));
    const { contentOf } = await openTools(world);
    const errorOf = async (name: string) => (await contentOf(call('get_skill', { skill_name: name }))).error;
    expect(await errorOf('../etc')).toBe(
      "Invalid skill name: '../etc'. Skill names must not contain '/', '\\', or '..'",
    );
    expect(await errorOf('')).toBe("Invalid skill name: ''. Skill names must not contain '/', '\\', or '..'");
    expect(await errorOf('nope')).toBe("Skill 'nope' not found in skills folder");
    expect(await errorOf('bare')).toBe("SKILL.MD not found for skill 'bare'");
    expect(await errorOf('empty')).toBe("SKILL.MD is empty for skill 'empty'");
    expect(await errorOf('large')).toBe("SKILL.MD too large (>1MB) for skill 'large'");
    expect(await errorOf('bytes')).toBe("SKILL.MD contains invalid UTF-8 for skill 'bytes'");
  });

  test('says that reading is not permitted (T6, T11)', async () => {
    const world = createSkillWorld();
    world.skill('root/x');
    const { contentOf } = await asStrangerAsync(world, world.at('root/x/SKILL.md'), () => openTools(world));
    expect(await contentOf(call('get_skill', { skill_name: 'x' }))).toEqual({
      error: "Permission denied reading SKILL.MD for skill 'x'",
    });
  });

  // How fast is measured in bench/measures/big.ts.
  test('answers 1 MB (T7)', async () => {
    const world = createSkillWorld();
    const head = skillText('big', '');
    world.write('root/big/SKILL.md', head + 'x'.repeat(1_048_576 - head.length));
    const { dispatch } = await openTools(world);
    expect((await dispatch(call('get_skill', { skill_name: 'big' }))).content.length).toBeGreaterThan(1_048_576);
  });
});

describe('list_skills', () => {
  test('answers the object that MCP has as structured content (T2, T11)', async () => {
    const world = createSkillWorld();
    world.skill('root/b');
    world.skill('root/group/a');
    world.write('root/bad/SKILL.md', '');
    const { contentOf } = await openTools(world);
    const { structured } = await (await openToolWorld(world, (...parts) => listSkillsTool(...parts))).call({});
    expect(structured?.skills).toHaveLength(2);
    expect(structured?.problems).toHaveLength(1);
    expect(await contentOf(call('list_skills', { cursor: null, limit: null }))).toEqual(structured);
    // Models that do not keep to strict mode leave out what they do not need.
    expect(await contentOf(call('list_skills', {}))).toEqual(structured);
  });

  test('gives pages that meet every skill once (T2)', async () => {
    const world = createSkillWorld();
    for (let index = 0; index < 5; index += 1) world.skill(`root/s${index}`);
    const { contentOf } = await openTools(world);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { skills: { name: string }[]; next_cursor: string | null } = await contentOf(
        call('list_skills', { cursor, limit: 2 }),
      );
      seen.push(...page.skills.map(({ name }) => name));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(['s0', 's1', 's2', 's3', 's4']);
  });

  test.each([
    [{ limit: 0 }, '1 to 1000'],
    [{ limit: '5' }, '1 to 1000'],
    [{ cursor: 'x' }, 'cursor: is none of ours'],
    [{ cursor: 5 }, 'cursor: must be next_cursor of the page before'],
  ])('refuses %j with an error (T11)', async (input, text) => {
    const { contentOf } = await openTools(createSkillWorld());
    expect(await contentOf(call('list_skills', input))).toEqual({ error: expect.stringContaining(text) });
  });
});

describe('what a model gets wrong is told to it, never thrown (T11)', () => {
  test.each([
    ['not JSON', call('get_skill', '{"skill_name": "pd'), 'not valid JSON; send { "skill_name": "…" }'],
    [
      'too many values (A4)',
      call('list_skills', `[${'{},'.repeat(100_000)}{}]`),
      'they have more than 50,000 values; send {',
    ],
    ['an empty string', call('list_skills', ''), 'not valid JSON; send { "cursor": null, "limit": null }'],
    ['no object', call('get_skill', '["pdf"]'), 'not a JSON object'],
    ['null', call('get_skill', 'null'), 'not a JSON object'],
    ['a missing field', call('get_skill', {}), 'skill_name is not a string'],
    ['a field of another type', call('get_skill', { skill_name: 7 }), 'skill_name is not a string'],
    [
      'an unknown field',
      call('get_skill', { skill_name: 'pdf', uri: 'x' }),
      'uri: is not known here: known are skill_name; send {',
    ],
    [
      'a field named __proto__',
      call('get_skill', '{"__proto__":{"skill_name":"pdf"}}'),
      '__proto__: is not known here',
    ],
    ['an unknown function', call('delete_skill', {}), 'Unknown function "delete_skill": call list_skills or get_skill'],
    ['an inherited name', call('constructor', {}), 'Unknown function "constructor"'],
  ])('%s', async (_what, wrong, text) => {
    const world = createSkillWorld();
    world.skill('root/pdf');
    const { dispatch } = await openTools(world);
    const { content, ...rest } = await dispatch(wrong);
    expect(rest).toEqual({ role: 'tool', tool_call_id: 'call_1', name: wrong.function?.name });
    expect(JSON.parse(content)).toEqual({ error: expect.stringContaining(text) });
  });

  test.each([
    ['no id', { type: 'function', function: { name: 'list_skills', arguments: '{}' } }, 'its id'],
    ['no type', { id: 'call_1', function: { name: 'list_skills', arguments: '{}' } }, 'its type'],
    ['a custom tool', { id: 'call_1', type: 'custom', custom: { name: 'x', input: '' } }, 'its type'],
    ['no function', { id: 'call_1', type: 'function' }, 'it names no function'],
    ['no arguments', { id: 'call_1', type: 'function', function: { name: 'get_skill' } }, 'not a string of JSON'],
    [
      'parsed arguments',
      { id: 'call_1', type: 'function', function: { name: 'get_skill', arguments: {} } },
      'not a string',
    ],
    ['no object', 'list_skills', 'its id'],
    ['null', null, 'its id'],
  ])('a call with a wrong shape: %s', async (_what, wrong, text) => {
    const { dispatch } = await openTools(createSkillWorld());
    // The type is right for providers that keep to the protocol; this one does not.
    const { content, tool_call_id: id } = await dispatch(wrong as ToolCall);
    expect(id).toBe((wrong as { id?: string } | null)?.id ?? '');
    expect(JSON.parse(content)).toEqual({ error: expect.stringContaining(text) });
  });

  test('does not send a long function name back in the error', async () => {
    const { dispatch } = await openTools(createSkillWorld());
    expect((await dispatch(call('x'.repeat(10_000), {}))).content.length).toBeLessThan(300);
  });
});

describe('a fault of ours', () => {
  test.each([
    ['a throw', () => ({ whole: async () => undefined, loadByFolder: () => raise() })],
    ['a search that fails', () => ({ whole: () => Promise.reject(new Error('/home/secret')) })],
  ])('is an error without detail for the model, and whole for onError: %s (T9, T11)', async (_what, broken) => {
    const onError = vi.fn();
    const tools = createFunctionTools(brokenRepertoire(broken()), { onError });
    const message = await tools.dispatch(call('get_skill', { skill_name: 'x' }));
    expect(JSON.parse(message.content)).toEqual({ error: 'An unexpected error occurred' });
    expect(message.tool_call_id).toBe('call_1');
    expect(onError.mock.calls).toEqual([[new Error('/home/secret')]]);
  });

  const raise = () => {
    throw new Error('/home/secret');
  };

  const brokenRepertoire = (parts: object): Repertoire => {
    const repertoire = { typedSkills: [], for: () => repertoire, ...parts } as unknown as Repertoire;
    return repertoire;
  };
});

describe('several calls at once', () => {
  test('keep their order and their ids, one failing among them (T11)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.skill('root/b');
    const { dispatchAll } = await openTools(world);
    const messages = await dispatchAll([
      call('get_skill', { skill_name: 'b' }, 'call_b'),
      call('nope', {}, 'call_x'),
      call('list_skills', {}, 'call_l'),
      call('get_skill', { skill_name: 'a' }, 'call_a'),
    ]);
    expect(messages.map((each) => each.tool_call_id)).toEqual(['call_b', 'call_x', 'call_l', 'call_a']);
    const contents = messages.map((each) => JSON.parse(each.content));
    expect(contents).toMatchObject([
      { skill_name: 'b' },
      { error: expect.any(String) },
      { skills: [{ name: 'a' }, { name: 'b' }] },
      { skill_name: 'a' },
    ]);
  });

  test.each([[[]], [null], [undefined]])('none at all (%j) gives no messages', async (calls) => {
    const { dispatchAll } = await openTools(createSkillWorld());
    expect(await dispatchAll(calls)).toEqual([]);
  });
});

describe('freshness', () => {
  test('finds skills inside other skills, also right after the start (T11)', async () => {
    const world = createSkillWorld();
    world.skill('root/outer');
    world.skill('root/outer/deep/inner');
    const catalog = await openCatalogEarly({
      roots: [{ label: 'root', path: world.at('root'), boundary: undefined }],
      allowLinks: [],
      without: [],
      watch: false,
      rescanMs: 30_000,
      now: () => new Date(),
      log: () => undefined,
    });
    try {
      expect(catalog.isWhole).toBe(false);
      const { dispatch } = createFunctionTools(createRepertoire(catalog));
      const { content } = await dispatch(call('get_skill', { skill_name: 'inner' }));
      expect(JSON.parse(content)).toEqual({ skill_name: 'inner', documentation: skillText('inner') });
    } finally {
      catalog.close();
    }
  });

  test('answers from the present snapshot (D6)', async () => {
    const world = createSkillWorld();
    world.folder('root');
    const { contentOf, catalog } = await openTools(world);
    world.skill('root/new');
    await catalog.refresh();
    expect(await contentOf(call('get_skill', { skill_name: 'new' }))).toMatchObject({ skill_name: 'new' });
  });
});
