// Transactions that enter into the trail take one connection of this process, however many come (L5, F10).
import { expect, test, vi } from 'vitest';
import { createLatch } from '../../tests/support/latch.ts';
import { useOwnTimers } from '../async/fixtures/own-timers.ts';
import { type Sql, sqliteDialect } from './sql.ts';
import { isPoolBusy } from './store-errors.ts';
import { createTrailTurn } from './trail-turn.ts';

function open() {
  const latch = createLatch();
  const state = { running: 0, most: 0, begun: 0 };
  const database: Sql = {
    dialect: sqliteDialect,
    read: async () => [],
    write: async <T>() => {
      state.begun += 1;
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      await latch.opened;
      state.running -= 1;
      return 'written' as T;
    },
  };
  return { latch, state, turn: createTrailTurn(database, 1_000) };
}

const nothing = function* () {
  yield* [];
  return 'written';
};

test('of many, one is under way, and all are written in their turn (L5)', async () => {
  const { latch, state, turn } = open();
  const written = Promise.all(Array.from({ length: 50 }, () => turn.write(nothing)));
  latch.open();
  expect(await written).toHaveLength(50);
  expect(state).toMatchObject({ most: 1, begun: 50 });
});

test('one whose turn does not come in time is refused as busy and never begun; one that has begun is waited for (F10)', async () => {
  useOwnTimers();
  const { latch, state, turn } = open();
  const first = turn.write(nothing);
  const second = turn.write(nothing).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isPoolBusy(await second)).toBe(true);
  latch.open();
  expect(await first).toBe('written');
  await vi.advanceTimersByTimeAsync(10);
  expect(state.begun).toBe(1);
});
