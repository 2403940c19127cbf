// What counts as JSON with comments, where each part of it stands, and what is refused with its line.
import { describe, expect, test } from 'vitest';
import { parseJsonTree } from './json-tree.ts';

const read = (text: string) => {
  const tree = parseJsonTree(text);
  return tree.ok ? JSON.parse(JSON.stringify(tree.value?.value)) : tree.failure;
};

describe('parseJsonTree', () => {
  test('reads JSON with comments and trailing commas', () => {
    expect(read('// a\n{ "x": [1, -2.5e3, "\\u00e9 // no", /* b */ null,], "y": {}, }')).toEqual({
      x: [1, -2500, 'é // no', null],
      y: {},
    });
  });

  test('knows where a member stands', () => {
    const text = '{ "a" : 1 , "b": 2}';
    const tree = parseJsonTree(text);
    const [member] = (tree.ok && tree.value?.members) || [];
    expect(member).toMatchObject({ key: 'a', start: 2, keyEnd: 5, comma: 10 });
    expect(text.slice(member?.value.start, member?.value.end)).toBe('1');
  });

  test('takes no key for special', () => {
    const tree = parseJsonTree('{"__proto__": {"polluted": 1}, "constructor": 2}');
    expect(tree.ok && Object.keys(tree.value?.value ?? {})).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('reads a text of megabytes in no time', () => {
    const long = 'x'.repeat(8_000_000);
    expect(read(`{"a":"${long}"}`).a).toHaveLength(long.length);
    expect(read(`{"a":"${long}`)).toContain('the end of a text is missing');
  });

  test.each([
    ['{"a":1 "b":2}', 'line 1: a comma or } is missing'],
    ['{\n"a" 1}', 'line 2: a colon is missing'],
    ['{"a":\n}', 'line 2: a value is missing'],
    ["{'a':1}", 'line 1: a text in double quotes is missing'],
    ['{"a":"\n"}', 'line 1: the end of a text is missing'],
    ['{"a":"\\x"}', 'line 1: the end of a text is missing'],
    ['{,}', 'line 1: a text in double quotes is missing'],
    ['[1 2]', 'line 1: a comma or ] is missing'],
    ['{} {}', 'line 1: more text follows where the file should end'],
    ['[01]', 'line 1: a comma or ] is missing'],
    ['{ /* open', 'line 1: a text in double quotes is missing'],
    ['['.repeat(100_000), 'line 1: it is nested too deeply'],
  ])('refuses %j', (text, failure) => {
    expect(read(text)).toBe(failure);
  });
});
