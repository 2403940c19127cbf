// F1, F3, F4 on PostgreSQL: stopped, hanging, killed, too slow for the load; back by itself.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/execution/invocation-log.ts';
import { openStore } from '../../src/store/store.ts';
import { invocationOf, logRun } from '../contracts/stores/store-world.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { createDatabase, type PostgresPlace } from '../support/postgres-database.ts';
import { backendsOf, signalAll } from './postgres-backends.ts';
import { examine, killWriter, startWriter } from './store-processes.ts';

let postgres: TestPostgres;
let place: PostgresPlace;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());
beforeEach(async () => {
  place = await createDatabase(postgres);
});

async function spanOf(work: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work;
  return performance.now() - started;
}

/** How long it took to be refused. */
const refusedAfter = (work: Promise<unknown>): Promise<number> =>
  spanOf(expect(work).rejects.toMatchObject({ name: 'StoreUnavailable' }));

test('tells how many connections it has, from its first use on (H2)', async () => {
  const store = openStore(place);
  expect(store.connections()).toBeUndefined();
  await logRun(store.invocations, invocationOf());
  const { open = 0, idle = 0, waiting } = store.connections() ?? {};
  expect([open > 0, idle <= open, waiting]).toEqual([true, true, 0]);
  await store.close();
});

test('stopped: refused at once; started again: back by itself (F1)', async () => {
  const store = openStore(place);
  await logRun(store.invocations, invocationOf());
  await postgres.halt();
  expect(await refusedAfter(logRun(store.invocations, invocationOf()))).toBeLessThan(2_000);
  expect(await refusedAfter(store.invocations.list({ limit: 1 }))).toBeLessThan(2_000);
  expect(await store.health()).toMatchObject({ isReady: false });
  await postgres.start();
  await expect.poll(() => store.health(), { timeout: 4_000 }).toEqual({ isReady: true });
  await logRun(store.invocations, invocationOf());
  expect((await store.invocations.list({ limit: 10 })).invocations).toHaveLength(2);
  await store.close();
});

test('hanging: refused within two seconds; awake again: back by itself (F1)', async () => {
  const store = openStore(place);
  await logRun(store.invocations, invocationOf());
  const halted = [postgres.pid(), ...(await backendsOf(place.url))];
  signalAll(halted, 'SIGSTOP');
  try {
    const spans = await Promise.all([
      refusedAfter(logRun(store.invocations, invocationOf())),
      refusedAfter(store.invocations.list({ limit: 1 })),
      spanOf(expect(store.health()).resolves.toMatchObject({ isReady: false })),
    ]);
    expect(Math.max(...spans)).toBeLessThan(2_500);
  } finally {
    signalAll(halted, 'SIGCONT');
  }
  await expect.poll(() => store.health(), { timeout: 4_000 }).toEqual({ isReady: true });
  await logRun(store.invocations, invocationOf());
  await store.close();
});

test('connections that hang for ever are cut, and others take their place (F1)', async () => {
  const store = openStore(place);
  // As many as the store will ever open.
  await Promise.all(Array.from({ length: 16 }, () => store.invocations.list({ limit: 1 })));
  const halted = await backendsOf(place.url);
  signalAll(halted, 'SIGSTOP');
  try {
    await Promise.allSettled(Array.from({ length: 16 }, () => store.invocations.list({ limit: 1 })));
    await expect.poll(() => store.health(), { timeout: 4_000 }).toEqual({ isReady: true });
    await logRun(store.invocations, invocationOf());
  } finally {
    signalAll(halted, 'SIGCONT');
  }
  await store.close();
});

test('a flood is refused beyond a bound, with a sentence (F4)', async () => {
  const store = openStore(place);
  const runs = Array.from({ length: 20_000 }, () => invocationOf());
  const begun = await Promise.allSettled(runs.map((invocation) => store.invocations.begin(invocation)));
  const reasons = begun.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  // On a busy machine some of the others are refused, too: they waited too long.
  for (const reason of reasons) expect(reason).toBeInstanceOf(StoreUnavailable);
  expect(reasons.filter(({ message }) => /keep up/.test(message)).length).toBeGreaterThanOrEqual(10_000);
  await store.close();
});

test('kill -9 of the writer loses nothing that was acknowledged (F2)', async () => {
  const writer = startWriter(place, { count: 1e6, together: 32, slow: true });
  await killWriter(writer, 150);
  const { missing, torn, total, counted } = await examine(place, writer.words);
  expect({ missing, torn }).toEqual({ missing: [], torn: [] });
  expect(counted).toBe(total);
});

test('five processes that start at once on an empty database all come up (F3)', async () => {
  const writers = Array.from({ length: 5 }, () => startWriter(place, { count: 5, together: 5 }));
  expect(await Promise.all(writers.map(({ exit }) => exit))).toEqual([0, 0, 0, 0, 0]);
  expect(
    (
      await examine(
        place,
        writers.flatMap(({ words }) => words),
      )
    ).total,
  ).toBe(25);
});

test.each([
  ['postgres://u:hunter2@127.0.0.1:9/x', 'no PostgreSQL answers at the address given'],
  ['postgres://u:hunter2@host.invalid/x', 'no PostgreSQL answers at the address given'],
  ['postgres://u:hunter2@[bad/x', 'DATABASE_URL is no address of a PostgreSQL'],
])('an address that leads nowhere gives a sentence without password and host: %s', async (url, sentence) => {
  const store = openStore({ kind: 'postgres', url });
  const health = await store.health();
  expect(health).toMatchObject({ isReady: false, reason: expect.stringContaining(sentence) });
  expect(JSON.stringify(health)).not.toMatch(/hunter2|127\.0\.0\.1|invalid/);
  await store.close();
});

test('a database or a user that does not exist gives a sentence', async () => {
  const missing = openStore({ kind: 'postgres', url: postgres.url.replace(/postgres$/, 'nowhere') });
  expect(await missing.health()).toMatchObject({ reason: expect.stringMatching(/does not exist; create it$/) });
  const stranger = openStore({ kind: 'postgres', url: postgres.url.replace('postgres@', 'stranger:pw@') });
  expect(await stranger.health()).toMatchObject({ reason: expect.stringMatching(/refuses the user or the password/) });
  await Promise.all([missing.close(), stranger.close()]);
});
