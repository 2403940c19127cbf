// Durations as people read them, at the edges of each unit.
import { expect, test } from 'vitest';
import { durationText } from './time-text.ts';

test.each([
  [0, '0 ms'],
  [0.4, '0 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [1_999, '1.9 s'],
  [59_999, '59.9 s'],
  [60_000, '1 m 0 s'],
  [3_725_000, '62 m 5 s'],
])('durationText() writes %d ms as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
