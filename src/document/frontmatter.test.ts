// Where a frontmatter block starts and ends, and what is refused before YAML sees it.
import { describe, expect, test } from 'vitest';
import { findFrontmatter, MAX_FRONTMATTER_BYTES, openYamlReader } from './frontmatter.ts';

describe('findFrontmatter()', () => {
  test.each([
    ['LF', '---\na: b\n---\nbody', 'a: b\n', 'body'],
    ['CRLF', '---\r\na: b\r\n---\r\nbody', 'a: b\r\n', 'body'],
    ['a byte order mark', '\uFEFF---\na: b\n---\nbody', 'a: b\n', 'body'],
    ['blanks behind the fences', '--- \t\na: b\n---  \nbody', 'a: b\n', 'body'],
    ['no body and no last line end', '---\na: b\n---', 'a: b\n', ''],
    ['no fields', '---\n---\nbody', '', 'body'],
    [
      'longer dashes inside',
      '---\na: b\n----\n---x\n ---\n---\nbody\n---\n',
      'a: b\n----\n---x\n ---\n',
      'body\n---\n',
    ],
  ])('finds the block with %s (D3)', (_what, text, block, body) => {
    const found = findFrontmatter(text);
    expect(found.ok && [found.value.block, text.slice(found.value.bodyOffset)]).toEqual([block, body]);
  });

  test.each([
    ['empty', ''],
    ['empty', ' \n\t\r\n\uFEFF'],
    ['frontmatter-missing', '# Title\n'],
    ['frontmatter-missing', '\n---\na: b\n---\n'],
    ['frontmatter-missing', ' ---\na: b\n---\n'],
    ['frontmatter-missing', '----\na: b\n----\n'],
    ['frontmatter-unclosed', '---\na: b\n'],
    ['frontmatter-unclosed', '---'],
    ['frontmatter-unclosed', '---\na: b\n ---\n--- # no\n'],
    ['frontmatter-too-large', `---\na: ${'x'.repeat(MAX_FRONTMATTER_BYTES)}\n---\n`],
    ['frontmatter-too-large', `---\na: ${'ü'.repeat(MAX_FRONTMATTER_BYTES / 2)}\n---\n`],
  ])('reports %s (D3)', (rule, text) => {
    const found = findFrontmatter(text);
    expect(found.ok ? undefined : found.failure).toMatchObject({ rule, severity: 'error' });
  });

  test('takes a block of exactly the largest size', () => {
    const block = `a: ${'x'.repeat(MAX_FRONTMATTER_BYTES - 4)}\n`;
    expect(findFrontmatter(`---\n${block}---\n`).ok).toBe(true);
  });

  test.each(['---js', '---toml', '---json', '--- !js', '---coffee\x1b[31m'])(
    'does not take %s for frontmatter, and says so',
    (fence) => {
      const found = findFrontmatter(`${fence}\nmodule.exports = process.exit(1)\n---\n`);
      const issue = found.ok ? undefined : found.failure;
      expect(issue).toMatchObject({ rule: 'frontmatter-missing', line: 1 });
      expect(issue?.message).toContain('only YAML');
      expect(issue?.message).not.toMatch(/\p{Cc}/u);
    },
  );

  // So many that looking from each of them to the end, a square, would take an hour: far beyond the limit of a test.
  test.each(['---x\n', '--- \t'])('looks through millions of near-fences of %j once', (piece) => {
    expect(findFrontmatter(`---\n${piece.repeat(2_000_000)}`).ok).toBe(false);
  });
});

describe('openYamlReader()', () => {
  test('gives a reader of the full YAML', async () => {
    const read = await openYamlReader();
    expect(read('a: [1, two]')).toEqual({ fields: { a: [1, 'two'] } });
  });
});
