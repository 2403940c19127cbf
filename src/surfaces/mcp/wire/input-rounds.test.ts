// Input rounds: what is asked, what comes back, and what is refused (PROTOCOL, part 2).
import { expect, test } from 'vitest';
import { agentCaller } from '../../../identity/caller.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { ok } from '../../../values/result.ts';
import { contextOf } from '../fixtures/tool-world.ts';
import { acceptedContent, createInputRounds, InputRequired, type RoundMethod } from './input-rounds.ts';
import type { Method, RequestContext } from './method.ts';

const FORM = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Name?', requestedSchema: { type: 'object', properties: {} } },
} as const;

const askName: RoundMethod = (_params, _context, round) => {
  const name = acceptedContent(round, 'user_name')?.name;
  return typeof name === 'string' && round.state !== undefined
    ? ok({ content: [{ type: 'text', text: `${name} ${JSON.stringify(round.state)}` }] })
    : new InputRequired({ user_name: FORM }, { secret: 'ours' });
};

function open(method: RoundMethod = askName, now = () => new Date()) {
  const withRounds = createInputRounds({ secret: async () => 'a secret of all replicas', now });
  return {
    call: withRounds('tools/call', method),
    prompt: withRounds('prompts/get', method),
  };
}

const client = (capabilities: JsonObject) => ({ name: 'test', version: '1', capabilities });
const asker = (fields: Partial<RequestContext> = {}) =>
  contextOf({ caller: agentCaller('ada'), client: client({ elicitation: {} }), ...fields });
const REPLIES = { user_name: { action: 'accept', content: { name: 'Ada' } } };

const ask = async (method: Method, params: JsonObject, context = asker()) => {
  const result = await method({ name: 'tool', arguments: { a: 1, b: 2 }, ...params }, context);
  // biome-ignore lint/suspicious/noExplicitAny: whatever the answer is, it is compared.
  return (result.ok ? result.value : { error: result.failure }) as any;
};

test('a method asks, and the retry with the replies and the state is answered, on another replica and in another order of keys', async () => {
  const first = await ask(open().call, {});
  expect(first).toEqual({
    resultType: 'input_required',
    inputRequests: { user_name: FORM },
    requestState: expect.any(String),
  });
  expect(Buffer.from(first.requestState, 'base64').toString('latin1')).not.toContain('ours');
  const retry = { arguments: { b: 2, a: 1 }, inputResponses: REPLIES, requestState: first.requestState };
  const second = await ask(open().call, { ...retry, _meta: { progressToken: 1 } });
  expect(second).toEqual({ content: [{ type: 'text', text: 'Ada {"secret":"ours"}' }] });
});

test.each([
  ['missing', {}],
  ['of another key', { other: REPLIES.user_name }],
  ['a number', { user_name: 7 }],
  ['declined', { user_name: { action: 'decline' } }],
])('what is %s is asked for again', async (_what, inputResponses) => {
  const { call } = open();
  const { requestState } = await ask(call, {});
  expect(await ask(call, { inputResponses, requestState })).toMatchObject({ resultType: 'input_required' });
});

test.each([null, 7, 'text', []])('inputResponses of %j are refused', async (inputResponses) => {
  expect(await ask(open().call, { inputResponses })).toMatchObject({ error: { code: -32602 } });
});

test('state that was changed, has expired, or belongs to another caller, method or question is refused alike', async () => {
  let now = new Date();
  const { call, prompt } = open(askName, () => now);
  const { requestState } = await ask(call, {});
  const given = { inputResponses: REPLIES, requestState };
  const flipped = `${requestState.slice(0, 40)}${requestState[40] === 'A' ? 'B' : 'A'}${requestState.slice(41)}`;
  const bad = [
    await ask(call, { ...given, requestState: `${requestState}-TAMPERED` }),
    await ask(call, { ...given, requestState: flipped }),
    await ask(call, { ...given, requestState: '' }),
    await ask(call, { ...given, requestState: 'AA==' }),
    await ask(call, { ...given, requestState: 7 }),
    await ask(call, { ...given, arguments: { a: 2, b: 2 } }),
    await ask(call, { ...given, name: 'other' }),
    await ask(prompt, given),
    await ask(call, given, asker({ caller: agentCaller('eve') })),
    await ask(call, given, asker({ caller: undefined })),
  ];
  for (const { error } of bad) expect(error).toMatchObject({ code: -32602 });
  expect(await ask(call, given)).toHaveProperty('content');
  now = new Date(now.getTime() + 3_600_000);
  expect(await ask(call, given)).toMatchObject({ error: { code: -32602 } });
});

test.each([
  [FORM, {}, { elicitation: {} }],
  [FORM, { elicitation: { url: {} } }, { elicitation: {} }],
  [{ ...FORM, params: { mode: 'url' } }, { elicitation: {} }, { elicitation: { url: {} } }],
  [{ method: 'sampling/createMessage' } as const, { elicitation: {} }, { sampling: {} }],
  [{ method: 'roots/list' } as const, { roots: null }, { roots: {} }],
])('%j is not asked of a client that declares %j: -32021', async (request, declared, needed) => {
  let couldAsk: boolean | undefined;
  const { call } = open((_params, _context, round) => {
    couldAsk = round.canAsk(request);
    return new InputRequired({ key: request });
  });
  const { error } = await ask(call, {}, asker({ client: client(declared as JsonObject) }));
  expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: needed } });
  expect(couldAsk).toBe(false);
});

test('a client of 2025 is not asked', async () => {
  expect(await ask(open().call, {}, asker({ era: 'legacy' }))).toMatchObject({ error: { code: -32000 } });
});
