// SQLite behind the port in sql.ts: the only file that imports libsql. Every call is synchronous and short; what waits for
// another process waits outside SQLite, so that the event loop goes on.
import Database from 'libsql';
import { monotonicMs } from '../async/monotonic-clock.ts';
import { sleep } from '../async/sleep.ts';
import { prepareSqliteFile } from './data-directory.ts';
import {
  OPERATION_LIMIT_MS,
  plain,
  type Row,
  type Sql,
  type SqlValue,
  type Statement,
  type Steps,
  sqliteDialect,
} from './sql.ts';
import { isBroken, isBusy, toSqliteFailure } from './store-errors.ts';

/** SQLite waits on this thread, so that the event loop waits, too: no longer than a commit of another process takes. */
const BUSY_TIMEOUT_MS = 5;

/** Batches of every size have a text of their own. */
const MOST_PREPARED = 300;

type Prepared = Database.Statement<[readonly (string | number | null)[]]>;

interface Connection {
  readonly database: Database.Database;
  readonly prepared: Map<string, Prepared>;
}

/** Nothing is opened before the first statement. `operationLimitMs`: for whatever says no limit of its own. */
export function createSqlite(dataDirectory: string, operationLimitMs = OPERATION_LIMIT_MS): Sql {
  let connection: Connection | undefined;
  const drop = () => {
    connection?.prepared.clear();
    connection?.database.close();
    connection = undefined;
  };
  const attempt = <T>(work: (connection: Connection) => T): T => {
    try {
      connection ??= openConnection(dataDirectory);
      return work(connection);
    } catch (error) {
      if (isBroken(error)) drop();
      throw error;
    }
  };
  return {
    dialect: sqliteDialect,
    read: (statement) => untilFree(() => attempt((open) => run(open, statement)), operationLimitMs),
    write: (steps, { limitMs } = { limitMs: operationLimitMs }) =>
      untilFree(() => attempt((open) => runTransaction(open, steps)), limitMs),
    close: async () => {
      if (connection !== undefined) emptyLog(connection);
      drop();
    },
  };
}

function openConnection(dataDirectory: string): Connection {
  const database = new Database(prepareSqliteFile(dataDirectory), { timeout: BUSY_TIMEOUT_MS });
  const connection = { database, prepared: new Map() };
  try {
    for (const setting of [
      'journal_mode = WAL',
      'synchronous = FULL',
      'foreign_keys = ON',
      // 16 MB of log. Four times as much makes checkpoints rarer, but a log that still grows takes 0.2 ms more per commit
      // until it begins again from its start, and after a crash all of it is read before the first answer.
      'wal_autocheckpoint = 4000',
    ]) {
      run(connection, plain(`PRAGMA ${setting}`));
    }
    return connection;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** libsql does not do it by itself at the end, and up to 16 MB would lie beside the database until somebody opens it. */
function emptyLog(connection: Connection): void {
  try {
    run(connection, plain('PRAGMA wal_checkpoint(TRUNCATE)'));
  } catch (error) {
    // Nothing is lost by it: the next one to open the file does it.
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}

/** Again while another process writes: after a moment that differs for each, until the limit. */
async function untilFree<T>(work: () => T, limitMs: number): Promise<T> {
  const deadline = monotonicMs() + limitMs;
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || monotonicMs() > deadline) throw toSqliteFailure(error);
      await sleep(Math.random() * Math.min(tries * 2, 20));
    }
  }
}

function runTransaction<T>(connection: Connection, steps: () => Steps<T>): T {
  run(connection, plain('BEGIN IMMEDIATE'));
  try {
    const value = take(connection, steps());
    run(connection, plain('COMMIT'));
    return value;
  } catch (error) {
    // A full disk makes SQLite roll back by itself.
    if (connection.database.inTransaction) run(connection, plain('ROLLBACK'));
    throw error;
  }
}

function take<T>(connection: Connection, steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next(run(connection, step.value));
  return step.value;
}

function run(connection: Connection, { text, values }: Statement): readonly Row[] {
  // SQLite's rows are objects with a key per column.
  return prepare(connection, text).all(values.map(toSqlite)) as Row[];
}

function prepare({ database, prepared }: Connection, text: string): Prepared {
  const known = prepared.get(text);
  if (known !== undefined) return known;
  if (prepared.size >= MOST_PREPARED) prepared.clear();
  const fresh = database.prepare<[readonly (string | number | null)[]]>(text);
  prepared.set(text, fresh);
  return fresh;
}

/** libsql ends the whole process when it is given a boolean. */
function toSqlite(value: SqlValue): string | number | null {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'boolean' ? Number(value) : value;
}
