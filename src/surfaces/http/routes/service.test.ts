// Readiness: reasons in sentences, and a store that is asked once a second however often anybody looks (H6).
import { expect, test, vi } from 'vitest';
import { createReadiness, type ReadinessParts } from './service.ts';

function openReadiness(parts: Partial<ReadinessParts> = {}) {
  const clock = { ms: 0 };
  const onError = vi.fn();
  const ask = createReadiness({
    repertoire: { isWhole: true },
    health: async () => ({ isReady: true }),
    monotonicMs: () => clock.ms,
    onError,
    ...parts,
  });
  return { ask, clock, onError };
}

test('ready when the catalog is whole and the store can be written to', async () => {
  expect(await openReadiness().ask()).toEqual({ status: 'ready', reasons: [] });
});

test('ready without a store, too (H6)', async () => {
  expect(await openReadiness({ health: undefined }).ask()).toEqual({ status: 'ready', reasons: [] });
});

test('degraded with each reason (F1)', async () => {
  const { ask } = openReadiness({
    repertoire: { isWhole: false },
    health: async () => ({ isReady: false, reason: 'Cannot use the database: it is away' }),
  });
  expect(await ask()).toEqual({
    status: 'degraded',
    reasons: ['The folders are still being searched for skills', 'Cannot use the database: it is away'],
  });
});

test('a fault of ours is a reason without detail, and whole for the log (T9)', async () => {
  const { ask, onError } = openReadiness({ health: () => Promise.reject(new Error('/home/secret')) });
  expect(await ask()).toEqual({ status: 'degraded', reasons: ['The database cannot be looked at'] });
  expect(onError).toHaveBeenCalledWith(new Error('/home/secret'));
});

test('the store is looked at once a second, and once for all who wait', async () => {
  const health = vi.fn(async () => ({ isReady: true }) as const);
  const { ask, clock } = openReadiness({ health });
  await Promise.all([ask(), ask(), ask()]);
  clock.ms = 999;
  await ask();
  expect(health).toHaveBeenCalledTimes(1);
  clock.ms = 1_000;
  await ask();
  expect(health).toHaveBeenCalledTimes(2);
});
