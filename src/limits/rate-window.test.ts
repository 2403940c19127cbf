// So many in any minute, per key; the refused ones do not count; memory is bounded.
import { describe, expect, test } from 'vitest';
import { createLocalWindow, retryAfterSeconds } from './rate-window.ts';

function open(perMinute: number) {
  const clock = { ms: 0 };
  const window = createLocalWindow(() => clock.ms);
  return { clock, window, take: (key: string, count = 1) => window.take([{ key, perMinute }], count) };
}

describe('take()', () => {
  test('refuses what would be one too many in any minute, and says how long to wait (B4, N1)', () => {
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

  test('lets no more than the limit through in any minute, whenever they come (N1)', () => {
    const { clock, take } = open(600);
    const passed: number[] = [];
    for (clock.ms = 0; clock.ms < 200_000; clock.ms += 7) if (take('a') === undefined) passed.push(clock.ms);
    for (const [index, ms] of passed.entries())
      expect((passed[index + 600] ?? Number.POSITIVE_INFINITY) - ms).toBeGreaterThanOrEqual(60_000);
    expect(passed.length).toBeGreaterThan(1_900);
  });

  test('counts each key apart', () => {
    const { take } = open(1);
    expect([take('a'), take('b'), take('a')]).toEqual([undefined, undefined, 60]);
  });

  test('refused ones do not lengthen the wait', () => {
    const { clock, take } = open(1);
    take('a');
    for (let ms = 0; ms < 60_000; ms += 1_000) {
      clock.ms = ms;
      expect(take('a')).toBe(60 - ms / 1_000);
    }
    clock.ms = 60_000;
    expect(take('a')).toBeUndefined();
  });

  test('takes several, all or none', () => {
    const { clock, take } = open(5);
    expect(take('a', 3)).toBeUndefined();
    clock.ms = 15_000;
    expect([take('a', 3), take('a', 2), take('a', 6)]).toEqual([45, undefined, 60]);
  });

  test('takes from all rates or from none', () => {
    const { window, take } = open(2);
    take('b', 2);
    const both = ['a', 'b'].map((key) => ({ key, perMinute: 2 }));
    expect(window.take(both)).toBe(60);
    expect(take('a', 2)).toBeUndefined();
  });

  test('forgets the key that was quiet longest when there are too many (F4)', () => {
    const { take } = open(2);
    for (let index = 0; index < 10_000; index++) take(`key ${index}`);
    // Not quiet any more: now key 1 is the one.
    expect(take('key 0')).toBeUndefined();
    take('one more');
    expect(take('key 0')).toBe(60);
    expect([take('key 1'), take('key 1')]).toEqual([undefined, undefined]);
  });
});

test.each([
  [0, 1],
  [1, 1],
  [1_000, 1],
  [1_001, 2],
])('to wait %i ms is to retry after %i s', (ms, seconds) => {
  expect(retryAfterSeconds(ms)).toBe(seconds);
});
