// What counts as TOML, and what is refused with its line. How it is changed: plan-change.test.ts.
import { describe, expect, test } from 'vitest';
import { openConfig } from './open-config.ts';

const read = (text: string) => {
  const opened = openConfig(text, 'toml');
  return opened.ok ? JSON.parse(JSON.stringify(opened.value.fields)) : opened.failure;
};

describe('openConfig() on TOML', () => {
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

  test('takes no text for a header, and finds its own lines by their whole key', () => {
    const text = 'a = """\n[b.c]\n"""\n [ b . "c" ] # d\ne.f = 1\n[b]\nc2 = 1\n';
    const opened = openConfig(text, 'toml');
    expect(opened.ok && opened.value.remove(['b', 'c'])).toBe('a = """\n[b.c]\n"""\n[b]\nc2 = 1\n');
    expect(opened.ok && opened.value.remove(['b', 'c2'])).toBe(text.replace('c2 = 1\n', ''));
  });

  test.each([
    ['a = 1\na = 2', 'line 2: defining a key multiple times is invalid'],
    ['[a]\n[a]', 'line 2: defining a key multiple times is invalid'],
    ['a = { b = 1 }\n[a.c]', 'line 2: defining a key multiple times is invalid'],
    ['a = []\n[[a]]', 'line 2: defining a key multiple times is invalid'],
    ['a.b = 1\n[a]', 'line 2: defining a key multiple times is invalid'],
    ['a', 'line 1: expected equal (=) token'],
    ['a = ', 'line 1: unspecified values are invalid'],
    ['a = "x', 'line 1: unterminated string constant'],
    ['a = 1 b = 2', 'line 1: must be a newline'],
    ['[a', 'line 1: unterminated table-key'],
    ['a = [1 2]', 'line 1: expected comma (,) token'],
    ['a = { b = 1,\n}', 'line 2: no newlines are allowed between the curly braces'],
    ['a = "\\uD800"', 'line 1: invalid code point D800'],
  ])('refuses %j', (text, failure) => {
    expect(read(text).startsWith(failure)).toBe(true);
  });
});
