// NUL and lone surrogates go; all else stays.
import { expect, test } from 'vitest';
import { storableText } from './storable-text.ts';

test.each([
  ['a\0b', 'a\uFFFDb'],
  ['a\uD800b', 'a\uFFFDb'],
  ['\uDC00', '\uFFFD'],
  ['🌱 é\n', '🌱 é\n'],
])('%j becomes %j', (given, expected) => {
  expect(storableText(given)).toBe(expected);
});
