// Whatever a model or a provider sends: no exception, always an answer to that id (T11).
import { expect, test } from 'vitest';
import fc from '../../../tests/support/property.ts';
import { openTestCatalog } from '../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../../catalog/fixtures/skill-world.ts';
import { createRepertoire } from '../../repertoire/repertoire.ts';
import { createFunctionTools, type ToolCall } from './function-tools.ts';

async function openTools() {
  const world = createSkillWorld();
  world.skill('root/a');
  world.folder('root/__proto__');
  const repertoire = createRepertoire(await openTestCatalog([world.at('root')]));
  const onError = (error: unknown) => {
    throw new Error('A fault of ours', { cause: error });
  };
  return createFunctionTools(repertoire, { onError });
}

const names = fc.oneof(fc.constantFrom('list_skills', 'get_skill'), fc.string({ unit: 'binary' }));
const fields = {
  skill_name: fc.oneof(fc.constantFrom('a', 'A', '__proto__', '..'), fc.string({ unit: 'binary' }), fc.jsonValue()),
  cursor: fc.oneof(fc.constant(null), fc.jsonValue()),
  limit: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 1_000 }), fc.jsonValue()),
};
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.record(fields, { requiredKeys: [] }).map((value) => JSON.stringify(value)),
  fc.record({ skill_name: fields.skill_name }).map((value) => JSON.stringify(value)),
  fc.record({ cursor: fields.cursor, limit: fields.limit }).map((value) => JSON.stringify(value)),
);
const callOf = (id: string, name: string, text: string): ToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});
const calls = fc.tuple(fc.string(), names, texts).map((drawn) => callOf(...drawn));
/** Always among the drawn ones, so that each kind of answer is met in every run. */
const good: [ToolCall][] = [[callOf('1', 'list_skills', '{}')], [callOf('2', 'get_skill', '{"skill_name":"a"}')]];

const ANSWERS = ['error', 'skills,by_folder,problems,next_cursor', 'skill_name,documentation'];

test('any text as arguments of any function is answered under its id (T11)', async () => {
  const tools = await openTools();
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(calls, async (call) => {
      const { content, ...rest } = await tools.dispatch(call);
      expect(rest).toEqual({ role: 'tool', tool_call_id: call.id, name: call.function?.name });
      const answer = Object.keys(JSON.parse(content)).join();
      expect(ANSWERS).toContain(answer);
      seen.add(answer);
    }),
    { numRuns: 500, examples: good },
  );
  expect([...seen].sort()).toEqual([...ANSWERS].sort());
});

test('any JSON as a call is answered under the id that it has (T11)', async () => {
  const tools = await openTools();
  const called = { name: fc.oneof(names, fc.jsonValue()), arguments: fc.oneof(texts, fc.jsonValue()) };
  const shaped = {
    id: fc.oneof(fc.string(), fc.jsonValue()),
    type: fc.oneof(fc.constant('function'), fc.jsonValue()),
    function: fc.oneof(fc.record(called, { requiredKeys: [] }), fc.jsonValue()),
  };
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.record(shaped, { requiredKeys: [] })), async (call) => {
      const id = (call as { id?: unknown } | null)?.id;
      const { content, ...rest } = await tools.dispatch(call as ToolCall);
      expect(rest).toEqual({
        role: 'tool',
        tool_call_id: typeof id === 'string' ? id : '',
        name: expect.any(String),
      });
      expect(ANSWERS).toContain(Object.keys(JSON.parse(content)).join());
    }),
    { numRuns: 500 },
  );
});

test('any number of calls at once gives as many messages, in their order (T11)', async () => {
  const tools = await openTools();
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { maxLength: 20 }), async (sent) => {
      const messages = await tools.dispatchAll(sent);
      expect(messages.map((each) => each.tool_call_id)).toEqual(sent.map(({ id }) => id));
    }),
    { numRuns: 100 },
  );
});
