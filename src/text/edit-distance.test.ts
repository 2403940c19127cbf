// How far a typing error is from the word, up to a limit.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';

test.each([
  ['invoice', 'invoice', 0],
  ['invoce', 'invoice', 1],
  ['invoicee', 'invoice', 1],
  ['invoise', 'invoice', 1],
  ['inovice', 'invoice', 1],
  ['invocie', 'invoice', 1],
  ['inovise', 'invoice', 2],
  ['kubernets', 'kubernetes', 1],
  ['', 'ab', 2],
])('%j is %j with %i edits', (typed, meant, edits) => {
  expect(editDistance(typed, meant, 2)).toBe(edits);
  expect(editDistance(meant, typed, 2)).toBe(edits);
});

test.each([
  ['review', 'deploy'],
  ['', 'abc'],
  ['short', 'shortened'],
  ['abcdef', 'badcfe'],
])('%j and %j are further apart than 2', (a, b) => {
  expect(editDistance(a, b, 2)).toBe(3);
});

test('a limit changes no distance below it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.nat(8), (a, b, most) => {
      expect(editDistance(a, b, most)).toBe(Math.min(editDistance(a, b, 100), most + 1));
      expect(editDistance(a, b, most)).toBe(editDistance(b, a, most));
    }),
  );
});
