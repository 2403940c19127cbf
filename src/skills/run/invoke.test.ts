// One call: answered, recorded, or refused in the contract's order (X2, X3, X5).
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agentCaller } from '../../identity/caller.ts';
import { openRuntime } from '../fixtures/open-runtime.ts';
import type { InvokeRequest } from './active-invocation.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('a call that succeeds', () => {
  test('answers the output and is in the log from running to completed (X2, X3)', async () => {
    const { invoke, log } = openRuntime();
    const answer = await invoke({ agent: 'TaskAgent', correlationId: '550E8400-E29B-41D4-A716-446655440001' });
    expect(answer).toEqual({
      invocationId: expect.stringMatching(UUID),
      correlationId: '550e8400-e29b-41d4-a716-446655440001',
      success: true,
      outputPayload: { text: 'hi' },
      durationMs: expect.any(Number),
      timestamp: expect.any(Date),
    });
    const facts = {
      id: answer.invocationId,
      skillName: 'echo',
      inputPayload: { text: 'hi' },
      invokingAgent: 'TaskAgent',
      // Of the caller, whatever name the log is to use.
      ownerKey: 'operator:local',
      correlationId: '550e8400-e29b-41d4-a716-446655440001',
      timestamp: expect.any(Date),
    };
    expect(log.begun).toEqual([{ ...facts, status: 'running' }]);
    const { correlationId: _id, ...result } = answer;
    expect(log.ended).toEqual([{ invocation: { ...facts, status: 'completed' }, result }]);
  });

  test('has one moment of its begin, taken before it runs (X2)', async () => {
    let second = 0;
    const now = () => new Date(Date.UTC(2026, 0, 1, 0, 0, second++));
    const run = () => ({ text: String(now().getUTCSeconds()) });
    const { invoke, log } = openRuntime({ run }, { now });
    const answer = await invoke();
    expect(log.begun[0]?.timestamp.getUTCSeconds()).toBe(0);
    expect(log.ended[0]?.invocation.timestamp.getUTCSeconds()).toBe(0);
    expect(answer).toMatchObject({ outputPayload: { text: '1' }, timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, 2)) });
  });

  test('gets a correlation id and an agent’s name when none come', async () => {
    const { invoke, log } = openRuntime();
    expect((await invoke()).correlationId).toMatch(UUID);
    expect(log.begun[0]?.invokingAgent).toBe('local');
  });

  test('takes a missing input for an empty one', async () => {
    const { runtime } = openRuntime({ input: z.object({}), run: () => ({ text: 'nothing needed' }) });
    expect(await runtime.invoke({ name: 'echo' })).toMatchObject({ success: true });
  });

  test.each([
    ['a'.repeat(70), 'a'.repeat(64)],
    ['😀'.repeat(70), '😀'.repeat(64)],
    ['bad\ud800\0\u202ename', 'badname'],
    ['\n', 'unknown'],
    [`rpo_${'x'.repeat(43)}`, '[redacted]'],
    [5 as never, '5'],
  ])('records the agent %j as %j (X2)', async (agent, recorded) => {
    const { invoke, log } = openRuntime();
    await invoke({ agent });
    expect(log.begun[0]?.invokingAgent).toBe(recorded);
  });

  test('measures by a clock that never goes back, whatever the date does (F12)', async () => {
    const dates = [new Date(5_000), new Date(1_000)];
    let elapsed = 10;
    const { invoke } = openRuntime({}, { now: () => dates.shift() ?? new Date(0), monotonicMs: () => (elapsed += 2) });
    const answer = await invoke();
    expect(answer.durationMs).toBeGreaterThan(0);
    expect(Number.isInteger(answer.durationMs)).toBe(true);
  });
});

