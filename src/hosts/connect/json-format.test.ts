// What counts as JSON with comments, and what is refused with its line. How it is changed: plan-change.test.ts.
import { describe, expect, test } from 'vitest';
import { openConfig } from './open-config.ts';

const read = (text: string) => {
  const opened = openConfig(text, 'json');
  return opened.ok ? JSON.parse(JSON.stringify(opened.value.fields)) : opened.failure;
};

describe('openConfig() on JSON', () => {
  test('reads JSON with comments and trailing commas', () => {
    expect(read('// a\n{ "x": [1, -2.5e3, "\\u00e9 // no", /* b */ null,], "y": {}, }')).toEqual({
      x: [1, -2500, 'é // no', null],
      y: {},
    });
  });

  test('takes no key for special', () => {
    const opened = openConfig('{"__proto__": {"polluted": 1}, "constructor": 2}', 'json');
    expect(opened.ok && Object.keys(opened.value.fields)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('reads a text of megabytes in no time', () => {
    const long = 'x'.repeat(8_000_000);
    expect(read(`{"a":"${long}"}`).a).toHaveLength(long.length);
    expect(read(`{"a":"${long}`)).toContain('a string is not closed');
  });

  test.each([
    ['{"a":1 "b":2}', 'line 1: a comma is missing'],
    ['{\n"a" 1}', 'line 2: a colon is missing'],
    ['{"a":\n}', 'line 2: a value is missing'],
    ["{'a':1}", 'line 1: this is not valid JSON'],
    ['{"a":"\n"}', 'line 1: a string is not closed'],
    ['{"a":"\\x"}', 'line 1: a string has an invalid escape'],
    ['{,}', 'line 1: a value is missing'],
    ['{"a":1,,}', 'line 1: a key in double quotes is missing'],
    ['{"a":\n1', 'line 2: a } is missing'],
    ['{"a":1.}', 'line 1: a number is incomplete'],
    ['[1 2]', 'line 1: a comma is missing'],
    ['{} {}', 'line 1: there is text after the end of the JSON'],
    ['[01]', 'line 1: a comma is missing'],
    ['{ /* open', 'line 1: a comment is not closed'],
  ])('refuses %j', (text, failure) => {
    expect(read(text)).toBe(failure);
  });
});
