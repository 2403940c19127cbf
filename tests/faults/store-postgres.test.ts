// F1, F3, F4 on PostgreSQL: stopped, hanging, killed, too slow for the load; back by itself.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/skills/record/invocation-log.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { invocationOf, logRun } from '../contracts/stores/store-world.ts';
import { PATIENT } from '../support/patience.ts';
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

const expectRefusal = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ name: 'StoreUnavailable' });

/** Where the usual limit stands, a run may be refused once more while the machine is busy. */
const expectBack = ({ invocations }: Store) =>
  expect.poll(() => logRun(invocations, invocationOf()).then(() => 'logged', toSentence)).toBe('logged');

function toSentence(error: unknown): string {
  if (error instanceof StoreUnavailable) return error.message;
  throw error;
}

test('tells how many connections it has, from its first use on (H2)', async () => {
  const store = openStore(place, PATIENT);
  expect(store.connections()).toBeUndefined();
  await logRun(store.invocations, invocationOf());
  const { open = 0, idle = 0, waiting } = store.connections() ?? {};
  expect([open > 0, idle <= open, waiting]).toEqual([true, true, 0]);
  await store.close();
});

test('stopped: refused at once, not at the limit; started again: back by itself (F1)', async () => {
  const store = openStore(place, PATIENT);
  await logRun(store.invocations, invocationOf());
  await postgres.halt();
  await expectRefusal(logRun(store.invocations, invocationOf()));
  await expectRefusal(store.invocations.list({ limit: 1 }));
  expect(await store.health()).toMatchObject({ isReady: false });
  await postgres.start();
  await expect.poll(() => store.health()).toEqual({ isReady: true });
  await logRun(store.invocations, invocationOf());
  expect((await store.invocations.list({ limit: 10 })).invocations).toHaveLength(2);
  await store.close();
});

test('hanging: refused at the limit; awake again: back by itself (F1)', async () => {
  const store = openStore(place);
  await expectBack(store);
  const halted = [postgres.pid(), ...(await backendsOf(place.url))];
  signalAll(halted, 'SIGSTOP');
  try {
    await Promise.all([
      expectRefusal(logRun(store.invocations, invocationOf())),
      expectRefusal(store.invocations.list({ limit: 1 })),
      expect(store.health()).resolves.toMatchObject({ isReady: false }),
    ]);
  } finally {
    signalAll(halted, 'SIGCONT');
  }
  await expectBack(store);
  await store.close();
});

test('connections that hang for ever are cut, and others take their place (F1)', async () => {
  const store = openStore(place);
  const ask = () => store.invocations.list({ limit: 1 });
  // As many as the store will ever open.
  await expect
    .poll(() => Promise.all(Array.from({ length: 16 }, ask)).then(() => 'answered', toSentence))
    .toBe('answered');
  const halted = await backendsOf(place.url);
  signalAll(halted, 'SIGSTOP');
  try {
    await Promise.allSettled(Array.from({ length: 16 }, ask));
    await expectBack(store);
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
  await killWriter(writer, 50, 50);
  const { missing, torn, total, counted } = await examine(place, writer.words);
  expect({ missing, torn }).toEqual({ missing: [], torn: [] });
  expect(total).toBeGreaterThanOrEqual(50);
  expect(counted).toBe(total);
});

test('five processes that start at once on an empty database all come up (F3)', async () => {
  const writers = Array.from({ length: 5 }, () => startWriter(place, { count: 5, together: 5, limits: PATIENT }));
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
  const store = openStore({ kind: 'postgres', url }, PATIENT);
  const health = await store.health();
  expect(health).toMatchObject({ isReady: false, reason: expect.stringContaining(sentence) });
  expect(JSON.stringify(health)).not.toMatch(/hunter2|127\.0\.0\.1|invalid/);
  await store.close();
});

test('a database or a user that does not exist gives a sentence', async () => {
  const missing = openStore({ kind: 'postgres', url: postgres.url.replace(/postgres$/, 'nowhere') }, PATIENT);
  expect(await missing.health()).toMatchObject({ reason: expect.stringMatching(/does not exist; create it$/) });
  const stranger = openStore({ kind: 'postgres', url: postgres.url.replace('postgres@', 'stranger:pw@') }, PATIENT);
  expect(await stranger.health()).toMatchObject({ reason: expect.stringMatching(/refuses the user or the password/) });
  await Promise.all([missing.close(), stranger.close()]);
});
