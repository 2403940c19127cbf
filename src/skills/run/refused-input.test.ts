// What a call that is refused costs, and what it leaves in the log: little, whatever it brings (X2, X5).
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agentCaller } from '../../identity/caller.ts';
import { secret } from '../define/secret.ts';
import { openRuntime } from '../fixtures/open-runtime.ts';

const SCHEMA = z.object({
  email: z.string(),
  password: secret(z.string()),
  tags: z.array(z.string()).max(3).optional(),
});
const open = (changes: object = {}) =>
  openRuntime({ input: SCHEMA, output: z.object({}), run: () => ({}), assignedTo: ['UserAgent'], ...changes });
const stranger = agentCaller('someone', ['TaskAgent']);
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'x']));

describe('a caller who is not authorised', () => {
  test('is told for whom the skill is (X5)', async () => {
    const { invoke } = open({ assignedTo: ['UserAgent', 'TaskAgent'] });
    expect(await invoke({ caller: agentCaller('x', ['AIAgent']) })).toMatchObject({
      failure: {
        code: 'UNAUTHORIZED',
        message:
          'Access denied: this agent is not assigned to the skill; it needs one of the roles UserAgent, TaskAgent',
      },
    });
  });

  test('leaves no large input in the log, and nobody looks into it (X2)', async () => {
    const { invoke, log } = open();
    let looks = 0;
    const input: Record<string, unknown> = { email: 'x'.repeat(70_000) };
    Object.defineProperty(input, 'password', {
      enumerable: true,
      get: () => {
        looks += 1;
        return 'hidden';
      },
    });
    expect(await invoke({ caller: stranger, input })).toMatchObject({ failure: { code: 'UNAUTHORIZED' } });
    expect(looks).toBe(0);
    const shown = { not_recorded: 'the call was refused, and its input has more than 64 KB' };
    expect(log.begun.map(({ inputPayload }) => inputPayload)).toEqual([shown]);
    expect(log.ended.map(({ invocation }) => invocation.inputPayload)).toEqual([shown]);
  });

  test('leaves a small one, redacted (X2)', async () => {
    const { invoke, log } = open();
    await invoke({ caller: stranger, input: { email: 'a@b.c', password: 'hidden', pw: 'hidden' } });
    expect(log.begun[0]?.inputPayload).toEqual({ email: 'a@b.c', password: '[redacted]', pw: '[unknown field]' });
  });

  test.each([
    ['deep', () => JSON.parse(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)],
    [
      'a circle',
      () =>
        Object.assign(
          {},
          {
            get self() {
              return this;
            },
          },
        ),
    ],
    ['made of what JSON has no word for', () => ({ a: 5n })],
  ])('brings an input that is %s: it is not recorded', async (_what, inputOf) => {
    const { invoke, log } = open();
    await invoke({ caller: stranger, input: inputOf() });
    expect(log.begun[0]?.inputPayload).toMatchObject({ not_recorded: expect.any(String) });
  });
});

test('whoever is refused takes no place from others, and whoever had one gives it back (X5)', async () => {
  const { invoke } = open({ limits: { atOnce: 1 } });
  const input = { email: 'a@b.c', password: 'x' };
  const codes: string[] = [];
  for (const call of [{ input }, { input: {} }, { input, caller: stranger }, { input }]) {
    const answer = await invoke(call);
    codes.push(answer.success ? 'done' : answer.failure.code);
  }
  expect(codes).toEqual(['done', 'VALIDATION_ERROR', 'UNAUTHORIZED', 'done']);
  const [, second] = await Promise.all([invoke({ input }), invoke({ input })]);
  expect(second).toMatchObject({ failure: { code: 'RATE_EXCEEDED' } });
  expect(await invoke({ input })).toMatchObject({ success: true });
});

describe('an input that is refused', () => {
  test('names twenty unknown fields and counts the others (X5)', async () => {
    const { invoke, log } = open();
    await invoke({ input: fields(1_500) });
    const shown = log.begun[0]?.inputPayload as Record<string, unknown>;
    expect(Object.keys(shown)).toHaveLength(21);
    expect(shown).toMatchObject({ k0: '[unknown field]', k19: '[unknown field]', '…': '1,480 more' });
  });

  test('is not recorded when it is large, and tells a hundred faults and how many more (X5)', async () => {
    const { invoke, log } = open();
    const answer = await invoke({ input: fields(20_000) });
    expect(answer).toMatchObject({
      failure: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/; and 19992 more$/) },
    });
    expect(answer.success ? [] : answer.failure.details?.violations).toHaveLength(100);
    expect(log.begun[0]?.inputPayload).toHaveProperty('not_recorded');
  });

  test.each(['zod', 'JSON Schema'])(
    'with a list that is too long: not one fault per item; others are told (X5, %s)',
    async (form) => {
      const zod = z.object({ tags: z.array(z.object({ a: z.string() })).max(3), n: z.number() });
      const { invoke } = open({ input: form === 'zod' ? zod : z.toJSONSchema(zod) });
      for (const more of [{}, { unknown: 1 }]) {
        const answer = await invoke({ input: { tags: Array.from({ length: 20_000 }, () => 5), ...more } });
        const { message = '' } = answer.success ? {} : answer.failure;
        expect(message).toContain('tags: must have at most 3 items');
        expect(message).toContain('n: is required');
        expect(message).not.toContain('tags[3]');
        expect(message.includes('unknown: is not a known field')).toBe('unknown' in more);
      }
    },
  );

  test('with wrong items without number is not handed to zod (X5)', async () => {
    let looks = 0;
    const input = z.object({ list: z.array(z.string()) }).refine(() => ++looks > 0, { when: () => true });
    const { invoke } = open({ input });
    const list = Array.from({ length: 40_000 }, () => 1);
    for (const more of [{}, { unknown: 1 }]) {
      expect(await invoke({ input: { list, ...more } })).toMatchObject({
        failure: { message: expect.stringMatching(/list\[0\]: must be a string.*; and \d+ more$/) },
      });
    }
    expect(looks).toBe(0);
  });

  test('one that is large and right goes through as it is', async () => {
    const { invoke } = open({
      input: z.object({ list: z.array(z.string()).max(90_000), any: z.union([z.string(), z.array(z.number())]) }),
      output: z.object({ count: z.number() }),
      run: ({ list }: { list: string[] }) => ({ count: list.length }),
    });
    const list = Array.from({ length: 40_000 }, () => 'ab');
    expect(await invoke({ input: { list, any: [1, 2] } })).toMatchObject({ outputPayload: { count: 40_000 } });
  });
});
