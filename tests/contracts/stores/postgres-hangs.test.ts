// PostgreSQL that hangs in the middle of something, or cannot be found: what comes through late, who is told what (X2, F1, H6).
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { OPERATION_LIMIT_MS } from '../../../src/store/limits.ts';
import { createPostgres } from '../../../src/store/postgres.ts';
import { plain, type Row, type Steps, sql, unread } from '../../../src/store/sql.ts';
import { openPostgresProxy } from '../../support/postgres-proxy.ts';
import { invocationOf, LOCK_WAITS, logRun, successOf } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
let place: StorePlace & { readonly kind: 'postgres' };
beforeAll(async () => {
  place = (await world.place('postgres')) as typeof place;
  await world.open(place).migrate();
});

const isWaitedFor = async () => (await world.query(place, LOCK_WAITS)).length > 0;

test('an end that meets a beginning whose commit hung is taken as soon as that is through (X2, X3)', async () => {
  const { invocations } = world.open(place);
  await logRun(invocations, invocationOf());
  const invocation = invocationOf();
  const hung = new pg.Client({ connectionString: place.url });
  await hung.connect();
  try {
    await hung.query('BEGIN');
    await hung.query(
      `INSERT INTO skill_invocations (id, skill_name, invoking_agent, correlation_id, input_payload, status, owner)
       VALUES ($1, 'greet', 'TaskAgent', $2, '{}', 'running', gen_random_uuid())`,
      [invocation.id, invocation.correlationId],
    );
    const ended = invocations.end(invocation, successOf(invocation));
    await expect.poll(isWaitedFor).toBe(true);
    await hung.query('COMMIT');
    await ended;
  } finally {
    await hung.end();
  }
  expect(await invocations.find(invocation.id)).toMatchObject({
    invocation: { status: 'completed' },
    result: { success: true },
  });
});

test('a text of several statements that fails in its transaction leaves no connection in there (J9, F1)', async () => {
  const database = createPostgres(place.url, OPERATION_LIMIT_MS);
  try {
    await expect(database.execute?.('BEGIN; SELECT 1 / 0; COMMIT', [])).rejects.toThrow();
    expect(await database.read(plain('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  } finally {
    await database.close();
  }
});

test('a transaction that fails where it begins leaves no connection in it (F1)', async () => {
  const database = createPostgres(place.url, OPERATION_LIMIT_MS);
  // More milliseconds than PostgreSQL takes: an error behind BEGIN.
  const written = database.write(function* () {
    yield plain('SELECT 1');
  }, 2 ** 32);
  await expect(written).rejects.toMatchObject({ name: 'RecordRefused' });
  expect(await database.read(plain('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  await database.close();
});

test('a step whose values cannot be sent takes back what was sent with it (F3)', async () => {
  const database = createPostgres(place.url, OPERATION_LIMIT_MS);
  await database.execute?.('CREATE TABLE moments (at TEXT)', []);
  const add = (at: Date) => unread(sql`INSERT INTO moments VALUES (${at})`);
  const written = database.write(function* () {
    yield add(new Date(0));
    yield add(new Date(Number.NaN));
  }, OPERATION_LIMIT_MS);
  await expect(written).rejects.toMatchObject({ name: 'RecordRefused', reason: 'unfit' });
  expect(await database.read(plain('SELECT at FROM moments'))).toEqual([]);
  await database.close();
});

test('writers in conflict are tried again whatever language PostgreSQL speaks, and no connection is lost (F3)', async () => {
  const proxy = await openPostgresProxy(place.url);
  proxy.translate();
  const database = createPostgres(proxy.url, OPERATION_LIMIT_MS);
  await expect(database.read(plain('SELECT 1 / 0'))).rejects.toMatchObject({ name: 'RecordRefused' });
  let tries = 0;
  await database.write(function* () {
    tries += 1;
    if (tries === 1) yield plain("DO $$ BEGIN RAISE SQLSTATE '40001'; END $$");
  }, OPERATION_LIMIT_MS);
  expect(tries).toBe(2);
  expect(proxy.connections()).toBe(1);
  await database.close();
});

test('writers that meet wait for each other, whatever the database begins transactions with (F3)', async () => {
  const strict = `${place.url}?options=${encodeURIComponent('-c default_transaction_isolation=serializable')}`;
  const database = createPostgres(strict, OPERATION_LIMIT_MS);
  const ask = plain('SHOW transaction_isolation');
  const within = await database.write(function* (): Steps<readonly Row[]> {
    return yield ask;
  }, OPERATION_LIMIT_MS);
  expect([await database.read(ask), within]).toEqual([
    [{ transaction_isolation: 'serializable' }],
    [{ transaction_isolation: 'read committed' }],
  ]);
  await database.close();
});

test('a connection that hangs is closed without an answer to what was asked on it (F1)', async () => {
  const proxy = await openPostgresProxy(place.url);
  const database = createPostgres(proxy.url, OPERATION_LIMIT_MS);
  await database.read(plain('SELECT 1'));
  proxy.hang(true);
  const written = database.write(function* () {
    yield plain('SELECT 1');
  }, OPERATION_LIMIT_MS);
  const refused = await Promise.allSettled([database.read(plain('SELECT 1')), written]);
  for (const each of refused) expect(each).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailable' } });
  await database.close();
  await expect.poll(proxy.connections).toBe(0);
});

test('what was refused because PostgreSQL took too long is not written when it goes on (F3, H6)', async () => {
  const proxy = await openPostgresProxy(place.url);
  const database = createPostgres(proxy.url, OPERATION_LIMIT_MS);
  await database.execute?.('CREATE TABLE refused (id INTEGER)', []);
  const written = database.write(function* () {
    yield plain('SELECT 1');
    // Behind this step all is sent at once, the commit with it.
    proxy.hold(true);
    yield unread(plain('INSERT INTO refused VALUES (1)'));
  }, OPERATION_LIMIT_MS);
  await expect(written).rejects.toMatchObject({ name: 'StoreUnavailable' });
  proxy.hold(false);
  await expect.poll(proxy.connections).toBe(0);
  const isThere = "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%refused%' AND pid <> pg_backend_pid()";
  await expect.poll(async () => (await world.query(place, isThere)).length).toBe(0);
  expect(await world.query(place, 'SELECT id FROM refused')).toEqual([]);
  await database.close();
});

test('a read that takes longer than the limit is refused, and PostgreSQL does not go on with it (H6)', async () => {
  const database = createPostgres(place.url, OPERATION_LIMIT_MS);
  // Longer than any test: it ends because it is ended.
  const endless = 'SELECT pg_sleep(3600)';
  try {
    await expect(database.read(plain(endless))).rejects.toMatchObject({ name: 'StoreUnavailable' });
    const isGoingOn = async () => {
      const sleeping = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query = '${endless}'`;
      return (await world.query(place, sleeping)).length > 0;
    };
    await expect.poll(isGoingOn).toBe(false);
  } finally {
    await database.close();
  }
});

test.each(['postgres://127.0.0.1/%zz', 'postgres://127.0.0.1/x?sslnegotiation=odd'])(
  'an address that cannot be read is refused with a sentence: %s (F1)',
  async (url) => {
    const database = createPostgres(url, OPERATION_LIMIT_MS);
    await expect(database.read(plain('SELECT 1'))).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await database.close();
  },
);
