// So many tries in any minute, per key; the refused ones do not count; memory is bounded.
import { expect, test } from 'vitest';
import { createSlidingWindow } from './sliding-window.ts';

function open(perMinute: number) {
  const clock = { ms: 0 };
  const tries = createSlidingWindow({ perMinute, monotonicMs: () => clock.ms });
  return { clock, take: tries.take };
}

test('take() refuses what would be one too many in any minute, and says how long to wait (B4)', () => {
  const { clock, take } = open(3);
  for (const ms of [0, 10_000, 20_000]) {
    clock.ms = ms;
    expect(take('a')).toBeUndefined();
  }
  expect(take('a')).toBe(40);
  clock.ms = 59_999;
  expect(take('a')).toBe(1);
  clock.ms = 60_000;
  expect(take('a')).toBeUndefined();
  // The one at 0 has left, the one at 10 s is the next to leave.
  expect(take('a')).toBe(10);
});

test('take() counts each key apart', () => {
  const { take } = open(1);
  expect(take('a')).toBeUndefined();
  expect(take('b')).toBeUndefined();
  expect(take('a')).toBe(60);
});

test('refused tries do not lengthen the wait', () => {
  const { clock, take } = open(1);
  take('a');
  for (let ms = 0; ms < 60_000; ms += 1_000) {
    clock.ms = ms;
    expect(take('a')).toBe(60 - ms / 1_000);
  }
  clock.ms = 60_000;
  expect(take('a')).toBeUndefined();
});

test('the key that was quiet longest is forgotten when there are too many (F4)', () => {
  const { take } = open(2);
  for (let index = 0; index < 10_000; index++) take(`key ${index}`);
  // Not quiet any more: now key 1 is the one.
  expect(take('key 0')).toBeUndefined();
  take('one more');
  expect(take('key 0')).toBe(60);
  expect(take('key 1')).toBeUndefined();
  expect(take('key 1')).toBeUndefined();
});
