// Fresh stores for tests: a folder or a database of their own each, all gone afterwards.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadLog } from '../../../src/repertoire/load-log.ts';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import type { FailureCode } from '../../../src/skills/define/failure.ts';
import type { Invocation, InvocationResult } from '../../../src/skills/define/invocation.ts';
import type { InvocationLog } from '../../../src/skills/record/invocation-log.ts';
import { createMemoryInvocationLog, createMemoryLoadLog } from '../../../src/store/fixtures/memory.ts';
import { plain } from '../../../src/store/sql.ts';
import { createSqlite } from '../../../src/store/sqlite.ts';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store.ts';
import { PATIENT } from '../../support/patience.ts';
import { createDatabase, queryPostgres } from '../../support/postgres-database.ts';
import { LOG_TABLES } from '../../support/store-tables.ts';

type Logs = { readonly invocations: InvocationLog; readonly loads: LoadLog };

export interface StoreWorld {
  /** Empty, and of this test alone. */
  place(kind: 'sqlite' | 'postgres'): Promise<StorePlace>;
  open(place: StorePlace, options?: Partial<StoreOptions>): Store;
  logs(kind: 'memory' | 'sqlite' | 'postgres'): Promise<Logs>;
  /** Straight to the tables of a PostgreSQL. */
  query(place: StorePlace, text: string): Promise<readonly Record<string, unknown>[]>;
  /** Leaves the invocations as a version before 0027 wrote them. */
  forgetOwners(place: StorePlace): Promise<void>;
  /** Closes what was opened since the last time. */
  closeAll(): Promise<void>;
  end(): Promise<void>;
}

/** `postgres`: a server in which databases can be made. */
export function createStoreWorld(postgres: { readonly url: string }): StoreWorld {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-store-'));
  let stores: Store[] = [];
  let shared: StorePlace | undefined;
  const open = (place: StorePlace, options: Partial<StoreOptions> = {}) => {
    const store = openStore(place, {
      ...PATIENT,
      trailKey: { dataDirectory: join(folder, 'keys'), secret: undefined },
      ...options,
    });
    stores.push(store);
    return store;
  };
  const closeAll = async () => {
    await Promise.all(stores.map((store) => store.close()));
    stores = [];
  };
  const place = async (kind: 'sqlite' | 'postgres'): Promise<StorePlace> => {
    if (kind === 'sqlite') return { kind, dataDirectory: join(folder, randomUUID()) };
    return createDatabase(postgres);
  };
  return {
    place,
    open,
    closeAll,
    async forgetOwners(where) {
      const forget = 'UPDATE skill_invocations SET owner_key = NULL';
      if (where.kind === 'postgres') return void (await queryPostgres(where.url, forget));
      const file = createSqlite(where.dataDirectory, 10_000, () => undefined);
      try {
        await file.write(function* () {
          yield plain(forget);
        }, 10_000);
      } finally {
        await file.close();
      }
    },
    query: (where, text) => queryPostgres(where.kind === 'postgres' ? where.url : '', text),
    async logs(kind) {
      if (kind === 'memory') return { invocations: createMemoryInvocationLog(), loads: createMemoryLoadLog() };
      if (kind === 'sqlite') return open(await place(kind));
      // One database, emptied: making one takes longer than the test.
      shared ??= await place(kind);
      const store = open(shared);
      await store.migrate();
      await emptyTables(shared);
      return store;
    },
    async end() {
      try {
        await closeAll();
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

async function emptyTables(place: StorePlace): Promise<void> {
  await queryPostgres(place.kind === 'postgres' ? place.url : '', `TRUNCATE ${LOG_TABLES.join(', ')}`);
}

/** A row for each statement that waits for a lock in this database. */
export const LOCK_WAITS =
  "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";

/** Whole milliseconds in the past, so that minutes and pages are under the test's control. */
export const moment = (offsetMs = 0): Date => new Date(Date.UTC(2026, 10, 15, 10, 0, 0) + offsetMs);

export function invocationOf(given: Partial<Invocation> = {}): Invocation {
  return {
    id: randomUUID(),
    skillName: 'greet',
    inputPayload: { name: 'Ada', tags: ['a', 'b'] },
    invokingAgent: 'TaskAgent',
    correlationId: randomUUID(),
    timestamp: moment(),
    status: 'running',
    ...given,
  };
}

export function successOf({ id, timestamp }: Invocation, durationMs = 12): InvocationResult {
  return { invocationId: id, success: true, outputPayload: { greeting: 'Hello' }, durationMs, timestamp };
}

export function failureOf(
  { id, timestamp }: Invocation,
  code: FailureCode = 'NOT_FOUND',
  durationMs = 12,
): InvocationResult {
  const failure = { code, message: 'Resource not found: task 5', details: { resource: 'task 5' } };
  return { invocationId: id, success: false, failure, durationMs, timestamp };
}

/** As the runtime does: the beginning is let go, the end is waited for. */
export async function logRun(
  log: InvocationLog,
  invocation: Invocation,
  result = successOf(invocation),
): Promise<void> {
  const begun = log.begin(invocation);
  await Promise.all([begun, log.end(invocation, result)]);
}
