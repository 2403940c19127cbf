// What comes in time counts; after that, `late` decides.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useOwnTimers } from './fixtures/own-timers.ts';
import { within } from './within.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => {});

test('within() gives what the promise gives in time, and leaves no timer behind', async () => {
  const timers = useOwnTimers();
  const late = vi.fn();
  const after = new Promise<string>((resolve) => setTimeout(resolve, 99, 'value'));
  const result = within(after, 100, late);
  await vi.advanceTimersByTimeAsync(99);
  expect(await result).toBe('value');
  expect(timers.count()).toBe(0);
  expect(late).not.toHaveBeenCalled();
});

test('within() rejects as the promise does, and leaves no timer behind', async () => {
  const timers = useOwnTimers();
  await expect(within(Promise.reject(new Error('broken')), 100, () => 'late')).rejects.toThrow('broken');
  expect(timers.count()).toBe(0);
});

test('within() gives what late() returns when the time is up', async () => {
  const result = within(never, 100, () => 'late');
  await vi.advanceTimersByTimeAsync(100);
  expect(await result).toBe('late');
});

test('within() rejects with what late() throws when the time is up', async () => {
  const result = within(never, 100, () => {
    throw new Error('too slow');
  });
  const refused = expect(result).rejects.toThrow('too slow');
  await vi.advanceTimersByTimeAsync(100);
  await refused;
});

test('a rejection after the time is up is ignored', async () => {
  const work = new Promise<string>((_, reject) => setTimeout(() => reject(new Error('after')), 101));
  const result = within(work, 100, () => 'late');
  await vi.advanceTimersByTimeAsync(101);
  // An unhandled rejection would fail this run.
  expect(await result).toBe('late');
});
