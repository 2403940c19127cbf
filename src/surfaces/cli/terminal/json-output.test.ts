// JSON on standard output holds nothing that steers a terminal.
import { expect, test } from 'vitest';
import { toJsonText } from './json-output.ts';

test('toJsonText() holds no character that steers a terminal, and reads back as the same value', () => {
  const value = { text: 'a\u001b[31m\u009b2J\u007f\u202e\u200b\u{e0041}技' };
  const json = toJsonText(value);
  expect(json).not.toMatch(/[\u001b\u007f-\u009f\u202e\u200b]|[\u{e0000}-\u{e007f}]/u);
  expect(json).toContain('技');
  expect(JSON.parse(json)).toEqual(value);
});
