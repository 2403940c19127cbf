// Texts about the same thing share telling words, in whatever form.
import { expect, test } from 'vitest';
import { likeness, tellingWords } from './telling-words.ts';

const alike = (one: string, other: string) => likeness(tellingWords(one), tellingWords(other));

test.each([
  ['Writing the release notes', 'write release note', 1],
  ['Find a flat', 'Find a flat in Graz with a balcony', 1],
  ['Pay the rent', 'Find a flat', 0],
  ['the and of', 'the and of', 0],
  ['', 'Find a flat', 0],
])('%j and %j: %d', (one, other, expected) => {
  expect(alike(one, other)).toBe(expected);
});

test('a text of any length is read in a bounded time', () => {
  expect(tellingWords('word '.repeat(1_000_000)).size).toBe(1);
});
