// How names compare, which look alike, which are refused.

import { describe, expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { compareCodePoints, lookAlikeSkeleton, nameIssues, normaliseName } from './names.ts';

describe('normaliseName()', () => {
  test('trims and ignores letter case (D5)', () => {
    expect(normaliseName('  My Skill\t')).toBe('my skill');
    expect(normaliseName('ÄRGER')).toBe('ärger');
  });
});

describe('compareCodePoints()', () => {
  test('puts an emoji after U+FF21, unlike UTF-16 order', () => {
    expect(compareCodePoints('\u{1F389}', '\uFF21')).toBe(1);
    expect('\u{1F389}' < '\uFF21').toBe(true);
  });

  test('puts a prefix first and equal texts together', () => {
    expect(compareCodePoints('ab', 'abc')).toBe(-1);
    expect(compareCodePoints('abc', 'ab')).toBe(1);
    expect(compareCodePoints('abc', 'abc')).toBe(0);
  });

  test('agrees with comparing lists of code points', () => {
    const unit = fc.constantFrom('a', 'b', '\uD83C', '\uDF89', '\uDF8A', '\uE000', '\uFFFF', '\u{1F389}');
    const text = fc.string({ unit, maxLength: 6 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(compareCodePoints(a, b)).toBe(compareLists(codePoints(a), codePoints(b)));
      }),
    );
  });
});

const codePoints = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);

const compareLists = (a: readonly number[], b: readonly number[]): number => {
  const index = a.findIndex((point, at) => point !== b[at]);
  if (index < 0) return Math.sign(a.length - b.length);
  const other = b[index];
  return other === undefined ? 1 : Math.sign((a[index] ?? 0) - other);
};

describe('lookAlikeSkeleton()', () => {
  test.each([
    ['Cyrillic letters', 'сode-rеviеw', 'code-review'],
    ['Cyrillic capitals', 'ВАТСН', 'batch'],
    ['Greek letters', 'dοcs', 'docs'],
    ['full-width letters', 'ｐｄｆ', 'pdf'],
    ['dotless and script letters', 'gıt-ɡrep', 'git-grep'],
    ['mathematical letters', '𝐩𝐝𝐟', 'pdf'],
    ['zero-width characters', 'p\u200Bdf', 'pdf'],
    ['letter case', 'PDF', 'pdf'],
  ])('sees through %s (D5)', (_what, name, skeleton) => {
    expect(lookAlikeSkeleton(name)).toBe(skeleton);
  });

  test('keeps apart what the eye keeps apart', () => {
    const names = ['cafe', 'café', 'v1', 'vl', 'deploy', 'de-ploy', 'prüfen', '部署'];
    expect(new Set(names.map(lookAlikeSkeleton)).size).toBe(names.length);
  });
});

describe('nameIssues()', () => {
  test.each([
    'my-skill',
    'My Skill',
    'C++ (advanced): tips & tricks!',
    'приклад',
    '部署',
    'مهارة',
    'कौशल',
    'git/rebase',
    'v1..2',
    '...',
    'a.b',
    '🎉 party',
    '<b>',
    '__proto__',
    'C:',
    '~',
  ])('allows %s (D3)', (name) => {
    expect(nameIssues(name)).toEqual([]);
  });

  test.each([
    ['a line break', 'a\nb', 'U+000A'],
    ['an escape', 'a\x1b[31m', 'U+001B'],
    ['a C1 control', 'a\x9bb', 'U+009B'],
    ['a zero-width space', 'a\u200Bb', 'U+200B'],
    ['a joiner, in emoji too', '\u{1F468}\u200D\u{1F469}', 'U+200D'],
    ['a right-to-left override', 'a\u202Eb', 'U+202E'],
    ['a soft hyphen', 'a\u00ADb', 'U+00AD'],
    ['a variation selector', 'a\uFE0F', 'U+FE0F'],
    ['a tag character', 'a\u{E0041}', 'U+E0041'],
    ['a Hangul filler', 'a\u3164', 'U+3164'],
    ['a lone surrogate', 'a\uD800', 'U+D800'],
    ['a line separator', 'a\u2028b', 'U+2028'],
  ])('refuses %s, names the character and shows none of it (D3)', (_what, name, code) => {
    const [issue] = nameIssues(name);
    expect(issue).toMatchObject({ rule: 'name-hidden-character', severity: 'error' });
    expect(issue?.message).toContain(code);
    expect(issue?.message).not.toMatch(/[\p{Cc}\p{Cf}\p{Surrogate}]/u);
  });

  test.each(['a\\b', '/etc/passwd', '..', '../x', 'a/../b', 'a/..', '.', 'skill://a/SKILL.md', 'SKILL://a'])(
    'refuses %s, which reads as a path (D3)',
    (name) => {
      expect(nameIssues(name).map(({ rule, severity }) => [rule, severity])).toEqual([['name-like-path', 'error']]);
    },
  );

  test('refuses a name that no list could show, and counts characters, not UTF-16 units (D3)', () => {
    expect(nameIssues('😀'.repeat(256))).toEqual([]);
    expect(nameIssues('x'.repeat(257)).map(({ rule }) => rule)).toEqual(['name-too-long']);
  });
});
