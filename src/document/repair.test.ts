// What is repaired in bad frontmatter, and what is left alone.
import { describe, expect, test } from 'vitest';
import { REPAIRED_PIECES } from './fixtures/hostile-texts.ts';
import { repairFrontmatter } from './repair.ts';
import { readYamlFrontmatter } from './yaml-frontmatter.ts';

const repairedFields = (block: string): unknown => {
  expect(readYamlFrontmatter(block), 'only what YAML refuses is repaired').toHaveProperty('error');
  const repair = repairFrontmatter(block);
  return repair && readYamlFrontmatter(repair.block);
};

describe('repairFrontmatter()', () => {
  test.each([
    ['a colon', 'description: Use when: the user asks', 'Use when: the user asks', 'unquoted-colon'],
    ['a colon at the end', 'description: Use it for:', 'Use it for:', 'unquoted-colon'],
    ['a colon and double quotes', 'description: Say "hi": now', 'Say "hi": now', 'unquoted-colon'],
    ['a colon and both quotes', `description: It's "hi": now`, `It's "hi": now`, 'unquoted-colon'],
    ['a colon and a backslash', 'description: C:\\x: a path', 'C:\\x: a path', 'unquoted-colon'],
    [
      'a colon in a text over several lines',
      'description: Use when\n  asked: always\n  and ever',
      'Use when asked: always and ever',
      'unquoted-colon',
    ],
    ['an at sign', 'description: @mentions people', '@mentions people', 'unquoted-value'],
    ['a backtick', 'description: `git` for all', '`git` for all', 'unquoted-value'],
    ['a percent sign', 'description: %d is formatted', '%d is formatted', 'unquoted-value'],
    ['a bracket', 'description: [draft] Reviews: a text, twice', '[draft] Reviews: a text, twice', 'unquoted-value'],
    ['a brace', 'description: {name} is greeted', '{name} is greeted', 'unquoted-value'],
    ['a star', 'description: *Always* use it', '*Always* use it', 'unquoted-value'],
    ['a quoted word', 'description: "Foo" is made', '"Foo" is made', 'unquoted-value'],
  ])('quotes a value with %s', (_what, block, description, rule) => {
    expect(repairedFields(`name: x\n${block}\nlicense: MIT\n`)).toEqual({
      fields: { name: 'x', description, license: 'MIT' },
    });
    const [issue, ...more] = repairFrontmatter(`name: x\n${block}\nlicense: MIT\n`)?.issues ?? [];
    expect(issue).toMatchObject({ rule, severity: 'warning', line: 3 });
    expect(more).toEqual([]);
  });

  test('says the line to write', () => {
    expect(repairFrontmatter('description: Use when: asked\r\n')?.issues[0]?.fix).toBe(
      'Write it in quotes: description: "Use when: asked"',
    );
  });

  test('indents with spaces what was indented with tabs', () => {
    const block = 'metadata:\n\tauthor: me\n\tversion: "1"\n';
    expect(repairedFields(block)).toEqual({ fields: { metadata: { author: 'me', version: '1' } } });
    expect(repairFrontmatter(block)?.issues.map(({ rule, line }) => [rule, line])).toEqual([
      ['tab-indentation', 3],
      ['tab-indentation', 4],
    ]);
  });

  test('keeps the lines behind a folded value where they were', () => {
    const block = 'description: a: b\n  c\n  d\nlicense: e: f\n';
    expect(repairFrontmatter(block)?.issues.map(({ line }) => line)).toEqual([2, 5]);
  });

  test.each([
    ['comments with a colon', 'a: b # c: d'],
    ['values in quotes', 'a: "b: c"'],
    ['lists with a comment', 'a: [b, c] # d: e'],
    ['block scalars', 'description: |\n  a: b: c\n'],
    ['anchors, aliases and tags', 'a: &b c\nd: *b # x\ne: !f g: h'],
    ['maps that were begun wrongly', 'metadata: a: b\n  c: d'],
    ['nested lines', 'm:\n  a: b: c'],
    ['lists', 'a: - b: c'],
  ])('leaves %s alone', (_what, block) => {
    expect(repairFrontmatter(block)).toBeUndefined();
  });

  test('gives up where nearly everything would need repair', () => {
    expect(repairFrontmatter('a: b: c\n'.repeat(21))).toBeUndefined();
  });

  /** As the whole value, behind a bracket, and in the lines of a description; where nothing is said, nothing is repaired. */
  const repairs: Partial<Record<string, readonly (readonly string[])[]>> = {
    ': ': [['unquoted-colon 2'], [], ['unquoted-colon 2']],
    '] ': [[], ['unquoted-value 2'], []],
    '{}': [['unquoted-value 2'], [], []],
  };

  // How the time grows with the length is measured in bench/measures/growth.ts.
  test.each(REPAIRED_PIECES)('has an answer for a million of %j', (piece) => {
    const blocks = [`a: ${piece.repeat(1_000_000)}`, `a: [${piece.repeat(1_000_000)}`];
    blocks.push(`description: x\n${` ${piece}y\n`.repeat(50_000)}`);
    const found = blocks.map(
      (block) => repairFrontmatter(block)?.issues.map(({ rule, line }) => `${rule} ${line}`) ?? [],
    );
    expect(found).toEqual(repairs[piece] ?? [[], [], []]);
  });
});
