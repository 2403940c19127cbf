// The quick reader agrees with the YAML library wherever it answers.

import { describe, expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { readPlainFrontmatter } from './plain-frontmatter.ts';
import { readYamlFrontmatter } from './yaml-frontmatter.ts';

describe('readPlainFrontmatter()', () => {
  test('reads what most skills have', () => {
    const block = `name: pdf-forms\r
description: "Fill in forms: read, write # and flatten"\r
license: 'MIT or Apache'

metadata:
  author: Ärzte ohne Grenzen
  version: "1.0"
compatibility: Needs Python 3.11 (see https://example.org/a#b), 変更 🎉
`;
    expect(readPlainFrontmatter(block)).toEqual(readYamlFrontmatter(block));
    expect(readPlainFrontmatter(block)).toEqual({
      fields: {
        name: 'pdf-forms',
        description: 'Fill in forms: read, write # and flatten',
        license: 'MIT or Apache',
        metadata: { author: 'Ärzte ohne Grenzen', version: '1.0' },
        compatibility: 'Needs Python 3.11 (see https://example.org/a#b), 変更 🎉',
      },
    });
  });

  test('gives null-prototype objects all the way down', () => {
    const read = readPlainFrontmatter('a: b\nm:\n  c: d\n');
    const fields = read && 'fields' in read ? read.fields : {};
    expect([Object.getPrototypeOf(fields), Object.getPrototypeOf(fields.m)]).toEqual([null, null]);
  });

  test.each([
    '',
    '\n',
    'a',
    'a:',
    'a: ',
    'a: 1',
    'a: null',
    'a: Null',
    'a: NULL',
    'a: true',
    'a: True',
    'a: TRUE',
    'a: false',
    'a: False',
    'a: FALSE',
    'a: ~',
    'a: b: c',
    'a: b:',
    'a: b #c',
    'a: b\tc',
    'a: b\n c',
    'a: b\n  c',
    'a: b\n  c: d',
    'm:\nb: c',
    'm:\n c: d',
    'm:\n   c: d',
    'm:\n  c:',
    'm:\n  c: d\na: b\n  e: f',
    'm:\n  c: d\n    e',
    '  a: b',
    'a: b\na: c',
    'm:\n  a: b\n  a: c',
    '__proto__: x',
    'a: "b\\n"',
    "a: 'b''c'",
    'a: "b" c',
    'a: "b',
    'a: [b]',
    'a: &b c',
    'a: *b',
    'a: !b c',
    'a: |\n  b',
    'a: >-\n  b',
    '# c\na: b',
    'a: b\n# c',
    '- a',
    '"a": b',
    'a : b',
    'a:b',
    '1: b',
    'a: @b',
    'a: `b`',
    'a: %b',
    'a: -b',
    'a: b\0',
    'a: b\u2028c',
    'a: \uFEFFb',
    'a: b\rc: d',
    'a: b\r',
    '? a',
    '...',
    'a: b\n...\n',
  ])('leaves %j to the full reader', (block) => {
    expect(readPlainFrontmatter(block)).toBeUndefined();
  });

  test('agrees with the YAML library whenever it answers', () => {
    let answered = 0;
    fc.assert(
      fc.property(blocks, (block) => {
        const plain = readPlainFrontmatter(block);
        if (plain === undefined) return;
        answered += 1;
        // Through JSON as well: toEqual() would not see a different order of keys.
        expect(plain).toEqual(readYamlFrontmatter(block));
        expect(JSON.stringify(plain)).toBe(JSON.stringify(readYamlFrontmatter(block)));
      }),
      { numRuns: 3000 },
    );
    expect(answered).toBeGreaterThan(300);
  });

  // The full reader takes a hundred times as long; what a start costs is measured in bench/measures/cold.ts.
  test('reads a typical block by itself', () => {
    const description = `${'Reviews a change and says what to fix. '.repeat(6)}Use it when asked.`;
    const block = `name: code-review\ndescription: ${description}\nlicense: MIT\nmetadata:\n  author: someone\n`;
    expect(readPlainFrontmatter(block)).toMatchObject({
      fields: { name: 'code-review', description, license: 'MIT', metadata: { author: 'someone' } },
    });
  });

  test('takes blanks at the end of a line for what they are: nothing', () => {
    const fields = Object.assign(Object.create(null), { a: 'b', c: 'd' });
    expect(readPlainFrontmatter('a: b  \nc: "d" ')).toEqual({ fields });
  });
});

const special = [
  'null',
  'Null',
  'NULL',
  'nULL',
  'true',
  'True',
  'yes',
  'no',
  'on',
  '~',
  '-',
  '- a',
  '? a',
  '?',
  ':',
  ': a',
  'a:',
  'a: b',
  'a:b',
  'a #b',
  'a#b',
  '#a',
  '.inf',
  '.nan',
  '1',
  '0x1f',
  '0o7',
  '1e3',
  'e1',
  '2024-01-01',
  '[a]',
  '{a}',
  '[',
  ']',
  '{',
  '}',
  ',',
  'a, b',
  '&a',
  '*a',
  '!a',
  '!!str a',
  '|',
  '>',
  '>-',
  '%a',
  '@a',
  '`a`',
  '"a"',
  "'a'",
  '"',
  "'",
  '"a',
  '"a" b',
  '""',
  "''",
  "'it''s'",
  '"a\\n"',
  '\\',
  'a\\',
  '<<',
  '---',
  '...',
  '--- a',
  '=',
  'a\tb',
  '\ta',
  'a ',
  ' a',
  'a\u00a0',
  '\u00a0a',
  'a\u0085b',
  '\u2028',
  '\uFEFF',
  'a\uFEFF',
  '\uFFFE',
  '\uD800',
  'é',
  '日本',
  '🎉',
  '\x7f',
  'a\x07',
  '',
];
const word = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[A-Za-z][A-Za-z ,.()'"/-]{0,20}$/) },
  { weight: 2, arbitrary: fc.constantFrom(...special) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
);
const value = fc.oneof(
  word,
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  fc.tuple(fc.constantFrom('"', "'"), word).map(([quote, text]) => quote + text + quote),
);
const key = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z][a-z-]{0,6}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'null',
      'true',
      'name',
      'a b',
      '"a"',
      '1',
      '__proto__',
      'constructor',
      '<<',
      'y',
      '',
      'é',
    ),
  },
);
const line = fc
  .tuple(
    fc.constantFrom('', '', '', '  ', '  ', ' ', '   ', '\t'),
    key,
    fc.constantFrom(': ', ': ', ': ', ':  ', ':', ' : ', ':\t'),
    value,
  )
  .map((parts) => parts.join(''));