describe('a call that is refused', () => {
  const refused = { limits: { perMinute: 1 }, assignedTo: ['TaskAgent'] };

  test('authorises first, limits second, validates third, and records each as failed (X2)', async () => {
    const { invoke, log } = openRuntime(refused);
    const bad = { input: { text: 5 }, correlationId: 'nonsense' };
    const codeOf = async (request: Partial<InvokeRequest>) => {
      const answer = await invoke(request);
      return answer.success ? 'none' : answer.failure.code;
    };
    expect(await codeOf({ ...bad, caller: agentCaller('AIAgent') })).toBe('UNAUTHORIZED');
    expect(await codeOf({ ...bad, caller: agentCaller('TaskAgent') })).toBe('VALIDATION_ERROR');
    expect(await codeOf({ ...bad, caller: agentCaller('TaskAgent') })).toBe('RATE_EXCEEDED');
    expect(log.ended.map(({ invocation }) => invocation.status)).toEqual(['failed', 'failed', 'failed']);
  });

  test('names every violation with its path (X5)', async () => {
    const { invoke } = openRuntime({ input: z.object({ a: z.string(), b: z.array(z.object({ c: z.number() })) }) });
    expect(await invoke({ input: { b: [{ c: 1 }, { c: 'x', d: 1 }] } })).toMatchObject({
      failure: {
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(
          /^Input validation failed: b\[1\]\.d: is not a known field; a: is required; b\[1\]\.c: /,
        ),
        details: { violations: [{ path: 'b[1].d' }, { path: 'a' }, { path: 'b[1].c' }] },
      },
    });
  });

  test.each(['', 'x', '550e8400e29b41d4a716446655440001', '550e8400-e29b-41d4-a716-44665544000g'])(
    'for the correlation id %j is recorded under a made one (X2)',
    async (correlationId) => {
      const { invoke, log } = openRuntime();
      const answer = await invoke({ correlationId });
      expect(answer).toMatchObject({
        failure: { code: 'VALIDATION_ERROR', details: { violations: [{ path: 'correlation_id' }] } },
      });
      expect(answer.correlationId).toMatch(UUID);
      expect(log.ended[0]?.invocation.correlationId).toBe(answer.correlationId);
    },
  );

  test('is not recorded when nobody has heard of the skill (X2)', async () => {
    const { invoke, log } = openRuntime();
    expect(await invoke({ name: 'nothing\u001b' })).toMatchObject({
      failure: { code: 'NOT_FOUND', message: 'Resource not found: skill "nothing\\u001b"' },
    });
    expect(await invoke({ name: '__proto__' })).toMatchObject({ failure: { code: 'NOT_FOUND' } });
    expect(log.begun).toEqual([]);
  });

  test('for an input that cannot be held is recorded without it', async () => {
    const { invoke, log } = openRuntime();
    const circle: Record<string, unknown> = {};
    circle.text = circle;
    const thrower = Object.defineProperty({}, 'text', {
      enumerable: true,
      get: () => {
        throw new Error('gotcha');
      },
    });
    for (const input of [{ text: 'x'.repeat(2_000_000) }, circle, 'text', [1]]) {
      expect(await invoke({ input })).toMatchObject({ failure: { code: 'VALIDATION_ERROR' } });
    }
    expect(await invoke({ input: thrower })).toMatchObject({ failure: { code: 'INTERNAL_ERROR', details: undefined } });
    for (const { invocation } of log.ended)
      expect(invocation.inputPayload).toMatchObject({ not_recorded: expect.any(String) });
  });

  test('for being one too many at once gives the place back afterwards', async () => {
    let finish = () => {};
    const { invoke } = openRuntime({
      limits: { atOnce: 1 },
      run: () => new Promise((resolve) => (finish = () => resolve({ text: 'done' }))),
    });
    const first = invoke();
    expect(await invoke()).toMatchObject({ failure: { code: 'RATE_EXCEEDED', details: { retry_after: 1 } } });
    finish();
    expect((await first).success).toBe(true);
    const second = invoke();
    await new Promise((resolve) => setImmediate(resolve));
    finish();
    expect((await second).success).toBe(true);
  });
});

test('calls that return one object answer and log what it held when each of them ended (X3)', async () => {
  const shared = { text: '', list: [''] };
  const output = {
    type: 'object',
    properties: { text: { type: 'string' }, list: { type: 'array', items: { type: 'string' } } },
  };
  const run = async ({ text }: { readonly text: string }) => {
    // The later call changes the object at every moment of the one before.
    for (let turn = 0; turn < Number(text); turn++) await undefined;
    shared.text = text;
    shared.list[0] = text;
    return shared;
  };
  const { invoke, log } = openRuntime({ output, run });
  const texts = Array.from({ length: 12 }, (_, turn) => String(turn));
  const answers = await Promise.all(texts.map((text) => invoke({ input: { text } })));
  const outputs = answers.map((answer) => answer.success && answer.outputPayload);
  expect(new Set(outputs).size).toBe(12);
  expect(outputs[0]).not.toEqual(outputs[11]);
  const logged = answers.map(({ invocationId }) => log.ended.find(({ invocation }) => invocation.id === invocationId));
  expect(logged.map((entry) => entry?.result.success && entry.result.outputPayload)).toEqual(outputs);
});
