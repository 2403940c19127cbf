// Marks and ranges of the axis of durations: milliseconds and minutes on one chart (U12).
import { expect, test } from 'vitest';
import { logMarks, logRange, onLogScale } from './log-scale.ts';

test.each([
  [3, 911, [2, 1_000]],
  [12, 12, [10, 20]],
  [0, 0, [0.5, 2]],
  [100, 100, [50, 200]],
  [4, 3_000_000, [2, 5_000_000]],
])('logRange() of %d to %d is %j (U12)', (least, most, range) => {
  expect(logRange(least, most)).toEqual(range);
});

test.each([
  [10, 100, [10, 20, 50, 100]],
  [2, 1_000, [10, 100, 1_000]],
  [1, 2, [1, 2]],
])('logMarks() from %d to %d are %j: few, and round (U12)', (least, most, marks) => {
  expect(logMarks(least, most)).toEqual(marks);
});

test('what took no time stands at the foot of the axis, and what is not known stays so (U12)', () => {
  expect([0, 0.2, 7, null].map(onLogScale)).toEqual([1, 1, 7, null]);
});
