// What the tests of the documentation read with: were it too lenient, they would prove nothing.
import { describe, expect, test } from 'vitest';
import { blocksOf, proseOf } from '../support/doc-blocks.ts';
import { findRunner } from '../support/doc-plan.ts';
import { linesOf } from '../support/shell-world.ts';
import { fillIn, parseShown } from '../support/shown-value.ts';
import { programsOf } from '../support/snippet-program.ts';

describe('blocksOf', () => {
  test('finds blocks below list items and in longer fences', () => {
    const text = 'One:\n\n- item\n\n  ```sh\n  npm ci\n  ```\n\n````md\n```ts\nx\n```\n````\n';
    expect(blocksOf('p.md', text).map(({ line, language, text }) => [line, language, text])).toEqual([
      [5, 'sh', 'npm ci\n'],
      [9, 'md', '```ts\nx\n```\n'],
    ]);
    expect(proseOf(text)).not.toMatch(/npm|ts/);
  });

  test('gives a new kind of block, and a bare fence, no runner', () => {
    const blocks = blocksOf(
      'docs/new.md',
      '```toml\na = 1\n```\n\n```\nx\n```\n\n```text\ny\n```\n\n```json\n{}\n```\n',
    );
    expect(blocks.map(findRunner)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('fillIn', () => {
  test.each([
    [
      { a: '…', b: 'x … z' },
      { a: 1, b: 'x y z' },
    ],
    [{ list: [{ name: 'b' }] }, { list: [{ name: 'a' }, { name: 'b' }] }],
    [parseShown('{"text":"so: …","score":…}'), { text: 'so: it goes', score: 0.5 }],
  ])('takes %j for %j', (shown, real) => {
    expect(fillIn(shown, real)).toEqual(real);
  });

  test.each([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: 'x … z' }, { a: 'x y' }],
    [{ list: [{ name: 'c' }] }, { list: [{ name: 'a' }, { name: 'b' }] }],
    [{ list: [] }, { list: [1] }],
    [{ a: '1' }, { a: 1 }],
  ])('does not take %j for %j', (shown, real) => {
    expect(fillIn(shown, real)).not.toEqual(real);
  });
});

describe('programsOf', () => {
  const block = (text: string) => ({ page: 'p.md', place: 'p.md:1', line: 1, language: 'ts', text });
  const first = "import { a } from 'm';\nconst x = a();\n";

  test('puts before a snippet what it goes on from, with every import once', () => {
    const [, second] = programsOf([block(first), block("import { a, b } from 'm';\nb(x);\n")]);
    expect(second).toBe("import { a, b } from 'm';\nconst x = a();\n\nb(x);\n");
  });

  test('begins anew where a name is declared again, or stands in a text or comment only', () => {
    const anew = ["const x = 'a';\n", "console.log('x'); // x\n"];
    expect(programsOf([first, ...anew].map(block)).slice(1)).toEqual(anew);
  });
});

test('linesOf joins continued lines and leaves out comments', () => {
  expect(linesOf('# a\nb \\\n  c   # d\n\ne\n')).toEqual(['b c   # d', 'e']);
});
