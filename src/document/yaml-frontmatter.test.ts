// Full YAML within limits: values, refusals with their line, and hostile blocks.

import { describe, expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { hostileBlocks } from './fixtures/hostile-texts.ts';
import { MAX_FRONTMATTER_BYTES } from './frontmatter.ts';
import { readYamlFrontmatter } from './yaml-frontmatter.ts';

describe('readYamlFrontmatter()', () => {
  test('reads the YAML that skills have as JSON values', () => {
    const block = `# a comment
name: pdf
description: >-
  Two lines
  folded
tools: [Read, "Grep"]
metadata: { version: 1.0, stable: yes, draft: false, none: ~, date: 2024-01-31 }
text: |
  a
   b
`;
    expect(readYamlFrontmatter(block)).toEqual({
      fields: {
        name: 'pdf',
        description: 'Two lines folded',
        tools: ['Read', 'Grep'],
        metadata: { version: 1, stable: 'yes', draft: false, none: null, date: '2024-01-31' },
        text: 'a\n b\n',
      },
    });
  });

  test.each([
    ['nothing', '', {}],
    ['comments only', '# x\n', {}],
    ['keys as written', '1.0: a\nnull: b\ntrue: c\n? d\n', { '1.0': 'a', null: 'b', true: 'c', d: null }],
    [
      'infinities and NaN as written, for JSON has none',
      'a: .inf\nb: -.INF\nc: .nan\nd: 1e999',
      { a: '.inf', b: '-.INF', c: '.nan', d: '1e999' },
    ],
    ['a merge key as an ordinary field', 'a: &a { b: 1 }\n<<: *a', { a: { b: 1 }, '<<': { b: 1 } }],
    [
      'aliases, each as its anchor stood',
      'a: &x [&y 1]\nb: *x\nc: *y\nd: &y 2\ne: *x\nf: *y',
      { a: [1], b: [1], c: 1, d: 2, e: [1], f: 2 },
    ],
    ['an alias as a key', 'a: &k b\n*k : c', { a: 'b', b: 'c' }],
    ['core tags', 'a: !!str 1\nb: !!int "2"', { a: '1', b: 2 }],
    ['CRLF', 'a: b\r\nc: "d"\r\n', { a: 'b', c: 'd' }],
  ])('reads %s', (_what, block, fields) => {
    expect(readYamlFrontmatter(block)).toEqual({ fields });
  });

  test('keeps __proto__ and constructor as plain keys of null-prototype objects', () => {
    const read = readYamlFrontmatter('__proto__: { polluted: true }\nconstructor: { prototype: 1 }\nlist: [{ a: b }]');
    const fields = 'fields' in read ? read.fields : {};
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor', 'list']);
    const inner = (fields.list as unknown[])[0];
    expect([fields, fields.constructor, inner].map((value) => Object.getPrototypeOf(value))).toEqual([
      null,
      null,
      null,
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('expands aliases into values of their own', () => {
    const read = readYamlFrontmatter('a: &a [1]\nb: *a');
    expect('fields' in read && read.fields.a !== read.fields.b).toBe(true);
  });

  test.each([
    ['a list', '- a', 'not made of', 0],
    ['a text', 'just text', 'not made of', 0],
    ['a custom tag', 'a: 1\nb: !!js/function "x"', 'tag', 1],
    ['a custom tag on a map', 'a: !x { b: 1 }', 'tag', 0],
    ['a known but uncommon tag', 'a: !!binary aGk=', 'tag', 0],
    ['a field that is there twice', 'a: 1\nb: 2\na: 3', 'the field "a" is there twice', 2],
    ['a nested field that is there twice', 'm:\n  a: 1\n  a: 2', 'the field "a" is there twice', 2],
    ['an unknown alias', 'a: 1\nb: *x', 'no anchor "&x"', 1],
    ['an alias before its anchor', 'a: *x\nb: &x 1', 'no anchor "&x"', 0],
    ['a circle', 'a: &a\n  - *a', 'inside of what it refers to', 1],
    ['a key that is a list', '? [a]\n: b', 'a key is not a text', 0],
    ['a directive', '%YAML 1.1\n--- {a: yes}', 'directive', 0],
    ['two documents', 'a: 1\n...\nb: 2\n', 'more than one YAML document', 2],
    ['an unquoted colon', 'a: 1\nb: c: d', 'unquoted ": "', 1],
    ['a tab', 'a:\n\tb: c', 'tab', 1],
    ['a missing quote', 'a: "b\n\n', 'missing', 0],
    ['33 levels', `a: ${'['.repeat(32)}${']'.repeat(32)}`, 'nested more than 32', 0],
    [
      '33 levels through an alias',
      `a: &a ${'['.repeat(20)}${']'.repeat(20)}\nb: ${'['.repeat(20)}*a${']'.repeat(20)}`,
      'nested more than 32',
      0,
    ],
    ['51 aliases', `a: &a 1\nb: [${'*a,'.repeat(51)}]`, 'more than 50 aliases', 1],
    ['aliases of a large text', `a: &a ${'x'.repeat(20_000)}\nb: [${'*a,'.repeat(20)}]`, 'too large', 0],
  ])('refuses %s with a sentence and its line', (_what, block, sentence, line) => {
    const read = readYamlFrontmatter(block);
    expect(read).toMatchObject({ error: expect.stringContaining(sentence), line });
  });

  test('takes 32 levels and 50 aliases', () => {
    expect(readYamlFrontmatter(`a: ${'['.repeat(31)}${']'.repeat(31)}`)).toHaveProperty('fields');
    expect(readYamlFrontmatter(`a: &a 1\nb: [${'*a,'.repeat(50)}]`)).toHaveProperty('fields');
  });

  // A bomb would go on for ever; what takes a square of its length is seen in bench/measures/growth.ts.
  test.each(hostileBlocks())('answers %s', (_what, block) => {
    const read = readYamlFrontmatter(block.slice(0, MAX_FRONTMATTER_BYTES));
    expect('error' in read ? read.error : '').not.toMatch(/[\p{Cc}]/u);
  });

  test('never throws, and gives JSON values only', () => {
    const piece = fc.constantFrom(
      'a',
      'b: ',
      ': ',
      '- ',
      '? ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '\n',
      '\n  ',
      '\t',
      '&a ',
      '*a',
      '!x ',
      '!!',
      '"',
      "'",
      '\\',
      '|',
      '>',
      '#',
      '%',
      '@',
      '---',
      '...',
      '<<',
      '\r',
      '1',
      '.nan',
      '\0',
      '\uD800',
      '~',
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (block) => {
        const read = readYamlFrontmatter(block);
        if ('error' in read) expect(read.error).not.toMatch(/\p{Cc}/u);
        else expect(JSON.parse(JSON.stringify(read.fields))).toEqual(withoutMinusZero(read.fields));
      }),
      { numRuns: 1000 },
    );
  });
});

/** JSON writes -0 as 0. */
const withoutMinusZero = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutMinusZero);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutMinusZero(inner)]));
  }
  return value === 0 ? 0 : value;
};
