// How long ago something was, in the words of a table's cell.
import { expect, test } from 'vitest';
import { agoText, untilText } from './format.ts';

const NOW = new Date(2026, 10, 16, 12, 0, 0);
const MIN = 60_000;
const DAY = 1_440 * MIN;

test.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [3.9 * MIN, '3 min ago'],
  [59.9 * MIN, '59 min ago'],
  [90 * MIN, '1 h ago'],
  [DAY, '1 d ago'],
  [6.9 * DAY, '6 d ago'],
  [7 * DAY, '9 Nov'],
  [400 * DAY, '12 Oct 2025'],
  [-5_000, 'just now'],
  [-10 * MIN, 'in 10 min'],
  [-30 * DAY, '16 Dec'],
])('agoText() of %d ms before is "%s" (U8)', (passed, text) => {
  expect(agoText(new Date(NOW.getTime() - passed), NOW)).toBe(text);
});

test.each([
  [54_000, 'in 54 s'],
  [59_999, 'in 60 s'],
  [MIN, 'in 1 min'],
  [0, 'just now'],
  [-5_000, 'just now'],
])('untilText() of what comes in %d ms is "%s" (J7)', (left, text) => {
  expect(untilText(new Date(NOW.getTime() + left), NOW)).toBe(text);
});
