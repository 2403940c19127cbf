// A database that is opened at its first use and brought up to date; after a failure it is left alone for a moment.
import { StoreUnavailable } from '../execution/invocation-log.ts';
import { monotonicMs } from '../monotonic-clock.ts';
import { migrate } from './migrate.ts';
import type { RetryGate } from './retry-gate.ts';
import { type Dialect, OPERATION_LIMIT_MS, type Sql, type Steps, type WriteLimits } from './sql.ts';
import { withTimeLimit } from './time-limit.ts';

export interface GuardedSql extends Sql {
  /** The names of the migrations that the first use in this process applied. */
  migrate(): Promise<readonly string[]>;
}

export interface GuardedOptions {
  readonly dialect: Dialect;
  readonly gate: RetryGate;
  /** Imports the driver: no driver is loaded before it is needed. */
  readonly open: () => Promise<Sql>;
}

export function createGuardedSql({ dialect, gate, open }: GuardedOptions): GuardedSql {
  let opened: Promise<Sql> | undefined;
  let database: Sql | undefined;
  let migrated: Promise<readonly string[]> | undefined;
  let closed: Promise<void> | undefined;

  const ready = async (): Promise<Sql> => {
    if (closed !== undefined) throw new StoreUnavailable('Cannot use the store: it is closed');
    const refusal = gate.closedBy();
    if (refusal !== undefined) throw refusal;
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    database = await opened;
    migrated ??= migrate(database).catch((error: unknown) => {
      migrated = undefined;
      throw error;
    });
    await migrated;
    return database;
  };
  const readyInTime = () => withTimeLimit(ready(), OPERATION_LIMIT_MS).catch(noteFailure);
  const noteFailure = (error: unknown): never => {
    // Who was sent away by the gate does not keep it closed.
    if (error instanceof StoreUnavailable && error !== gate.closedBy()) gate.failed(error);
    throw error;
  };
  const write = async <T>(database: Sql, steps: () => Steps<T>, limits: WriteLimits): Promise<T> => {
    const value = await database.write(steps, limits).catch((error: unknown) => {
      // The file or the server may be another one afterwards: look again whether its tables are there.
      if (error instanceof StoreUnavailable) migrated = undefined;
      return noteFailure(error);
    });
    gate.succeeded();
    return value;
  };
  return {
    dialect,
    // A slow question is the asker's misfortune: it does not close the gate for writers.
    read: (statement) =>
      withTimeLimit(
        readyInTime().then((database) => database.read(statement)),
        OPERATION_LIMIT_MS,
      ),
    async write(steps, { limitMs } = { limitMs: OPERATION_LIMIT_MS }) {
      const started = monotonicMs();
      const database = await readyInTime();
      // The limit is for both; PostgreSQL takes nothing for no limit.
      return write(database, steps, { limitMs: Math.ceil(Math.max(1, limitMs - (monotonicMs() - started))) });
    },
    migrate: async () => {
      await ready();
      return (await migrated) ?? [];
    },
    connections: () => database?.connections?.(),
    close: () => {
      closed ??= closeOpened(opened);
      return closed;
    },
  };
}

/** What could not be opened has told its reason to those who asked. */
async function closeOpened(opened: Promise<Sql> | undefined): Promise<void> {
  const database = await opened?.catch(() => undefined);
  await database?.close();
}
