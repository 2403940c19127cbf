// What counts as TOML, where each statement stands, and what is refused with its line.
import { describe, expect, test } from 'vitest';
import { parseTomlTree } from './toml-tree.ts';

const read = (text: string) => {
  const tree = parseTomlTree(text);
  return tree.ok ? JSON.parse(JSON.stringify(tree.value.value)) : tree.failure;
};

describe('parseTomlTree', () => {
  test('reads every kind of value', () => {
    const text = [
      'a = "x\\t\\u00e9" # c',
      "b.'c d' = 'raw \\n'",
      'e = [ 1, "mixed", [true],\n # in between\n ]',
      'f = { g = 1.5, h.i = "j" }',
      'k = """\nlines \\\n   joined ""q"" """',
      "l = '''\nraw'''",
      'm = 1979-05-27T07:32:00Z',
      'n = 0xFF',
      '[[list]]',
      'x = 1',
      '[[list]]',
      '[list.sub]',
      'y = 2',
    ].join('\n');
    expect(read(text)).toEqual({
      a: 'x\té',
      b: { 'c d': 'raw \\n' },
      e: [1, 'mixed', [true]],
      f: { g: 1.5, h: { i: 'j' } },
      k: 'lines joined ""q"" ',
      l: 'raw',
      m: '1979-05-27T07:32:00Z',
      n: '0xFF',
      list: [{ x: 1 }, { sub: { y: 2 } }],
    });
  });

  test('knows where statements stand, and takes no text for a header', () => {
    const text = 'a = """\n[no.header]\n"""\n [ b . "c" ] # d\ne.f = 1\n';
    const tree = parseTomlTree(text);
    expect(tree.ok && tree.value.statements.map(({ kind, keys }) => [kind, keys.join('/')])).toEqual([
      ['pair', 'a'],
      ['table', 'b/c'],
      ['pair', 'b/c/e/f'],
    ]);
  });

  test.each([
    ['a = 1\na = 2', 'line 2: "a" is there twice'],
    ['[a]\n[a]', 'line 2: table "a" is there twice'],
    ['a = { b = 1 }\n[a.c]', 'line 2: "a" is no table that can be added to'],
    ['a = []\n[[a]]', 'line 2: "a" is there already'],
    ['a.b = 1\n[a]', 'line 2: table "a" is there twice'],
    ['a', 'line 1: "=" is missing'],
    ['a = ', 'line 1: a value is missing'],
    ['a = "x', 'line 1: a value is missing'],
    ['a = 1 b = 2', 'line 1: the line should end here'],
    ['[a', 'line 1: the header is not closed'],
    ['a = [1 2]', 'line 1: a comma or ] is missing'],
    ['a = { b = 1,\n}', 'line 1: a key is missing'],
    ['a = "\\uD800"', 'line 1: an escape is no character'],
    [`a = ${'['.repeat(5000)}`, 'line 1: it is nested too deeply'],
    [`a = { ${'b.'.repeat(500_000)}c = 1 }`, 'line 1: it is nested too deeply'],
  ])('refuses %j', (text, failure) => {
    expect(read(text)).toBe(failure);
  });
});
