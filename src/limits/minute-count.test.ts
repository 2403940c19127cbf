// How many there were in the last minute: never fewer than there were.
import { expect, test } from 'vitest';
import { MinuteCount } from './minute-count.ts';

test('counts what came within the last minute', () => {
  const count = new MinuteCount();
  count.add(2, 0, 600);
  count.add(3, 30_000, 600);
  expect([0, 59_999, 60_000, 89_999, 90_000].map((ms) => count.total(ms))).toEqual([5, 5, 3, 3, 0]);
});

test('those within a second leave together, a minute after the last of them', () => {
  const count = new MinuteCount();
  for (const ms of [0, 400, 999, 1_000]) count.add(1, ms, 600);
  expect([60_000, 60_998, 60_999, 61_000].map((ms) => count.total(ms))).toEqual([4, 4, 1, 0]);
});

test('and those of a fiftieth of the limit: however fast they come, few leave late (N1)', () => {
  const count = new MinuteCount();
  for (let ms = 0; ms < 600; ms += 1) count.add(1, ms, 600);
  expect([60_010, 60_011, 60_300, 60_599].map((ms) => count.total(ms))).toEqual([600, 588, 300, 0]);
});

test('says how long it is until so many have left', () => {
  const count = new MinuteCount();
  count.add(2, 0, 600);
  count.add(1, 20_000, 600);
  expect([1, 2, 3, 4].map((leaving) => count.waitMs(leaving, 30_000))).toEqual([30_000, 30_000, 50_000, 60_000]);
});

test('holds a burst for each second of the minute and each fiftieth of the limit, and no more (F4)', () => {
  const count = new MinuteCount();
  for (let ms = 0; ms < 200_000; ms += 10) {
    expect(count.bursts(ms).length).toBeLessThanOrEqual(61 + 50);
    if (count.total(ms) < 600) count.add(1, ms, 600);
  }
});

test('takes out the oldest again, and can be put together with another', () => {
  const [one, other] = [new MinuteCount(), new MinuteCount()];
  one.add(3, 5_000, 600);
  one.add(1, 8_000, 600);
  other.add(2, 0, 600);
  one.drop(2);
  expect(one.total(8_000)).toBe(2);
  const both = one.with(other);
  expect([both.total(8_000), both.total(60_000), both.total(65_000), both.total(68_000)]).toEqual([4, 2, 1, 0]);
  one.drop(9);
  expect(one.total(8_000)).toBe(0);
});
