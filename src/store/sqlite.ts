// SQLite behind the port in sql.ts: the only file that imports libsql. Every call is synchronous and short; what waits for
// another process waits outside SQLite, so that the event loop goes on.
import Database from 'libsql';
import { monotonicMs } from '../async/monotonic-clock.ts';
import { sleep } from '../async/sleep.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { prepareSqliteFile } from './data-directory.ts';
import { type Driver, plain, type Row, type SqlValue, type Statement, type Steps, sqliteDialect } from './sql.ts';
import {
  findMark,
  findSurprise,
  hasForeignLog,
  markFiles,
  type OpenedFiles,
  removeOwnFilesBeside,
  type Surprise,
} from './sqlite-files.ts';
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

interface OpenFile extends Connection {
  readonly files: OpenedFiles;
}

/** Before a statement the files are looked at so often; before and after each commit in any case. */
const LOOK_MS = 50;

/** `onSurprise`: when the files were deleted or replaced, once each time. Nothing is opened before the first statement. */
export function createSqlite(
  dataDirectory: string,
  readLimitMs: number,
  onSurprise: (surprise: Surprise) => void,
): Driver {
  let opened: OpenFile | undefined;
  let surprise: Surprise | undefined;
  let lookedMs = 0;
  const drop = () => {
    opened?.prepared.clear();
    opened?.database.close();
    opened = undefined;
  };
  const look = (file: OpenFile): Surprise | undefined => {
    lookedMs = monotonicMs();
    return findSurprise(file.files);
  };
  /** Answers whether all that was committed is in the file that lies at the path. */
  const meet = (file: OpenFile, found: Surprise): boolean => {
    if (found.kind !== surprise?.kind) onSurprise(found);
    surprise = found;
    const isLeft = leave(file, found);
    if (isLeft) opened = undefined;
    return isLeft && found.kind === 'beside';
  };
  const refuse = (file: OpenFile, found: Surprise): never => {
    meet(file, found);
    throw new StoreUnavailable(found.refusal);
  };
  const reach = (): OpenFile => {
    if (opened !== undefined && (surprise !== undefined || monotonicMs() - lookedMs > LOOK_MS)) {
      const found = look(opened);
      if (found !== undefined) refuse(opened, found);
    }
    opened ??= openFile(dataDirectory);
    surprise = undefined;
    return opened;
  };
  const attempt = <T>(work: (file: OpenFile) => T): T => {
    try {
      return work(reach());
    } catch (error) {
      if (isBroken(error)) drop();
      throw error;
    }
  };
  const commit = <T>(steps: () => Steps<T>) =>
    attempt((file): T => {
      const outcome = runTransaction(file, steps, () => look(file));
      // Nothing of it is kept, so that it can be tried again.
      if ('surprise' in outcome) return refuse(file, outcome.surprise);
      // Acknowledged only if it is in the file that lies there, refused only if it is not (A8).
      const found = look(file);
      if (found !== undefined && !meet(file, found)) throw new StoreUnavailable(found.refusal);
      return outcome.value;
    });
  return {
    dialect: sqliteDialect,
    read: (statement) => untilFree(() => attempt((file) => run(file, statement)), readLimitMs),
    write: (steps, limitMs) => untilFree(() => commit(steps), limitMs),
    connections: () => undefined,
    // Opens nothing and does not look at the files: it is asked several times a second.
    version: () => (opened === undefined ? undefined : Number(run(opened, DATA_VERSION)[0]?.data_version)),
    close: async () => {
      if (opened !== undefined) emptyLog(opened);
      drop();
    },
  };
}

const DATA_VERSION = plain('PRAGMA data_version');

function openFile(dataDirectory: string): OpenFile {
  const path = prepareSqliteFile(dataDirectory);
  const expected = findMark(path);
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  const connection = { database, prepared: new Map<string, Prepared>() };
  try {
    refuseForeign(connection);
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
    // The first read in this mode makes what lies beside the database.
    run(connection, SELECT_TABLES);
    return { ...connection, files: markFiles(path, expected) };
  } catch (error) {
    database.close();
    throw error;
  }
}

const SELECT_TABLES = plain("SELECT name FROM sqlite_master WHERE type = 'table'");

/** Ours has a table of migrations from its first transaction on. Before anything is written. */
function refuseForeign(connection: Connection): void {
  const tables = run(connection, SELECT_TABLES);
  if (tables.length === 0 || tables.some(({ name }) => name === 'repertoire_migrations')) return;
  throw new StoreUnavailable(
    'Cannot use the log: repertoire.db belongs to another program; move it out of the data directory',
  );
}

/**
 * Leaves a database whose files are not at their path any more. What its log holds goes into its own file, wherever that is
 * now; what lies beside the path and is ours goes away. False: other processes use the same files; try again.
 */
function leave(file: OpenFile, { kind }: Surprise): boolean {
  file.prepared.clear();
  // Closes the log and the index, too: closed later, SQLite would delete what has their names by then.
  if (!hasForeignLog(file.files) && tryRun(file, 'PRAGMA journal_mode = DELETE')) {
    file.database.close();
    return true;
  }
  if (kind === 'beside') return false;
  tryRun(file, 'PRAGMA wal_checkpoint(PASSIVE)');
  removeOwnFilesBeside(file.files);
  left.add(file.database);
  return true;
}

/** Never closed, for the same reason: three descriptors for each time that a file in use by several processes is replaced. */
const left = new Set<Database.Database>();

function tryRun(file: OpenFile, text: string): boolean {
  try {
    run(file, plain(text));
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError) return false;
    throw error;
  }
}

/** libsql does not do it when it closes, and up to 16 MB would lie beside the database until it is opened again. */
function emptyLog(file: OpenFile): void {
  // If it fails nothing is lost: the next process that opens the file does it.
  tryRun(file, 'PRAGMA wal_checkpoint(TRUNCATE)');
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

/** What `look` finds when all is written and nothing committed yet takes everything back. */
function runTransaction<T>(
  file: OpenFile,
  steps: () => Steps<T>,
  look: () => Surprise | undefined,
): { readonly value: T } | { readonly surprise: Surprise } {
  run(file, plain('BEGIN IMMEDIATE'));
  try {
    const value = take(file, steps());
    const surprise = look();
    run(file, plain(surprise === undefined ? 'COMMIT' : 'ROLLBACK'));
    return surprise === undefined ? { value } : { surprise };
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

function run(file: Connection, { text, values }: Statement): readonly Row[] {
  // SQLite's rows are objects with a key per column.
  return prepare(file, text).all(values.map(toSqlite)) as Row[];
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
