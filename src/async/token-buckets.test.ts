// So many a minute for each key, by a clock that is passed in.
import { expect, test } from 'vitest';
import { createTokenBuckets, retryAfterSeconds } from './token-buckets.ts';

function open() {
  const clock = { ms: 0 };
  const { waitMs, take } = createTokenBuckets(() => clock.ms);
  return { clock, waitMs, take };
}

test('a new key has a minute’s worth, then one more each part of a minute', () => {
  const { clock, waitMs, take } = open();
  const rate = { key: 'a', perMinute: 2 };
  take(rate);
  expect(waitMs(rate)).toBe(0);
  take(rate);
  expect(waitMs(rate)).toBe(30_000);
  clock.ms = 29_500;
  expect(waitMs(rate)).toBeCloseTo(500);
  clock.ms = 30_000;
  expect(waitMs(rate)).toBe(0);
});

test('no more than a minute’s worth is saved up', () => {
  const { clock, waitMs, take } = open();
  const rate = { key: 'a', perMinute: 2 };
  take(rate);
  clock.ms = 3_600_000;
  expect([waitMs(rate, 2), waitMs(rate, 3)]).toEqual([0, 30_000]);
});

test('waitMs() takes nothing', () => {
  const { waitMs } = open();
  const rate = { key: 'a', perMinute: 1 };
  expect([waitMs(rate), waitMs(rate)]).toEqual([0, 0]);
});

test('each key has a bucket of its own', () => {
  const { waitMs, take } = open();
  take({ key: 'a', perMinute: 1 });
  expect(waitMs({ key: 'a', perMinute: 1 })).toBe(60_000);
  expect(waitMs({ key: 'b', perMinute: 1 })).toBe(0);
});

test('with too many keys, the one that was quiet longest starts with a full bucket (F4)', () => {
  const { waitMs, take } = open();
  const rateOf = (index: number) => ({ key: `key ${index}`, perMinute: 2 });
  for (let index = 0; index < 10_000; index += 1) take(rateOf(index), 2);
  // Not quiet any more: now key 1 is.
  take(rateOf(0), 0);
  take(rateOf(10_000), 2);
  expect([waitMs(rateOf(0)), waitMs(rateOf(1)), waitMs(rateOf(2))]).toEqual([30_000, 0, 30_000]);
});

test.each([
  [0, 1],
  [1, 1],
  [1_000, 1],
  [1_001, 2],
])('to wait %i ms is to retry after %i s', (ms, seconds) => {
  expect(retryAfterSeconds(ms)).toBe(seconds);
});
