// Nothing that steers a terminal gets there: JSON escapes it, a document shows it.
import { expect, test } from 'vitest';
import { toJsonText, toVisibleText } from './safe-text.ts';

test('toJsonText() holds no character that steers a terminal, and reads back as the same value', () => {
  const value = { text: 'a\u001b[31m\u009b2J\u007f\u202e\u200b\u{e0041}技' };
  const json = toJsonText(value);
  expect(json).not.toMatch(/[\u001b\u007f-\u009f\u202e\u200b]|[\u{e0000}-\u{e007f}]/u);
  expect(json).toContain('技');
  expect(JSON.parse(json)).toEqual(value);
});

test('toVisibleText() shows what would steer a terminal', () => {
  expect(toVisibleText('a\u001b[31mred\u0007\u009b2J\u202eb\u{e0041}')).toBe(
    'a\\x1b[31mred\\x07\\x9b2J\\u{202e}b\\u{e0041}',
  );
});

test('toVisibleText() leaves newlines, tabs and text of any script alone', () => {
  expect(toVisibleText('# 技能\n\tété 🎯\r\nend')).toBe('# 技能\n\tété 🎯\nend');
});

test('toVisibleText() shows a carriage return that could overwrite a line', () => {
  expect(toVisibleText('safe\revil')).toBe('safe\\x0devil');
});
