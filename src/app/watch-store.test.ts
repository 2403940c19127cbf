// A store that goes away and comes back is told once each.
import { expect, onTestFinished, test, vi } from 'vitest';
import type { RuntimeEvent } from '../skills/record/runtime-log.ts';
import { watchStore } from './watch-store.ts';

type Health = { readonly isReady: true } | { readonly isReady: false; readonly reason: string };

const READY: Health = { isReady: true };
const AWAY: Health = { isReady: false, reason: 'Cannot reach the database' };

test('tells once that the store is away, and once that it is back (H6)', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: RuntimeEvent[] = [];
  let state = READY as Health;
  const health = vi.fn(async (): Promise<Health> => state);
  const stop = watchStore(health, (event) => lines.push(event));
  await vi.advanceTimersByTimeAsync(19_000);
  expect([health.mock.calls.length, lines]).toEqual([1, []]);
  state = AWAY;
  await vi.advanceTimersByTimeAsync(11_000);
  expect(lines).toEqual([{ level: 'warn', message: 'The store is away', reason: 'Cannot reach the database' }]);
  state = READY;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(lines.slice(1)).toEqual([{ level: 'info', message: 'The store is back' }]);
  stop();
  state = AWAY;
  await vi.advanceTimersByTimeAsync(100_000);
  expect(lines).toHaveLength(2);
});

test('a look that throws is told like a store that is away, once, and looking goes on (H6)', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: RuntimeEvent[] = [];
  const health = vi.fn(async (): Promise<Health> => {
    if (health.mock.calls.length < 3) throw new Error('no such table');
    return READY;
  });
  const stop = watchStore(health, (event) => lines.push(event));
  await vi.advanceTimersByTimeAsync(5_000);
  stop();
  expect(lines).toEqual([
    { level: 'warn', message: 'The store is away', reason: 'Cannot look at it: no such table' },
    { level: 'info', message: 'The store is back' },
  ]);
});
