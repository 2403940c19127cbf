// THREATS "hidden characters, look-alike names, markup and ANSI": rule bidi-control (trojan source).
import { describe, expect, test } from 'vitest';
import { inspectText } from '../inspect.ts';

describe('bidi-control reports text that shows in another order (THREATS: hidden characters)', () => {
  test.each([
    ['an override in code', 'if (role !== "\u202Enimda") {', 'high'],
    ['an override in Hebrew text too', 'שלום \u202Eabc\u202C עולם', 'high'],
    ['an isolate that is not closed', 'access = "user\u2066 // check"', 'high'],
    ['a closing without an opening', 'done\u2069', 'high'],
    ['controls closed in the wrong order', 'שלום \u2067\u202Bאב\u2069\u202C', 'high'],
    ['balanced isolates without any right-to-left letter', 'name \u2068x\u2069', 'medium'],
    ['a mark in Latin text', 'price\u200E 10', 'low'],
    ['a mark next to one stray Hebrew letter', 'price\u200F 10 א', 'low'],
  ])('%s', (_, text, severity) => {
    expect(inspectText(`one\n${text}\nthree`)).toMatchObject([{ rule: 'bidi-control', severity, line: 2 }]);
  });
});

describe('bidi-control spares right-to-left writing', () => {
  test.each([
    ['balanced isolates in Arabic', 'مرحبًا \u2066Repertoire 2.0\u2069، اضغط هنا'],
    ['nested isolates in Hebrew', 'הקובץ \u2067א \u2066README.md\u2069 ב\u2069 כאן'],
    ['direction marks in Hebrew and Arabic', 'גרסה (beta)\u200E זמינה\nمتاحة (v2.1)\u200F الآن'],
    ['right-to-left text without controls', 'שלום עולם'],
    ['the characters written as escapes', 'const isolate = "\\u2068" + name + "\\u2069"; // U+202E'],
  ])('%s', (_, text) => {
    expect(inspectText(text)).toEqual([]);
  });
});
