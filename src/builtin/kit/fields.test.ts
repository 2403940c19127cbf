// Texts are counted in code points, as given; hosts learn the same limits (B5).
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { limitedText } from './fields.ts';

describe('limitedText (B5)', () => {
  const text = limitedText({ min: 2, max: 4 });
  const faultsOf = (given: unknown) => text.safeParse(given).error?.issues.map(({ message }) => message) ?? [];

  test.each([['ab'], ['abcd'], ['🌱🌱'], ['🌱🌱🌱🌱'], ['e\u0301e\u0301'], ['    ']])('takes %j', (given) => {
    expect(text.parse(given)).toBe(given);
  });

  test.each([
    ['', 'must have at least 2 characters'],
    ['🌱', 'must have at least 2 characters'],
    ['abcde', 'must have at most 4 characters'],
    ['🌱🌱🌱🌱🌱', 'must have at most 4 characters'],
    ['e\u0301e\u0301e', 'must have at most 4 characters'],
    ['x'.repeat(1_000_000), 'must have at most 4 characters'],
  ])('refuses %j', (given, fault) => {
    expect(faultsOf(given)).toEqual([fault]);
  });

  test('publishes the limits', () => {
    const limits = { type: 'string', minLength: 2, maxLength: 4 };
    expect(z.toJSONSchema(text, { io: 'input' })).toMatchObject(limits);
    expect(z.toJSONSchema(text.trim().nullish(), { io: 'input' })).toMatchObject({ anyOf: [limits, { type: 'null' }] });
    expect(z.toJSONSchema(limitedText({ max: 4 }))).not.toHaveProperty('minLength');
  });
});
