// When a process tells the database that it lives (X2).
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLease } from './lease.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function leaseWithClock() {
  const renew = vi.fn(async () => {});
  const owner = { id: 'a', pid: 1, machine: undefined, started: undefined };
  return { renew, lease: createLease(owner, () => Date.now(), renew) };
}

test('is renewed every ten seconds while something runs, and only then (X2)', () => {
  const { renew, lease } = leaseWithClock();
  vi.advanceTimersByTime(60_000);
  expect(renew).not.toHaveBeenCalled();
  lease.began('x');
  lease.began('y');
  vi.advanceTimersByTime(30_000);
  expect(renew).toHaveBeenCalledTimes(3);
  lease.ended('x');
  vi.advanceTimersByTime(10_000);
  expect(renew).toHaveBeenCalledTimes(4);
  lease.ended('y');
  vi.advanceTimersByTime(60_000);
  expect(renew).toHaveBeenCalledTimes(4);
});

test('is due at first and ten seconds after it was renewed', () => {
  const { lease } = leaseWithClock();
  expect(lease.isDue()).toBe(true);
  lease.renewed();
  expect(lease.isDue()).toBe(false);
  vi.advanceTimersByTime(10_000);
  expect(lease.isDue()).toBe(true);
});

test('is over when it was renewed and nothing runs', () => {
  const { lease } = leaseWithClock();
  expect(lease.isOver()).toBe(false);
  lease.renewed();
  lease.began('x');
  expect(lease.isOver()).toBe(false);
  expect(lease.isRunning('x')).toBe(true);
  lease.ended('x');
  expect(lease.isOver()).toBe(true);
  expect(lease.isRunning('x')).toBe(false);
  lease.stop();
});
