// JSON in pieces for colours: nothing is lost, nothing is taken for something else, and much of it is cut.
import { expect, test } from 'vitest';
import { cutText, jsonTokens } from './json-tokens.ts';

const kinds = (json: string) =>
  jsonTokens(json)
    .filter(({ kind }) => kind !== 'mark')
    .map(({ kind, text }) => `${kind} ${text}`);

test('jsonTokens() tells names, texts, numbers and words apart (U8)', () => {
  const json = JSON.stringify({ a: 'x', 'b:"': [-1.5e-7, true, null], c: { d: 'e: 1, true' } }, null, 2);
  expect(kinds(json)).toEqual([
    ...['name "a"', 'text "x"', 'name "b:\\""', 'number -1.5e-7', 'word true', 'word null'],
    ...['name "c"', 'name "d"', 'text "e: 1, true"'],
  ]);
});

test.each([
  '',
  '{}',
  '"never ends',
  '"ends in a backslash\\',
  '{a: <script>alert(1)</script>, "b": nullish}',
  '[1, 2',
  '\u2028"\ud800"',
])('jsonTokens(%j) keeps every character (U8)', (text) => {
  expect(
    jsonTokens(text)
      .map((token) => token.text)
      .join(''),
  ).toBe(text);
});

test('jsonTokens() makes few pieces of brackets and space (U8)', () => {
  expect(jsonTokens(JSON.stringify([[[[1]]]], null, 2)).map(({ kind }) => kind)).toEqual(['mark', 'number', 'mark']);
});

test('cutText() ends with a line where lines are short, and never with half of a character (U8)', () => {
  expect(cutText('short', 10)).toBe('short');
  expect(cutText('[\n  1,\n  2,\n  3\n]', 12)).toBe('[\n  1,\n  2,');
  expect(cutText('x'.repeat(100), 12)).toBe('x'.repeat(12));
  expect(cutText(`${'x'.repeat(11)}😀😀`, 12)).toBe('x'.repeat(11));
});
