// A limit for each key and one for all, of places or of bytes.
import { expect, test } from 'vitest';
import { createQuota } from './quota.ts';

test('take() refuses what is beyond the limit of the key, and others have theirs', () => {
  const quota = createQuota();
  const take = (key: string) => quota.take({ key, most: 2 });
  expect(['a', 'a', 'a', 'b'].map(take)).toEqual([true, true, false, true]);
});

test('take() refuses what is beyond the limit of all, for every key', () => {
  const quota = createQuota({ inAll: 2 });
  const take = (key: string) => quota.take({ key, most: Number.POSITIVE_INFINITY });
  expect(['a', 'b', 'c'].map(take)).toEqual([true, true, false]);
});

test('what is given back can be taken again, also by another', () => {
  const quota = createQuota({ inAll: 1 });
  expect(quota.take({ key: 'a', most: 1 })).toBe(true);
  expect(quota.take({ key: 'b', most: 1 })).toBe(false);
  quota.give('a');
  expect(quota.take({ key: 'b', most: 1 })).toBe(true);
});

test('amounts are taken whole or not at all, and may be given back in parts', () => {
  const quota = createQuota({ inAll: 100 });
  const take = (amount: number) => quota.take({ key: 'a', most: 60 }, amount);
  expect([take(40), take(21), take(20)]).toEqual([true, false, true]);
  quota.give('a', 30);
  expect([take(31), take(30)]).toEqual([false, true]);
});

test('a refusal takes nothing', () => {
  const quota = createQuota({ inAll: 10 });
  expect(quota.take({ key: 'a', most: 5 }, 6)).toBe(false);
  expect(quota.take({ key: 'b', most: 10 }, 10)).toBe(true);
});

test('giving back more than was taken does not widen the limit of all', () => {
  const quota = createQuota({ inAll: 1 });
  const take = (key: string) => quota.take({ key, most: 1 });
  quota.give('a');
  expect(['b', 'c'].map(take)).toEqual([true, false]);
});
