// The quick reader agrees with the YAML library wherever it answers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

  test('reads a typical block in some microseconds', () => {
    const block = `name: code-review\ndescription: ${'Reviews a change and says what to mend. '.repeat(6)}Use it when asked.\nlicense: MIT\nmetadata:\n  author: someone\n`;
    const round = (): number => {
      const started = performance.now();
      for (let run = 0; run < 1000; run += 1) readPlainFrontmatter(block);
      return performance.now() - started;
    };
    // The best of several rounds: other work on the machine must not decide. 1,000 runs in 20 ms are 20 µs each.
    expect(Math.min(...Array.from({ length: 10 }, round))).toBeLessThan(20);
  });

  test('takes blanks at the end of a line for what they are: nothing', () => {
    expect(readPlainFrontmatter('a: b  \nc: "d" ')).toEqual({
      fields: Object.assign(Object.create(null), { a: 'b', c: 'd' }),
    });
  });
});
