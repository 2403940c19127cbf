// Languages that browsers name and `Intl` does not take, and the marks of an axis. Without a browser.
import { expect, test } from 'vitest';
import { usableLanguage } from '../../web/src/browser/language.ts';
import { axisTexts } from '../../web/src/chart/axis-text.ts';
import { durationText } from '../../web/src/text/format.ts';

test.each([
  ['de-CH', 'de-CH'],
  ['en-US@posix', 'en-US'],
  ['C', 'en'],
  ['', 'en'],
])('usableLanguage(%j) is %s, which Intl takes', (given, expected) => {
  expect(usableLanguage(given)).toBe(expected);
  expect(() => new Intl.NumberFormat(usableLanguage(given))).not.toThrow();
});

test.each([
  ['nothing drawn', [0, 0.5, 1], true, ['0', '', '']],
  ['less than a millisecond', [0, 0.2, 0.4, 0.6], false, ['0', '<1 ms', '', '']],
  ['whole seconds', [0, 1_000, 2_000], false, ['0', '1 s', '2 s']],
])('axisTexts() of durations, %s, says nothing twice', (_case, marks, isEmpty, expected) => {
  expect(axisTexts(marks, { kind: 'lines', format: durationText, isEmpty })).toEqual(expected);
});
