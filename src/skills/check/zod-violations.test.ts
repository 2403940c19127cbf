// What zod finds is told in our words, and an author's own messages stay (X5).
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { OUR_WORDS, violationsOf } from './zod-violations.ts';

const faultsOf = (schema: z.ZodType, value: unknown) =>
  violationsOf(schema.safeParse(value, OUR_WORDS).error?.issues ?? []).map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );

test.each<[z.ZodType, unknown, string]>([
  [z.string(), 5, 'must be a string'],
  [z.number(), 'x', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.null(), 1, 'must be null'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.object({}), [], 'must be an object'],
  [z.record(z.string(), z.string()), [], 'must be an object'],
  [z.object({ a: z.string() }), {}, 'a: is required'],
  [z.number().max(5), 6, 'must be at most 5'],
  [z.number().lt(5), 5, 'must be less than 5'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.number().gt(1), 1, 'must be more than 1'],
  [z.string().max(2), 'abc', 'must have at most 2 characters'],
  [z.string().min(2), 'a', 'must have at least 2 characters'],
  [z.string().length(2), 'a', 'must have exactly 2 characters'],
  [z.array(z.string()).min(1), [], 'must have at least 1 item'],
  [z.array(z.string()).max(0), ['a'], 'must have at most 0 items'],
  [z.number().multipleOf(5), 6, 'must be a multiple of 5'],
  [z.enum(['a', 'b']), 'c', 'must be "a" or "b"'],
  [z.literal(1), 2, 'must be 1'],
  [z.uuid(), 'x', 'must be a valid uuid'],
  [z.iso.datetime(), 'x', 'must be a valid date-time'],
  [z.string().regex(/^a$/), 'x', 'must match the pattern /^a$/'],
  [z.string().startsWith('a'), 'x', 'must start with "a"'],
  [z.string().endsWith('a'), 'x', 'must end with "a"'],
  [z.string().includes('a'), 'x', 'must contain "a"'],
  [z.strictObject({}), { a: 1 }, 'a: is not a known field'],
  [z.record(z.enum(['a']), z.string()).optional(), { b: 'x', a: 'x' }, 'b: is not a known field'],
  [z.record(z.string().min(3), z.string()), { b: 'x' }, 'b: has a name that is not allowed'],
  [z.union([z.string(), z.number()]), true, 'must be a string'],
  [z.discriminatedUnion('k', [z.object({ k: z.literal('a') })]), { k: 'b' }, 'k: '],
  [z.never(), 1, 'must be left out'],
  [z.string().refine(() => false), 'x', 'is not valid'],
])('%#: %j', (schema, value, expected) => {
  const [first = '', ...others] = faultsOf(schema, value);
  expect(others).toEqual([]);
  expect(first.startsWith(expected)).toBe(true);
  expect(first).not.toMatch(/Invalid|expected|received|Too /);
});

test('counts one thing as one', () => {
  expect(faultsOf(z.string().min(1), '')).toEqual(['must have at least 1 character']);
  expect(faultsOf(z.array(z.string()).max(1), ['a', 'b'])).toEqual(['must have at most 1 item']);
});

describe('an author', () => {
  test('says it in other words where they want to', () => {
    expect(faultsOf(z.string({ error: 'a text, please' }), 1)).toEqual(['a text, please']);
    expect(faultsOf(z.string().min(3, { error: 'longer' }), 'a')).toEqual(['longer']);
    expect(
      faultsOf(
        z.string().refine(() => false, 'no'),
        'a',
      ),
    ).toEqual(['no']);
  });
});

test('of very many a hundred are told, the others counted', () => {
  const faults = faultsOf(
    z.array(z.string()),
    Array.from({ length: 1_000 }, () => 1),
  );
  expect(faults).toHaveLength(1_000);
  expect(faults.filter((text) => text !== '')).toHaveLength(100);
});
