// When a store is swept and pruned, and what happens when it is away (F1).
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { startHousekeeping } from './housekeeping.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
const DAY = 86_400_000;

const storeThat = (sweep: () => Promise<number>) => ({
  sweep: vi.fn(sweep),
  pruneKept: vi.fn(async (_keepMs: number) => ({ invocations: 0, loads: 0 })),
});

test('sweeps at once and every minute, deletes at once and every hour, until it is stopped', async () => {
  const store = storeThat(async () => 0);
  const stop = startHousekeeping(store, { keepMs: 30 * DAY, onFault: vi.fn() });
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect(store.sweep).toHaveBeenCalledTimes(61);
  expect(store.pruneKept.mock.calls).toEqual([[30 * DAY], [30 * DAY]]);
  stop();
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect(store.sweep).toHaveBeenCalledTimes(61);
});

test('goes on when the store was away, and never does two rounds at once (F1)', async () => {
  const store = storeThat(async () => {
    throw new StoreUnavailable('away');
  });
  const onFault = vi.fn();
  const stop = startHousekeeping(store, { keepMs: DAY, onFault });
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(store.sweep).toHaveBeenCalledTimes(3);
  store.sweep.mockImplementation(() => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(store.sweep).toHaveBeenCalledTimes(4);
  expect(onFault).not.toHaveBeenCalled();
  stop();
});

test('a fault of ours is told, ends no process and keeps no later round away (F1)', async () => {
  const fault = new TypeError('not a function');
  const store = storeThat(async () => {
    throw fault;
  });
  const onFault = vi.fn();
  const stop = startHousekeeping(store, { keepMs: DAY, onFault });
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(store.sweep).toHaveBeenCalledTimes(3);
  expect(onFault.mock.calls).toEqual([[fault], [fault], [fault]]);
  stop();
});
