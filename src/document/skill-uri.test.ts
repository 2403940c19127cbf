// Addresses round trip; none of them can be taken for a path.

import { describe, expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { canonicalSkillUri, directoryUri, fileUri, parseSkillUri, skillUri } from './skill-uri.ts';

describe('skillUri(), fileUri(), directoryUri()', () => {
  test('write one address for each thing (R1)', () => {
    expect(skillUri(['acme', 'refunds'])).toBe('skill://acme/refunds/SKILL.md');
    expect(fileUri(['acme', 'refunds'], 'scripts/a b.py')).toBe('skill://acme/refunds/scripts/a%20b.py');
    expect(directoryUri(['acme'])).toBe('skill://acme');
  });

  test('leave only unreserved characters bare (R1)', () => {
    expect(directoryUri(["-._~aZ0!'()*:@&=+$,;?#[]%é🎉"])).toBe(
      'skill://-._~aZ0%21%27%28%29%2A%3A%40%26%3D%2B%24%2C%3B%3F%23%5B%5D%25%C3%A9%F0%9F%8E%89',
    );
  });

  test('do not throw on a folder name that is not valid Unicode', () => {
    expect(directoryUri(['a\uD800'])).toBe('skill://a%EF%BF%BD');
  });
});

test('an address longer or deeper than any path is refused, in whatever spelling, without the work of a look-up', () => {
  for (const uri of [
    `skill://${'a'.repeat(17_000)}`,
    `skill://${'a/'.repeat(300)}b`,
    `skill://${'a/'.repeat(9_000)}%62`,
  ]) {
    expect([parseSkillUri(uri).ok, canonicalSkillUri(uri).ok]).toEqual([false, false]);
  }
});

describe('parseSkillUri()', () => {
  test.each([
    ['skill://a/SKILL.md', ['a', 'SKILL.md']],
    ['skill://a', ['a']],
    ['SKILL://a/b', ['a', 'b']],
    ['skill://%61/%7e/%C3%a9', ['a', '~', 'é']],
    ['skill://é/a b', ['é', 'a b']],
    ["skill://a'(b)!/c:d@e", ["a'(b)!", 'c:d@e']],
    ['skill://a/...', ['a', '...']],
    ['skill://a/%252e%252e', ['a', '%2e%2e']],
    ['skill://a/b%3Fc%23d', ['a', 'b?c#d']],
    ['skill://a/%0A', ['a', '\n']],
  ])('reads %s', (uri, segments) => {
    expect(parseSkillUri(uri)).toEqual({ ok: true, value: segments });
  });

  test.each([
    '',
    'a',
    'skill',
    'skill:',
    'skill:/a',
    'skill:a',
    'skill://',
    'skill:///',
    'file:///etc/passwd',
    'http://a/SKILL.md',
    ' skill://a',
    'xskill://a',
    'skill://a/',
    'skill://a//b',
    'skill:///a',
    'skill://.',
    'skill://..',
    'skill://a/../b',
    'skill://a/./b',
    'skill://a/..',
    'skill://a/%2e%2e/b',
    'skill://a/%2E',
    'skill://a/.%2e/b',
    'skill://a/%2e./b',
    'skill://a/b%2Fc',
    'skill://a/b%2fc',
    'skill://a/..%2f..%2fetc',
    'skill://a\\b',
    'skill://a/..\\b',
    'skill://a/b%00',
    'skill://a/b\0',
    'skill://a/b\n',
    'skill://a/\tb',
    'skill://a/%',
    'skill://a/%4',
    'skill://a/%zz',
    'skill://a/%C3',
    'skill://a/%C0%AE',
    'skill://a/%ED%A0%80',
    'skill://a/%FF',
    'skill://a/\uD800',
    'skill://a?b',
    'skill://a/b?',
    'skill://a#b',
    'skill://a/b#',
  ])('refuses %j with a sentence (R1)', (uri) => {
    const parsed = parseSkillUri(uri);
    expect(parsed).toEqual({ ok: false, failure: expect.stringMatching(/^Cannot use the address .*: .*; write /) });
    expect(canonicalSkillUri(uri)).toEqual(parsed);
  });

  test('shows no control character and no endless text of the address', () => {
    const parsed = parseSkillUri(`skill://\x1b[31m${'x'.repeat(10_000)}`);
    const sentence = parsed.ok ? '' : parsed.failure;
    expect(sentence).not.toMatch(/\p{Cc}/u);
    expect(sentence.length).toBeLessThan(300);
  });

  test('reads back what was built, for any segments', () => {
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const uri = directoryUri(segments);
        expect(uri).toMatch(/^skill:\/\/[\w.~%/-]+$/);
        expect(parseSkillUri(uri)).toEqual({ ok: true, value: segments });
        expect(canonicalSkillUri(uri)).toEqual({ ok: true, value: uri });
      }),
      { numRuns: 500 },
    );
  });

  test('never throws, and gives segments that cannot be taken for a path', () => {
    const piece = fc.constantFrom(
      'skill://',
      'SKILL:',
      '/',
      '//',
      '.',
      '..',
      '%2e',
      '%2F',
      '%5c',
      '%00',
      '%',
      '%C3%A9',
      '\\',
      'a',
      '?',
      '#',
      '\0',
      '\uD800',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const parsed = parseSkillUri(`skill://${pieces.join('')}`);
        if (!parsed.ok) return;
        expect(parsed.value.length).toBeGreaterThan(0);
        for (const part of parsed.value) expect(part).not.toMatch(/^\.{0,2}$|[/\0]/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('canonicalSkillUri()', () => {
  test.each([
    ['skill://a/SKILL.md', 'skill://a/SKILL.md'],
    ['Skill://%61/%53KILL.md', 'skill://a/SKILL.md'],
    ['skill://é', 'skill://%C3%A9'],
    ['skill://%c3%a9', 'skill://%C3%A9'],
    ["skill://a'b", 'skill://a%27b'],
    ['skill://..a/b..', 'skill://..a/b..'],
  ])('gives %s its one spelling', (uri, canonical) => {
    expect(canonicalSkillUri(uri)).toEqual({ ok: true, value: canonical });
  });

  // So long that a pattern that takes the square of it would run for an hour, far beyond the limit of a test.
  test.each(['a', 'a/', './', '%41', '/', '..'])('refuses millions of %j without a long look', (piece) => {
    const uri = `skill://${piece.repeat(4_000_000)}!`;
    expect(canonicalSkillUri(uri)).toMatchObject({
      failure: expect.stringContaining('has more than 16384 characters'),
    });
  });
});

const segment = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 8 })
  .filter((text) => !/^\.{1,2}$|[/\\\0]|\p{Surrogate}/u.test(text));
