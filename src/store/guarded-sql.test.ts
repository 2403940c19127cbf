// Opening a database counts into the time limit of whoever asks (H6).
import { expect, test, vi } from 'vitest';
import { stopTime } from '../../tests/support/stopped-time.ts';
import { sleep } from '../async/sleep.ts';
import { createGuardedSql, createRetryGate } from './guarded-sql.ts';
import { migrations } from './migrate.ts';
import { OPERATION_LIMIT_MS, plain, type Sql, sqliteDialect } from './sql.ts';

const gate = () => createRetryGate(Date.now, Math.random);

/** Up to date. */
const database = (given: Partial<Sql>): Sql => ({
  dialect: sqliteDialect,
  read: async () => [{ found: 1, version: migrations.length }],
  write: async () => undefined as never,
  close: async () => {},
  ...given,
});

test('the time that opening takes is taken from the write (H6)', async () => {
  const { pass } = stopTime();
  const write = vi.fn(async () => undefined as never);
  const guarded = createGuardedSql({
    dialect: sqliteDialect,
    gate: gate(),
    open: async () => {
      await sleep(200);
      return database({ write });
    },
  });
  const written = guarded.write(function* () {});
  await pass(200);
  await written;
  expect(write).toHaveBeenCalledWith(expect.anything(), { limitMs: OPERATION_LIMIT_MS - 200 });
});

test('opening and reading together are refused within two seconds (H6)', async () => {
  const { pass } = stopTime();
  const isQuestion = (text: string) => text === 'SELECT 1';
  const guarded = createGuardedSql({
    dialect: sqliteDialect,
    gate: gate(),
    open: async () => {
      await sleep(1_000);
      return database({
        read: async ({ text }) => {
          if (isQuestion(text)) await sleep(1_500);
          return [{ found: 1, version: migrations.length }];
        },
      });
    },
  });
  const refused = expect(guarded.read(plain('SELECT 1'))).rejects.toMatchObject({ name: 'StoreUnavailable' });
  await pass(1_000);
  await pass(999);
  await refused;
});
