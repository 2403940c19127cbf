// Counts as bars (C).
import { expect, test } from 'vitest';
import { sparkline } from './sparkline.ts';

const points = (...counts: readonly number[]) => counts.map((count) => ({ count, failureCount: 0 }));
const mark = (bar: string) => `(${bar})`;

test('sparkline() draws each count against the largest, and nothing as a dot', () => {
  expect(sparkline(points(0, 1, 2, 4, 8), 10, mark)).toBe('·▁▂▄█');
});

test('sparkline() draws few among many: one in a thousand is not nothing', () => {
  expect(sparkline(points(1, 1_000), 10, mark)).toBe('▁█');
  expect(sparkline(points(5, 32), 10, mark)).toBe('▂█');
});

test('sparkline() marks where something failed', () => {
  expect(sparkline([{ count: 2, failureCount: 1 }, ...points(2)], 10, mark)).toBe('(█)█');
});

test('sparkline() sums up a longer series and loses none of it', () => {
  expect(sparkline(points(1, 1, 0, 0, 4, 0), 3, mark)).toBe('▄·█');
  const failed = [...points(1, 1, 1), { count: 1, failureCount: 1 }];
  expect(sparkline(failed, 2, mark)).toBe('█(█)');
});

test('sparkline() of nothing is nothing', () => {
  expect(sparkline([], 10, mark)).toBe('');
  expect(sparkline(points(0, 0), 10, mark)).toBe('··');
});
