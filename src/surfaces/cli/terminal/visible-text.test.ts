// What would steer a terminal is shown instead.
import { expect, test } from 'vitest';
import { toVisibleText } from './visible-text.ts';

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
