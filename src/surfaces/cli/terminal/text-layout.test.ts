// Widths, cutting, wrapping and counting of text.

import { describe, expect, test } from 'vitest';
import fc from '../../../../tests/support/property.ts';
import { cutToWidth, displayWidth, hangingText, padToWidth, wrapText } from './text-layout.ts';

describe('displayWidth', () => {
  test.each([
    ['abc', 3],
    ['技能', 4],
    ['e\u0301', 1],
    ['🎯', 2],
    ['', 0],
  ])('of %j is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('cutToWidth', () => {
  test('leaves alone what fits', () => {
    expect(cutToWidth('abc', 3)).toBe('abc');
  });

  test('marks what was left out', () => {
    expect(cutToWidth('abcdef', 4)).toBe('abc…');
    expect(cutToWidth('ab cdef', 4)).toBe('ab…');
  });

  test('never cuts a wide character in half', () => {
    expect(cutToWidth('技能技能', 4)).toBe('技…');
  });

  test('never exceeds the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
        expect(displayWidth(cutToWidth(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('wrapText', () => {
  test('breaks at spaces', () => {
    expect(wrapText('one two three', 7)).toEqual(['one two', 'three']);
  });

  test('keeps a long word whole on its own line, so that a path can be copied', () => {
    expect(wrapText('see /a/very/long/path now', 8)).toEqual(['see', '/a/very/long/path', 'now']);
  });
});

test('wrapText() keeps what stands in backticks on one line', () => {
  expect(wrapText('write `name: my-skill`, then save', 12)).toEqual(['write', '`name: my-skill`,', 'then save']);
  expect(wrapText('one ` alone', 5)).toEqual(['one `', 'alone']);
});

test('hangingText() indents what follows the first line', () => {
  expect(hangingText('  → ', 'one two three four five six', 26)).toEqual(['  → one two three four', '    five six']);
});

test('padToWidth() fills up by display width', () => {
  expect(padToWidth('技', 4)).toBe('技  ');
});
