// Where the machine has no watchers left, the disk is looked at regularly instead (F7).
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { folderValue } from './fixtures/folder-value.ts';
import { Freshness } from './freshness.ts';
import type { WatcherEvents } from './watchers.ts';

// The limit is the machine's and cannot be lowered for one test; tests/faults does it for a whole process.
vi.mock('./watchers.ts', () => ({
  Watchers: class {
    readonly #events: WatcherEvents;
    isExhausted = false;
    constructor(events: WatcherEvents) {
      this.#events = events;
    }
    watch() {
      if (!this.isExhausted) this.#events.onExhausted();
      this.isExhausted = true;
    }
    keepOnly() {}
    close() {}
  },
}));

/** A look starts in the next turn of the event loop. */
const immediately = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('every two seconds, and says so', async () => {
  let looks = 0;
  const freshness = new Freshness({
    rescanMs: 1_000_000,
    update: async (_, watch) => {
      looks += 1;
      watch(folderValue('/a'));
      return new Map();
    },
    findUnwatchedChanges: () => [],
    tidy: () => new Set(),
    onError: () => undefined,
  });
  expect(freshness.mode).toBe('watched');
  await freshness.lookEverywhere();
  expect(freshness.mode).toBe('polled');
  expect(looks).toBe(1);
  await vi.advanceTimersByTimeAsync(1_900);
  expect(looks).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  await immediately();
  expect(looks).toBe(2);
  for (let second = 0; second < 41; second += 1) {
    await vi.advanceTimersByTimeAsync(100);
    await immediately();
  }
  expect(looks).toBe(4);
  freshness.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toBe(4);
});
