// Typed skills as function tools: definitions that a provider accepts, outputs and errors that a model can use (T11).
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestCatalog } from '../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../../catalog/fixtures/skill-world.ts';
import { agentCaller } from '../../identity/caller.ts';
import { createRepertoire } from '../../repertoire/repertoire.ts';
import { openRuntime } from '../../skills/fixtures/open-runtime.ts';
import { createFunctionTools, type DispatchContext } from './function-tools.ts';
import { strictFaults } from './strict-mode.ts';

async function openTools(changes: object = {}) {
  const world = createSkillWorld();
  world.folder('root');
  const { runtime, log } = openRuntime(changes);
  const tools = createFunctionTools(createRepertoire(await openTestCatalog([world.at('root')]), { runtime }));
  const answer = async (input: unknown, context?: DispatchContext) => {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    const message = await tools.dispatch(
      { id: 'c', type: 'function', function: { name: 'echo', arguments: text } },
      context,
    );
    return JSON.parse(message.content);
  };
  return { tools, answer, log, definition: tools.definitions[2]?.function };
}

describe('the definition', () => {
  test('has the name, the description and the input schema of the skill (T11)', async () => {
    const { definition } = await openTools();
    expect(definition).toMatchObject({
      name: 'echo',
      description: 'Says what it was told.',
      parameters: { type: 'object', properties: { text: { type: 'string', maxLength: 100 } }, required: ['text'] },
    });
  });

  test.each([
    ['plain types, all required', z.object({ text: z.string(), n: z.number().nullable() }), true],
    ['a range', z.object({ n: z.number().min(1) }), false],
    ['an optional field', z.object({ text: z.string().optional() }), false],
    ['a pattern', z.object({ text: z.string().regex(/a/) }), false],
  ])('is strict only where strict mode accepts the schema: %s is %s', async (_what, input, strict) => {
    const { definition } = await openTools({ input, run: () => ({ text: '' }) });
    expect(definition?.strict).toBe(strict);
    expect(strictFaults(definition?.parameters ?? {}).length === 0).toBe(strict);
  });
});

describe('a call', () => {
  test('answers the bare output (T11)', async () => {
    const { answer, log } = await openTools();
    expect(await answer({ text: 'hi' })).toEqual({ text: 'hi' });
    expect(log.begun).toMatchObject([{ invokingAgent: 'local' }]);
  });

  test('is made by the caller and under the id that were given (T11, X5)', async () => {
    const { answer, log } = await openTools({ assignedTo: ['TaskAgent'] });
    const correlationId = '0198f0aa-1111-4222-8333-444455556666';
    expect(await answer({ text: 'hi' }, { caller: agentCaller('TaskAgent'), correlationId })).toEqual({ text: 'hi' });
    expect(await answer({ text: 'hi' }, { caller: agentCaller('AuthAgent') })).toEqual({
      error: expect.stringContaining(
        'UNAUTHORIZED: Access denied: this agent is not assigned to the skill; it needs the role TaskAgent.',
      ),
    });
    expect(log.begun).toMatchObject([{ invokingAgent: 'TaskAgent', correlationId }, { invokingAgent: 'AuthAgent' }]);
  });

  test('with a wrong input says everything that is wrong and what to do (X5)', async () => {
    const { error } = await (await openTools()).answer({ text: 7, other: 1 });
    expect(error).toMatch(/^VALIDATION_ERROR: Input validation failed: /);
    for (const part of ['text: ', 'other: ', 'Fix input and retry', 'correlation id ']) expect(error).toContain(part);
  });

  test.each(['{"text":', '[]', ''])('with %j as arguments is an error, and nothing is recorded', async (text) => {
    const { answer, log } = await openTools();
    expect(await answer(text)).toEqual({ error: expect.stringContaining('Cannot read the arguments') });
    expect(log.begun).toEqual([]);
  });

  test('of a skill that throws is an error without its text (T9)', async () => {
    const run = () => {
      throw new Error('secret');
    };
    const { error } = await (await openTools({ run })).answer({ text: 'hi' });
    expect(error).toContain('INTERNAL_ERROR: An unexpected error occurred.');
    expect(error).not.toContain('secret');
  });

  test('ends when the client goes away (X2)', async () => {
    const controller = new AbortController();
    const run = (_input: unknown, { signal }: { signal: AbortSignal }) => {
      controller.abort();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: '' })));
    };
    const { answer } = await openTools({ run });
    expect((await answer({ text: 'hi' }, { signal: controller.signal })).error).toContain('INTERNAL_ERROR');
  });
});

test('the typed skills of the repertoire are offered without being handed over again (T11)', async () => {
  const world = createSkillWorld();
  world.folder('root');
  const repertoire = createRepertoire(await openTestCatalog([world.at('root')]), { runtime: openRuntime().runtime });
  const tools = createFunctionTools(repertoire);
  expect(tools.definitions.map((tool) => tool.function.name)).toEqual(['list_skills', 'get_skill', 'echo']);
  const call = { id: 'c', type: 'function', function: { name: 'echo', arguments: '{"text":"hi"}' } };
  expect(await tools.dispatch(call)).toMatchObject({ content: '{"text":"hi"}' });
});
