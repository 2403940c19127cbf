// Numbers of things, singular only for one.
import { expect, test } from 'vitest';
import { counted, grouped } from './counted.ts';

test.each([
  [0, '0 skills'],
  [1, '1 skill'],
  [2, '2 skills'],
  [1_000, '1,000 skills'],
])('counted(%i) is %j', (count, text) => {
  expect(counted(count, 'skill')).toBe(text);
});

test('counted() takes another plural', () => {
  expect([1, 2].map((count) => counted(count, 'entry', 'entries'))).toEqual(['1 entry', '2 entries']);
});

test.each([
  [0, '0'],
  [999, '999'],
  [3_200, '3,200'],
  [1_234_567, '1,234,567'],
  [-1_234, '-1,234'],
])('grouped(%i) is %j', (count, text) => {
  expect(grouped(count)).toBe(text);
});
