// What the log says of runs whose beginning or end came while the store was away or too slow (X2, X3).
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failureOf, invocationOf, logRun, successOf } from '../../tests/contracts/stores/store-world.ts';
import { PATIENCE_MS } from '../../tests/support/patience.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { createInvocationStore, type InvocationStore } from './invocation-store.ts';
import { createLease, type Lease } from './lease.ts';
import { limitsOf } from './limits.ts';
import { migrate } from './migrate.ts';
import { readProcessOwner } from './process-owner.ts';
import { type Driver, type Sql, withWriteLimit } from './sql.ts';
import { createSqlite } from './sqlite.ts';
import { sweep } from './sweep.ts';

let folder: string;
let driver: Driver;
let database: Sql;
/** `late`: what is written is not acknowledged any more, as when a server that hung wakes up. */
let state: 'well' | 'away' | 'late';
let lease: Lease;
let store: InvocationStore;
/** Of every text that the database handed over. */
let bytesRead: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-store-'));
  driver = createSqlite(folder, PATIENCE_MS, () => undefined);
  const bare = withWriteLimit(driver, PATIENCE_MS);
  await migrate(bare);
  state = 'well';
  bytesRead = 0;
  database = {
    ...bare,
    async read(statement) {
      const rows = await bare.read(statement);
      for (const value of rows.flatMap((row) => Object.values(row))) bytesRead += String(value).length;
      return rows;
    },
    async write(steps) {
      if (state === 'away') throw new StoreUnavailable('away');
      const value = await bare.write(steps);
      if (state === 'late') throw new StoreUnavailable('too slow');
      return value;
    },
  };
  lease = createLease(readProcessOwner(randomUUID()), Date.now, async () => {});
  store = createInvocationStore(database, lease, limitsOf(PATIENCE_MS));
});
afterEach(async () => {
  lease.stop();
  await driver.close();
  rmSync(folder, { recursive: true, force: true });
});

const sweepNow = () => sweep(database, { self: lease.owner, isOurs: store.isOurs, now: () => new Date() });
const refused = (work: Promise<void>) => expect(work).rejects.toBeInstanceOf(StoreUnavailable);
const findStatus = async (id: string) => (await store.find(id))?.invocation.status;

describe('an end that came while the store was away', () => {
  test('is written as it was when the store is back, once (X2, X3)', async () => {
    const [first, second] = [invocationOf(), invocationOf()];
    await Promise.all([store.begin(first), store.begin(second)]);
    state = 'away';
    await refused(store.end(first, successOf(first)));
    await refused(store.end({ ...second, status: 'timeout' }, failureOf(second, 'TIMEOUT')));
    state = 'well';
    expect(await findStatus(first.id)).toBe('running');
    await logRun(store, invocationOf());
    await expect.poll(() => findStatus(first.id)).toBe('completed');
    expect(await store.find(first.id)).toMatchObject({
      invocation: { status: 'completed' },
      result: { success: true },
    });
    expect(await findStatus(second.id)).toBe('timeout');
    expect(await sweepNow()).toBe(0);
    expect(lease.isOver()).toBe(true);
    await expect(store.end(first, successOf(first))).rejects.toMatchObject({ name: 'RecordRefused' });
  });

  test('is not taken for forgotten by a sweep before it is written (X3)', async () => {
    const invocation = invocationOf();
    await store.begin(invocation);
    state = 'away';
    await refused(store.end(invocation, successOf(invocation)));
    state = 'well';
    expect(await sweepNow()).toBe(0);
    await store.writeLate();
    expect(await findStatus(invocation.id)).toBe('completed');
  });

  test('stays lost when its beginning is lost, too (X7)', async () => {
    const invocation = invocationOf();
    state = 'away';
    await refused(logRun(store, invocation));
    state = 'well';
    await store.writeLate();
    expect(await store.find(invocation.id)).toBeUndefined();
  });

  test('is written without its payload when that was too large to keep (A7, F4)', async () => {
    const long = { answer: 'x'.repeat(3 * 2 ** 20) };
    const runs = Array.from({ length: 4 }, () => invocationOf());
    for (const run of runs) await store.begin(run);
    state = 'away';
    for (const run of runs) await refused(store.end(run, { ...successOf(run), success: true, outputPayload: long }));
    state = 'well';
    await store.writeLate();
    expect(await sweepNow()).toBe(0);
    const found = await Promise.all(runs.map(({ id }) => store.find(id)));
    expect(found.map((each) => each?.invocation.status)).toEqual(runs.map(() => 'completed'));
    const missing = { not_recorded: 'the log had no room for it', bytes: 3 * 2 ** 20 + 13 };
    expect(found.slice(2).map((each) => each?.result)).toMatchObject([
      { outputPayload: missing },
      { outputPayload: missing },
    ]);
  });

  test('is there after all when only the answer was late: one result, and others are written beside it (X3)', async () => {
    const [written, other] = [invocationOf(), invocationOf()];
    await Promise.all([store.begin(written), store.begin(other)]);
    state = 'late';
    await refused(store.end(written, successOf(written)));
    state = 'away';
    await refused(store.end(other, successOf(other)));
    state = 'well';
    await store.writeLate();
    expect(await sweepNow()).toBe(0);
    expect([await findStatus(written.id), await findStatus(other.id)]).toEqual(['completed', 'completed']);
  });
});

describe('a beginning that was refused and is written all the same', () => {
  test('is left alone while its run goes on, and its end is taken (X2)', async () => {
    const invocation = invocationOf();
    state = 'late';
    await refused(store.begin(invocation));
    state = 'well';
    expect(await sweepNow()).toBe(0);
    expect(lease.isOver()).toBe(false);
    await store.end(invocation, successOf(invocation));
    expect(await findStatus(invocation.id)).toBe('completed');
  });

  test('is closed when it comes to light after its run has ended (X2)', async () => {
    const invocation = invocationOf();
    state = 'away';
    await refused(store.end(invocation, successOf(invocation)));
    state = 'well';
    await store.writeLate();
    state = 'late';
    await refused(store.begin(invocation));
    lease.ended(invocation.id);
    state = 'well';
    expect(await sweepNow()).toBe(1);
    expect(await store.find(invocation.id)).toMatchObject({
      invocation: { status: 'failed' },
      result: { failure: { details: { interrupted: true } } },
    });
  });
});

test('a second beginning is refused and changes nothing for the run that goes on (X2)', async () => {
  const invocation = invocationOf();
  await store.begin(invocation);
  await expect(store.begin(invocation)).rejects.toMatchObject({ name: 'RecordRefused' });
  expect(store.isOurs(invocation.id)).toBe(true);
  await store.end(invocation, successOf(invocation));
  await expect(store.begin(invocation)).rejects.toMatchObject({ name: 'RecordRefused' });
  expect(store.isOurs(invocation.id)).toBe(false);
});

test('a list takes no long payload out of the database (A5)', async () => {
  const runs = Array.from({ length: 20 }, () => invocationOf({ inputPayload: { text: 'x'.repeat(2 ** 19) } }));
  const long = { answer: 'x'.repeat(2 ** 20) };
  for (const run of runs) await logRun(store, run, { ...successOf(run), success: true, outputPayload: long });
  bytesRead = 0;
  expect((await store.list({ limit: 1_000 })).invocations).toHaveLength(20);
  expect(bytesRead).toBeLessThan(20_000);
  expect((await store.find(runs[0]?.id ?? ''))?.result).toMatchObject({ outputPayload: long });
});
