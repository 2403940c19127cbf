// Opening a database counts into the time limit of the caller (H6); after a failure it is left alone (F1).
import { describe, expect, test, vi } from 'vitest';
import { stopTime } from '../../tests/support/stopped-time.ts';
import { sleep } from '../async/sleep.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { createGuardedSql, createRetryGate } from './guarded-sql.ts';
import { limitsOf, OPERATION_LIMIT_MS } from './limits.ts';
import { EVERYTHING, migrations } from './migrate.ts';
import { type Driver, plain, sqliteDialect } from './sql.ts';
import { missingTable, tooSlow, toPostgresFailure, toSqliteFailure } from './store-errors.ts';

const limits = limitsOf(OPERATION_LIMIT_MS);
const gate = () => createRetryGate(Date.now, Math.random);

/** What a database answers to whoever asks what it has: all migrations. */
const APPLIED = migrations.map(({ number }) => ({ number }));

/** Up to date. */
const database = (given: Partial<Driver>): Driver => ({
  dialect: sqliteDialect,
  read: async () => APPLIED,
  write: async () => undefined as never,
  close: async () => {},
  connections: () => undefined,
  ...given,
});

test('the time that opening takes is taken from the write (H6)', async () => {
  const { pass } = stopTime();
  const write = vi.fn(async () => undefined as never);
  const guarded = createGuardedSql({
    plan: EVERYTHING,
    dialect: sqliteDialect,
    gate: gate(),
    limits,
    open: async () => {
      await sleep(200);
      return database({ write });
    },
  });
  const written = guarded.write(function* () {});
  await pass(200);
  await written;
  expect(write).toHaveBeenCalledWith(expect.anything(), OPERATION_LIMIT_MS - 200);
});

test('opening and reading together are refused within two seconds (H6)', async () => {
  const { pass } = stopTime();
  const isQuestion = (text: string) => text === 'SELECT 1';
  const guarded = createGuardedSql({
    plan: EVERYTHING,
    dialect: sqliteDialect,
    gate: gate(),
    limits,
    open: async () => {
      await sleep(1_000);
      return database({
        read: async ({ text }) => {
          if (isQuestion(text)) await sleep(1_500);
          return APPLIED;
        },
      });
    },
  });
  const refused = expect(guarded.read(plain('SELECT 1'))).rejects.toMatchObject({ name: 'StoreUnavailable' });
  await pass(1_000);
  await pass(999);
  await refused;
});

describe('after a failure', () => {
  /** How often it was looked whether the tables are there, by a read or write that fails and one more read. */
  async function looksAround(kind: 'read' | 'write', failure: unknown): Promise<number> {
    let looks = 0;
    let hasFailed = false;
    const fail = async (): Promise<never> => {
      hasFailed = true;
      throw failure;
    };
    const read: Driver['read'] = async ({ text }) => {
      if (text === 'SELECT 1') return hasFailed || kind === 'write' ? [] : fail();
      looks += 1;
      return APPLIED;
    };
    const open = async () => database({ read, write: fail });
    let now = 0;
    const guarded = createGuardedSql({
      plan: EVERYTHING,
      dialect: sqliteDialect,
      gate: createRetryGate(() => now, Math.random),
      limits,
      open,
    });
    await guarded.read(plain('SELECT 0'));
    looks = 0;
    const failed = kind === 'read' ? guarded.read(plain('SELECT 1')) : guarded.write(function* () {});
    await expect(failed).rejects.toBe(failure);
    now += 10_000;
    await guarded.read(plain('SELECT 1'));
    return looks;
  }

  test.each(['read', 'write'] as const)('of a %s the tables are looked at again (A8)', async (kind) => {
    expect(await looksAround(kind, missingTable('sqlite', 'skill_loads'))).toBeGreaterThan(0);
  });

  test.each(['read', 'write'] as const)(
    'of a %s that took too long they are not: they are the same (A8)',
    async (kind) => {
      expect(await looksAround(kind, tooSlow())).toBe(0);
      expect(await looksAround(kind, toPostgresFailure(Object.assign(new Error('canceled'), { code: '57014' })))).toBe(
        0,
      );
    },
  );
});

describe('createRetryGate()', () => {
  const away = new StoreUnavailable('away');

  test('closes for longer after each failure, up to a second, and opens by itself (F1)', () => {
    let now = 0;
    const gate = createRetryGate(
      () => now,
      () => 1,
    );
    const pauses = Array.from({ length: 7 }, () => {
      gate.failed(away);
      const started = now;
      while (gate.closedBy() !== undefined) now += 1;
      return now - started;
    });
    expect(pauses).toEqual([50, 100, 200, 400, 800, 1_000, 1_000]);
  });

  test('two that fail together do not come back together (F1)', () => {
    const pauseFor = (random: number) => {
      let now = 0;
      const gate = createRetryGate(
        () => now,
        () => random,
      );
      gate.failed(away);
      while (gate.closedBy() !== undefined) now += 1;
      return now;
    };
    expect(pauseFor(0)).toBe(25);
    expect(pauseFor(1)).toBe(50);
  });

  test('a success forgets all failures', () => {
    let now = 0;
    const gate = createRetryGate(
      () => now,
      () => 1,
    );
    for (let failures = 0; failures < 9; failures += 1) gate.failed(away);
    gate.succeeded();
    expect(gate.closedBy()).toBeUndefined();
    gate.failed(away);
    expect(gate.closedBy()).toBe(away);
    now = 51;
    expect(gate.closedBy()).toBeUndefined();
  });
});

describe('while nothing can be written', () => {
  /** A write fails, then a read and a write are asked at once; how often each came through to the database. */
  async function askAfter(failure: unknown) {
    const [read, write] = [vi.fn(async () => APPLIED), vi.fn(() => Promise.reject(failure))];
    const guarded = createGuardedSql({
      plan: EVERYTHING,
      dialect: sqliteDialect,
      gate: createRetryGate(() => 0, Math.random),
      limits,
      open: async () => database({ read, write }),
    });
    await expect(guarded.write(function* () {})).rejects.toBe(failure);
    const asked = await Promise.allSettled([guarded.read(plain('SELECT 1')), guarded.write(function* () {})]);
    return { states: asked.map(({ status }) => status), writes: write.mock.calls.length };
  }

  test.each([
    toSqliteFailure({ code: 'SQLITE_FULL' }),
    toSqliteFailure({ code: 'ENOSPC' }),
    toSqliteFailure({ code: 'SQLITE_BUSY' }),
    toPostgresFailure({ code: '53100' }),
    toPostgresFailure({ code: '25006' }),
  ])('what was written can be read, and writers are refused at once: %s (F5)', async (failure) => {
    expect(await askAfter(failure)).toEqual({ states: ['fulfilled', 'rejected'], writes: 1 });
  });

  test('readers are refused at once, too, where the database is away (F1)', async () => {
    const away = toPostgresFailure({ code: 'ECONNREFUSED' });
    expect(await askAfter(away)).toEqual({ states: ['rejected', 'rejected'], writes: 1 });
  });
});
