// A first start while the tables are still being made, by this process or by another one that holds the lock (F3, H6).
import { expect, test } from 'vitest';
import { createLatch } from '../../tests/support/latch.ts';
import { stopTime } from '../../tests/support/stopped-time.ts';
import { createGuardedSql, createRetryGate } from './guarded-sql.ts';
import { limitsOf } from './limits.ts';
import { EVERYTHING, migrations } from './migrate.ts';
import { type Driver, plain, sqliteDialect } from './sql.ts';

/** Empty until `finish` is called, which ends the wait for the lock: another process has made the tables meanwhile. */
function openEmptyDatabase() {
  let applied: readonly { readonly number: number }[] = [];
  const finished = createLatch();
  const finish = () => {
    applied = migrations.map(({ number }) => ({ number }));
    finished.open();
  };
  const database: Driver = {
    dialect: sqliteDialect,
    read: async ({ text }) => (text.includes('sqlite_master') ? [{ found: 1 }] : applied),
    write: () => finished.opened as Promise<never>,
    close: async () => {},
    connections: () => undefined,
  };
  return { database, finish };
}

test('says so in a sentence, to the next at once, and serves as soon as they are there (F3, H6)', async () => {
  const time = stopTime();
  const { database, finish } = openEmptyDatabase();
  const gate = createRetryGate(() => 0, Math.random);
  const guarded = createGuardedSql({
    plan: EVERYTHING,
    dialect: sqliteDialect,
    gate,
    open: async () => database,
    limits: limitsOf(1_700),
  });
  const refusal = 'Cannot use the database yet: its tables are being brought up to date; try again in a moment';
  const first = expect(guarded.read(plain('SELECT 1'))).rejects.toThrow(refusal);
  await time.pass(1_700);
  await first;
  // No time passes any more: who came later does not wait.
  await expect(guarded.read(plain('SELECT 1'))).rejects.toThrow(refusal);
  await expect(guarded.write(function* () {})).rejects.toMatchObject({ name: 'StoreUnavailable', message: refusal });
  // The clock of this gate stands still: once closed it would stay closed.
  finish();
  await guarded.migrate();
  expect(await guarded.read(plain('SELECT 1'))).toHaveLength(migrations.length);
});
