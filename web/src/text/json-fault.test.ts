// What is said of JSON that is none: where it is wrong, and how to put it right.
import { expect, test } from 'vitest';
import { findJsonFault, jsonFaultText } from './json-fault.ts';

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'a comma is missing before this'],
  ['{"a": 1,}', 1, 9, 'there is a comma too many before this }'],
  ['[1, 2,\n]', 2, 1, 'there is a comma too many before this ]'],
  ["{'a': 1}", 1, 2, 'write double quotes (") instead of \''],
  ['{“a”: 1}', 1, 2, 'write double quotes (") instead of “'],
  ['{a: 1}', 1, 2, 'the name of a field needs double quotes around it: "a"'],
  ['{"a": hello}', 1, 7, 'a text needs double quotes around it: "hello"'],
  ['{"a": True}', 1, 7, 'write true instead of True'],
  ['[None]', 1, 2, 'write null instead of None'],
  ['[NaN]', 1, 2, 'JSON has no number NaN'],
  ['{"a" 1}', 1, 6, 'a colon is missing after the name'],
  ['{"a" = 1}', 1, 6, 'write a colon instead of ='],
  ['{"a": }', 1, 7, 'a value is missing before this }'],
  ['[1,, 2]', 1, 4, 'a value is missing before this comma'],
  ['{\n  "a": {"b": 1\n', 3, 1, 'it ends before the { of line 2 is closed'],
  ['{"a": [1}', 1, 9, 'this } does not close the [ of line 1'],
  ['{"a": 1} x', 1, 10, 'there is more after the end of the value'],
  ['{"a": "x\ny"}', 1, 7, 'this text has no closing quotation mark in its line; write \\n for a line break'],
  ['"C:\\dir"', 1, 4, 'write \\\\ for a backslash in a text'],
  ['"a\tb"', 1, 3, 'write \\t instead of this control character'],
  ['{"a": 01}', 1, 7, 'a number must not begin with 0'],
  ['[1.]', 1, 2, 'digits are missing after the point'],
  ['[2026-01-31]', 1, 2, '2026-01-31 is not a number; a text needs double quotes around it'],
  ['[1] // one', 1, 5, 'there is more after the end of the value'],
  ['{// one\n"a": 1}', 1, 2, 'JSON has no comments'],
  ['{\u00a0"a": 1}', 1, 2, 'an invisible character (U+00A0) stands here'],
  ['   ', 1, 4, 'there is no value'],
  ['{"😀": x}', 1, 7, 'a text needs double quotes around it: "x"'],
])('findJsonFault(%j) is at line %d, column %d (U8)', (text, line, column, message) => {
  expect(findJsonFault(text)).toEqual({ line, column, message });
  expect(jsonFaultText(text)).toBe(`is not JSON (line ${line}, column ${column}): ${message}`);
});

test('findJsonFault() finds something exactly where JSON.parse() does (U8)', () => {
  const whole = '{"a":[1,-2.5e+3,true,null,"x\\u00e9\\n"],"b":{"c":{}},"d":[[]]}';
  const inserts = [...'{}[],:"\\ \n\t0-.eEtn\'/a\u00a0', '\\u12', 'true', '""'];
  const texts = [...whole].flatMap((_, at) => [
    whole.slice(0, at),
    whole.slice(0, at) + whole.slice(at + 1),
    ...inserts.map((insert) => whole.slice(0, at) + insert + whole.slice(at)),
  ]);
  const differing = texts.filter((text) => (findJsonFault(text) === undefined) !== isJson(text));
  expect(differing).toEqual([]);
  expect(texts.filter(isJson).length).toBeGreaterThan(50);
});

test('findJsonFault() takes a value as deep as JSON.parse() does (U8)', () => {
  expect(findJsonFault('['.repeat(5_000) + ']'.repeat(5_000))).toBeUndefined();
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
