// Values of a JSON text are counted as a parse would give them, without one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasTooManyValues } from './json-values.ts';

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const inner = Object.values(value).reduce((count: number, each) => count + countOf(each), 1);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}

test.each([0, 2])('a text has as many values as a parse gives, with %d blanks (A4)', (blanks) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), (value) => {
      const json = JSON.stringify(value, undefined, blanks);
      const count = countOf(value);
      expect([hasTooManyValues(json, count), hasTooManyValues(json, count - 1)]).toEqual([false, true]);
    }),
  );
});

test('texts hold what looks like values, and quotes behind backslashes', () => {
  const json = JSON.stringify(['[[[{{{,,,:::', '\\', '\\\\"', '"{"a":1}"', 'x\\"y']);
  expect([hasTooManyValues(json, 6), hasTooManyValues(json, 5)]).toEqual([false, true]);
});

test('a text that is no JSON, or ends in the middle, is looked at all the same', () => {
  for (const text of ['"open', '"open\\', '[1,2', '}}}}}}', 'nul', '"'.repeat(9)]) {
    expect(typeof hasTooManyValues(text, 1)).toBe('boolean');
  }
});
