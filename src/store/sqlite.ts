// SQLite behind the port in sql.ts: the only file that imports libsql. Every call is synchronous and short; what waits for
// another process waits outside SQLite, so that the event loop goes on.
import Database from 'libsql';
import { monotonicMs } from '../async/monotonic-clock.ts';
import { sleep } from '../async/sleep.ts';
import { prepareSqliteFile } from './data-directory.ts';
import { type Driver, plain, type Row, type SqlValue, type Statement, type Steps, sqliteDialect } from './sql.ts';
import { isBroken, isBusy, toSqliteFailure } from './store-errors.ts';

/** SQLite waits on this thread, so that the event loop waits, too: no longer than a commit of another process takes. */
const BUSY_TIMEOUT_MS = 5;

/** Batches of every size have a text of their own. */
const MOST_PREPARED = 300;

type Prepared = Database.Statement<[readonly (string | number | null)[]]>;

interface OpenFile {
  readonly database: Database.Database;
  readonly prepared: Map<string, Prepared>;
}

/** Nothing is opened before the first statement. */
export function createSqlite(dataDirectory: string, readLimitMs: number): Driver {
  let opened: OpenFile | undefined;
  const drop = () => {
    opened?.prepared.clear();
    opened?.database.close();
    opened = undefined;
  };
  const attempt = <T>(work: (file: OpenFile) => T): T => {
    try {
      opened ??= openFile(dataDirectory);
      return work(opened);
    } catch (error) {
      if (isBroken(error)) drop();
      throw error;
    }
  };
  return {
    dialect: sqliteDialect,
    read: (statement) => untilFree(() => attempt((file) => run(file, statement)), readLimitMs),
    write: (steps, limitMs) => untilFree(() => attempt((file) => runTransaction(file, steps)), limitMs),
    connections: () => undefined,
    close: async () => {
      if (opened !== undefined) emptyLog(opened);
      drop();
    },
  };
}

function openFile(dataDirectory: string): OpenFile {
  const database = new Database(prepareSqliteFile(dataDirectory), { timeout: BUSY_TIMEOUT_MS });
  const file = { database, prepared: new Map() };
  try {
    for (const setting of [
      'journal_mode = WAL',
      'synchronous = FULL',
      'foreign_keys = ON',
      // 16 MB of log. Four times as much makes checkpoints rarer, but a log that still grows takes 0.2 ms more per commit
      // until it begins again from its start, and after a crash all of it is read before the first answer.
      'wal_autocheckpoint = 4000',
    ]) {
      run(file, plain(`PRAGMA ${setting}`));
    }
    return file;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** libsql does not do it when it closes, and up to 16 MB would lie beside the database until it is opened again. */
function emptyLog(file: OpenFile): void {
  try {
    run(file, plain('PRAGMA wal_checkpoint(TRUNCATE)'));
  } catch (error) {
    // Nothing is lost: the next process that opens the file does it.
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

function runTransaction<T>(file: OpenFile, steps: () => Steps<T>): T {
  run(file, plain('BEGIN IMMEDIATE'));
  try {
    const value = take(file, steps());
    run(file, plain('COMMIT'));
    return value;
  } catch (error) {
    // A full disk makes SQLite roll back by itself.
    if (file.database.inTransaction) run(file, plain('ROLLBACK'));
    throw error;
  }
}

function take<T>(file: OpenFile, steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next(run(file, step.value));
  return step.value;
}

function run(file: OpenFile, { text, values }: Statement): readonly Row[] {
  // SQLite's rows are objects with a key per column.
  return prepare(file, text).all(values.map(toSqlite)) as Row[];
}

function prepare({ database, prepared }: OpenFile, text: string): Prepared {
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
