// Digests, media types and the limits of the Skills extension.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { digestOf, isTextBytes, MAX_FILES, MAX_SKILL_BYTES, manifestIssues, mediaTypeOf } from './manifest.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x00);

describe('digestOf()', () => {
  test('is sha256: and 64 lower-case digits of the raw bytes (R2)', () => {
    expect(digestOf(bytes(''))).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    // A view into a larger buffer: only its own bytes count.
    const view = new Uint8Array(Buffer.from('xxabcxx')).subarray(2, 5);
    expect(digestOf(view)).toBe(`sha256:${createHash('sha256').update('abc').digest('hex')}`);
  });
});

describe('isTextBytes()', () => {
  test('is true for valid UTF-8 alone (R1)', () => {
    expect(isTextBytes(bytes('é🎉'))).toBe(true);
    expect(isTextBytes(Uint8Array.of(0xc3, 0x28))).toBe(false);
    expect(isTextBytes(Uint8Array.of(0xed, 0xa0, 0x80))).toBe(false);
  });
});

describe('mediaTypeOf()', () => {
  test.each([
    ['SKILL.md', 'text/markdown'],
    ['SKILL.MD', 'text/markdown'],
    ['references/GUIDE.md', 'text/markdown'],
    ['scripts/run.py', 'text/x-python'],
    ['scripts/run.ts', 'text/typescript'],
    ['data.JSON', 'application/json'],
    ['a.tar.gz', 'application/gzip'],
    ['logo.png', 'image/png'],
  ])('knows %s by its extension (R1)', (path, type) => {
    expect(mediaTypeOf(path, PNG)).toBe(type);
  });

  test.each(['LICENSE', '.gitignore', '.md', 'a.unknown', 'v1.md/Makefile', 'x.', 'a.constructor'])(
    'looks at the bytes of %s (R1)',
    (path) => {
      expect(mediaTypeOf(path, bytes('text'))).toBe('text/plain');
      expect(mediaTypeOf(path, bytes('te\0xt'))).toBe('application/octet-stream');
      expect(mediaTypeOf(path, PNG)).toBe('application/octet-stream');
    },
  );
});

describe('manifestIssues()', () => {
  const files = (count: number, size: number) => Array.from({ length: count }, () => ({ size }));

  test('accepts a skill at both limits (R2)', () => {
    expect(manifestIssues(files(MAX_FILES, MAX_SKILL_BYTES / MAX_FILES))).toEqual([]);
  });

  test('warns of too many files and too many bytes, with the figures (R2)', () => {
    const [many, large, ...more] = manifestIssues(files(MAX_FILES + 1, MAX_SKILL_BYTES / MAX_FILES));
    expect(many).toMatchObject({ rule: 'too-many-files', severity: 'warning' });
    expect(many?.message).toContain('513 files');
    expect(large).toMatchObject({ rule: 'skill-too-large', severity: 'warning' });
    expect(large?.message).toContain(String(MAX_SKILL_BYTES + MAX_SKILL_BYTES / MAX_FILES));
    expect(more).toEqual([]);
  });
});
