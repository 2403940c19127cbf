// No text of a skill breaks a line, a terminal or a limit.

import { describe, expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { toOneLine } from './one-line.ts';

describe('toOneLine()', () => {
  test('returns ordinary text as it is', () => {
    expect(toOneLine('Reviews a pull request; use it when asked.')).toBe('Reviews a pull request; use it when asked.');
    expect(toOneLine('Prüft Änderungen – 变更 🎉')).toBe('Prüft Änderungen – 变更 🎉');
  });

  test.each([
    ['line breaks', 'a\r\n\nb\u2028c\u0085d\ve', 'a b c d e'],
    ['runs of blanks and blanks at the ends', '  a \t b  ', 'a b'],
    ['ANSI colours', '\x1b[31mred\x1b[0m text', 'red text'],
    ['terminal titles', 'a\x1b]0;owned\x07b\x1b]8;;http://x\x1b\\c', 'abc'],
    ['8-bit ANSI escapes', 'a\x9b2Jb', 'ab'],
    ['an unfinished escape', 'a\x1b]0;title', 'a]0;title'],
    ['control characters', 'a\0b\x07c\x7fd', 'abcd'],
    ['bidi controls', 'a\u202Eb\u2066c', 'abc'],
    ['zero-width characters and byte order marks', 'a\u200Bb\uFEFFc\u00ADd', 'abcd'],
    ['tag characters and variation selectors', 'a\u{E0041}b\u{E0101}c\uFE0F', 'abc'],
    ['lone surrogates', 'a\uD800b', 'a\uFFFDb'],
    ['lone surrogates that a hidden character separates', '\uD83C\u200B\uDF89', '\uFFFD\uFFFD'],
  ])('takes care of %s', (_what, text, line) => {
    expect(toOneLine(text)).toBe(line);
  });

  test.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['🎉🎉🎉', 3, '🎉🎉🎉'],
    ['🎉🎉🎉', 2, '🎉…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
  ])('cuts %s at %i code points', (text, max, cut) => {
    expect(toOneLine(text, max)).toBe(cut);
  });

  test('gives one clean line of at most max code points for any text, and is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, max) => {
        const line = toOneLine(text, max);
        expect(Array.from(line).length).toBeLessThanOrEqual(max);
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\u200B-\u200F\u202A-\u202E\u2066-\u2069]/u);
        expect(toOneLine(toOneLine(text))).toBe(toOneLine(text));
      }),
    );
  });

  // So many that a pattern that takes the square of it would run for many minutes, beyond the limit of a test.
  test.each(['\x1b]', '\x1b[', ' ', '\x1b[0', '\u200b ', '\x90'])('reads a million of %j once', (piece) => {
    expect(toOneLine(piece.repeat(1_000_000), 200).length).toBeLessThanOrEqual(200);
  });
});
