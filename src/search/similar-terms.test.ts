// How far a typing error is from the word.
import { expect, test } from 'vitest';
import { editsBetween } from './similar-terms.ts';

test.each([
  ['invoice', 'invoice', 0],
  ['invoce', 'invoice', 1],
  ['invoicee', 'invoice', 1],
  ['invoise', 'invoice', 1],
  ['inovice', 'invoice', 1],
  ['invocie', 'invoice', 1],
  ['inovise', 'invoice', 2],
  ['kubernets', 'kubernetes', 1],
])('%s is %s with %i edits', (typed, meant, edits) => {
  expect(editsBetween(typed, meant, 2)).toBe(edits);
  expect(editsBetween(meant, typed, 2)).toBe(edits);
});

test.each([
  ['review', 'deploy'],
  ['', 'abc'],
  ['short', 'shortened'],
])('%j and %j are too far apart', (a, b) => {
  expect(editsBetween(a, b, 2)).toBe(3);
});