const wildBlock = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: line },
    { weight: 3, arbitrary: key.map((text) => `${text}:`) },
    { weight: 1, arbitrary: value },
    { weight: 1, arbitrary: fc.constant('') },
  ),
  { maxLength: 4 },
);
// Ordinary lines with one value that may be anything: most of these the quick reader must answer or refuse rightly.
const ordinaryLine = fc.tuple(fc.stringMatching(/^[a-z]{3,6}$/), fc.stringMatching(/^[A-Z][a-z ,.()/-]{0,20}[a-z]$/));
const nearlyPlainBlock = fc
  .tuple(fc.array(ordinaryLine, { maxLength: 2 }), value, fc.boolean(), fc.array(ordinaryLine, { maxLength: 2 }))
  .map(([before, odd, nested, after]) => [
    ...before.map((pair) => pair.join(': ')),
    ...(nested ? ['metadata:', '', `  odd: ${odd}`] : [`odd: ${odd}`]),
    ...after.map((pair) => (nested ? '  ' : '') + pair.join(': ')),
  ]);
const blocks = fc
  .tuple(fc.oneof(wildBlock, nearlyPlainBlock), fc.constantFrom('\n', '\n', '\r\n'), fc.boolean())
  .map(([lines, end, ended]) => lines.join(end) + (ended ? end : ''));
