// Outputs are measured as JSON will have them, and never written when they are too large.
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { writeOutput } from './json-output.ts';

const limits = { maxBytes: 1_000, maxDepth: 8, maxValues: 1_000, advice: 'return fewer' };

afterEach(() => void vi.restoreAllMocks());

test('JSON within the limits is written as it is; what is larger is refused', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), (value) => {
      const json = JSON.stringify(value);
      const bytes = Buffer.byteLength(json);
      const fault = 'is larger than 1000 bytes of JSON';
      expect(writeOutput(value, limits)).toEqual(bytes <= limits.maxBytes ? { json, bytes } : { fault });
    }),
  );
});

test('what is held many times over is refused without being written (A4)', () => {
  const stringify = vi.spyOn(JSON, 'stringify');
  const text = 'x'.repeat(100);
  expect(writeOutput(Array(1_000_000).fill(text), limits)).toHaveProperty('fault');
  expect(stringify).not.toHaveBeenCalled();
});

test.each([
  ['items', Array(60).fill([])],
  ['items within items', Array(8).fill(Array(6).fill(0))],
  ['fields', Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`k${index}`, 0]))],
])('as many %s as JSON has room for are refused by their number, without being written (A4)', (_what, value) => {
  const stringify = vi.spyOn(JSON, 'stringify');
  expect(writeOutput(value, { ...limits, maxValues: 50 })).toEqual({
    fault: 'has more than 50 values (field names count, too); return fewer',
  });
  expect(stringify).not.toHaveBeenCalled();
});

test.each([
  ['as deep as permitted', 8, true],
  ['deeper', 9, false],
])('a value that is %s', (_how, depth, fits) => {
  let value: unknown = 1;
  for (let count = 0; count < depth; count++) value = [value];
  expect('json' in writeOutput(value, limits)).toBe(fits);
});
