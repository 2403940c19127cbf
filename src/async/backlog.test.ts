// Written in batches behind the answer, within bounds; what is lost is counted.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BacklogOptions, createBacklog } from './backlog.ts';
import { useOwnTimers } from './fixtures/own-timers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Outcome = number | 'later' | Error;

/** `outcomes`: of the first writes; all further ones write everything. */
function open(options: Partial<BacklogOptions<number>> = {}, ...outcomes: Outcome[]) {
  const writes: (readonly number[])[] = [];
  const backlog = createBacklog<number>({
    write: async (batch) => {
      writes.push(batch);
      const outcome = outcomes.shift() ?? 0;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    most: 10,
    batch: 3,
    behindMs: 100,
    retryMs: 1_000,
    ...options,
  });
  const add = (...items: number[]) => items.forEach(backlog.add);
  return { backlog, add, writes };
}

/** The first write goes on until it is ended. */
function openSlow() {
  const writes: (readonly number[])[] = [];
  let endFirst = (): void => {};
  const first = new Promise<number>((resolve) => {
    endFirst = () => resolve(0);
  });
  const write = (batch: readonly number[]) => {
    writes.push(batch);
    return writes.length === 1 ? first : Promise.resolve(0);
  };
  return { ...open({ write }), writes, endFirst };
}

test('items are written together, after a moment', async () => {
  const { add, writes } = open();
  add(1);
  await vi.advanceTimersByTimeAsync(99);
  add(2);
  expect(writes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(writes).toEqual([[1, 2]]);
  add(3);
  await vi.advanceTimersByTimeAsync(100);
  expect(writes).toEqual([[1, 2], [3]]);
});

test('a full batch does not wait, but is never written within add()', async () => {
  const { add, writes } = open();
  add(1, 2, 3, 4);
  expect(writes).toEqual([]);
  await vi.advanceTimersByTimeAsync(10);
  expect(writes).toEqual([[1, 2, 3], [4]]);
});

test('what comes while a batch is written is written after it', async () => {
  const { add, writes, endFirst } = openSlow();
  add(1);
  await vi.advanceTimersByTimeAsync(100);
  add(2, 3, 4, 5);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(writes).toEqual([[1]]);
  endFirst();
  await vi.advanceTimersByTimeAsync(10);
  expect(writes).toEqual([[1], [2, 3, 4], [5]]);
});

test('“later” keeps the items in their order, and they are tried again after the pause', async () => {
  const timers = useOwnTimers();
  const { backlog, add, writes } = open({}, 'later', 'later');
  add(1);
  await vi.advanceTimersByTimeAsync(100);
  add(2);
  await vi.advanceTimersByTimeAsync(999);
  expect(writes).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(writes).toEqual([[1], [1, 2]]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(writes).toEqual([[1], [1, 2], [1, 2]]);
  expect(backlog.lost).toBe(0);
  expect(timers.count()).toBe(0);
});

test('what is refused or beyond the bound is counted, and a rejection loses its batch alone', async () => {
  const { backlog, add, writes } = open({ most: 7 }, 1, new Error('a fault of ours'));
  add(1, 2, 3, 4, 5, 6, 7, 8, 9);
  expect(backlog.lost).toBe(2);
  await vi.advanceTimersByTimeAsync(10);
  expect(writes).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  expect(backlog.lost).toBe(2 + 1 + 3);
});

test('the batch under way counts towards the bound', async () => {
  const { backlog, add } = open({ most: 2, write: () => new Promise(() => {}) });
  add(1);
  await vi.advanceTimersByTimeAsync(100);
  add(2, 3);
  expect(backlog.lost).toBe(1);
});

test('close() writes what waits, and leaves no timer behind', async () => {
  const timers = useOwnTimers();
  const { backlog, add, writes } = open();
  add(1, 2);
  await backlog.close();
  expect(writes).toEqual([[1, 2]]);
  expect(backlog.lost).toBe(0);
  expect(timers.count()).toBe(0);
});

test('close() waits for the batch under way and writes nothing twice, also when called twice', async () => {
  const { backlog, add, writes, endFirst } = openSlow();
  add(1);
  await vi.advanceTimersByTimeAsync(100);
  add(2);
  const closed = Promise.all([backlog.close(), backlog.close()]);
  endFirst();
  await vi.advanceTimersByTimeAsync(10);
  await closed;
  expect(writes).toEqual([[1], [2]]);
  expect(backlog.lost).toBe(0);
});

test('what cannot be written at the end, or comes after it, is lost and counted', async () => {
  const { backlog, add, writes } = open({}, 'later');
  add(1, 2);
  await backlog.close();
  expect(backlog.lost).toBe(2);
  add(3);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(backlog.lost).toBe(3);
  expect(writes).toEqual([[1, 2]]);
});

test('close() with patience tries again what cannot be written at once (A14, F11)', async () => {
  const { backlog, add, writes } = open({}, 'later', 'later');
  add(1, 2);
  const closed = backlog.close(1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  await closed;
  expect(writes).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
  expect(backlog.lost).toBe(0);
});

test('the patience of close() ends, and what waits then is lost and counted (A14, F11)', async () => {
  vi.useRealTimers();
  const { backlog, add } = open({ write: async () => 'later' });
  add(1, 2);
  await backlog.close(300);
  expect(backlog.lost).toBe(2);
});

test('says how many more may wait: none once it is closed', async () => {
  const { backlog, add } = open({ most: 2 });
  expect(backlog.room).toBe(2);
  add(1, 2, 3);
  expect([backlog.room, backlog.lost]).toEqual([0, 1]);
  await backlog.close();
  expect(backlog.room).toBe(0);
});
