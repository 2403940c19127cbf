// What counts as a priority.
import { expect, test } from 'vitest';
import { priorityOf } from './priority.ts';

test.each([
  ['5', 5],
  [' +2.5 ', 2.5],
  ['-1', -1],
  ['0', 0],
  [10, 10],
  [-0.5, -0.5],
])('%j stands for %d', (priority, expected) => {
  expect(priorityOf({ metadata: { priority } })).toBe(expected);
});

test.each([
  'high',
  '',
  '1e3',
  '0x10',
  '1.',
  'Infinity',
  '9'.repeat(400),
  Number.NaN,
  Infinity,
  true,
  [9],
  { a: 1 },
  null,
])('%j says nothing', (priority) => {
  expect(priorityOf({ metadata: { priority } })).toBe(0);
});

test.each([undefined, null, 'priority', 5, ['priority'], {}])('metadata that is %j says nothing', (metadata) => {
  expect(priorityOf({ metadata })).toBe(0);
});
