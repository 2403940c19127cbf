// What the store asks of a database: statements in the dialects' common subset, alone or together as one transaction; and
// what the two dialects say differently.

import type { StoreKind } from '../settings/store-place.ts';

export type SqlValue = string | number | boolean | Date | null;

/** Values are bound, never written into the text: each stands for one `?`. */
export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** See `unread`. */
  readonly isUnread?: true;
}

/** Dates are milliseconds since 1970, JSON is text, whole numbers are numbers; SQLite's booleans are 0 and 1. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * A transaction: each `yield` is a statement, answered with its rows. SQLite runs it in one go, so nothing comes between;
 * PostgreSQL waits at each step.
 */
export type Steps<T> = Generator<Statement, T, readonly Row[]>;

/** What the two dialects say differently outside the migrations. */
export interface Dialect {
  readonly kind: StoreKind;
  /** The database's clock, as a moment. */
  readonly now: Statement;
  readonly secondsAgo: (seconds: number) => Statement;
  /** Conditions of which a row meets at most one, as this database answers fastest: one query for each, or one for all. */
  readonly alternatives: (conditions: readonly Statement[]) => readonly Statement[];
  /** What follows IN: any number of texts as one value, so that the text of the statement is always the same. */
  readonly manyTexts: (texts: readonly string[]) => Statement;
  /** What a column takes, without reading what is in it: in the database's own form, which may be compressed. */
  readonly storedBytes: (column: string) => Statement;
  /** At the end of a SELECT within a write: takes the rows, without those that another transaction has taken. */
  readonly skipLocked: Statement;
  /** The same, waiting for them. */
  readonly waitLocked: Statement;
  /** One row with `found` if there is a table `repertoire_migrations`. */
  readonly findMigrations: Statement;
  /** Of a row `wanted` with a `name`: whether there is no such table. */
  readonly isMissing: Statement;
  /** Held until the end of the transaction: of several processes one migrates. */
  readonly migrationLock: Statement | undefined;
}

/** A database as the parts of the store use it. How long an operation may take is decided behind it: see limits.ts. */
export interface Sql {
  readonly dialect: Dialect;
  read(statement: Statement): Promise<readonly Row[]>;
  /** All or nothing. The steps may be taken more than once: when another writer was in the way. */
  write<T>(steps: () => Steps<T>): Promise<T>;
}

/** What a database driver provides. Only a write may have a limit of its own: a migration takes longer. */
export interface Driver {
  readonly dialect: Dialect;
  read(statement: Statement): Promise<readonly Row[]>;
  write<T>(steps: () => Steps<T>, limitMs: number): Promise<T>;
  close(): Promise<void>;
  /** Undefined for a database without connections. */
  connections(): ConnectionCounts | undefined;
  /** Of a file: another number when another process has changed it. Undefined: it is not open. */
  version?(): number | undefined;
  /** Only where the database tells of changes by itself. `onLost`: once, when nothing more will be heard. */
  listen?(hear: (payload: string) => void, onLost: () => void): Promise<Listening>;
  /** Only PostgreSQL: a statement of a library, with its own placeholders and the values as that library expects them. */
  execute?(text: string, values: readonly unknown[]): Promise<ForeignRows>;
}

/** Rows of a library's own tables: only that library knows what is in them. */
export interface ForeignRows {
  readonly rows: unknown[];
}

/** What is told to the processes of one store comes in, until it is closed. */
export interface Listening {
  close(): Promise<void>;
}

/** The driver, with one limit for every write. */
export const withWriteLimit = (driver: Driver, limitMs: number): Sql => ({
  dialect: driver.dialect,
  read: driver.read,
  write: (steps) => driver.write(steps, limitMs),
});

export interface ConnectionCounts {
  readonly open: number;
  readonly idle: number;
  /** Operations that wait for one. */
  readonly waiting: number;
}

/** `` sql`SELECT 1 WHERE id = ${id}` ``: a value becomes `?`, a statement becomes part of this one. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (SqlValue | Statement)[]): Statement {
  const values: SqlValue[] = [];
  let text = strings[0] ?? '';
  for (const [index, part] of parts.entries()) {
    if (isStatement(part)) values.push(...part.values);
    else values.push(part);
    text += (isStatement(part) ? part.text : '?') + (strings[index + 1] ?? '');
  }
  return { text, values };
}

/** `(?, ?, ?)` */
export const list = (values: readonly SqlValue[]): Statement => ({ text: placesFor(values), values });

const placesFor = ({ length }: readonly SqlValue[]): string => (length === 0 ? '()' : `(${'?, '.repeat(length - 1)}?)`);

/** `(?, ?), (?, ?)`: what follows VALUES. */
export const tuples = (rows: readonly (readonly SqlValue[])[]): Statement => join(rows.map(list), ', ');

export function join(parts: readonly Statement[], between: string): Statement {
  // With `flatMap`, which V8 takes six times as long for, this was a fiftieth of what a call costs.
  const values: SqlValue[] = [];
  for (const part of parts) for (const value of part.values) values.push(value);
  return { text: parts.map(({ text }) => text).join(between), values };
}

/**
 * A step whose rows are not used. PostgreSQL gets it together with what follows, in one round trip; no rows are given for it. When it
 * fails, the next step that waits for its rows fails with its reason, or the commit does.
 */
export const unread = (statement: Statement): Statement => ({ ...statement, isUnread: true });

/** SQL that we wrote ourselves, as it stands. */
export const plain = (text: string): Statement => ({ text, values: [] });

function isStatement(part: SqlValue | Statement): part is Statement {
  return typeof part === 'object' && part !== null && 'text' in part;
}

// The dialects stand here and not with their drivers: no driver is loaded before it is needed.

export const sqliteDialect: Dialect = {
  kind: 'sqlite',
  now: plain("CAST(unixepoch('subsec') * 1000 AS INTEGER)"),
  secondsAgo: (seconds) => sql`CAST(unixepoch('subsec') * 1000 AS INTEGER) - ${seconds * 1_000}`,
  // Asked with OR, SQLite writes down every row that it has seen: twice the time.
  alternatives: (conditions) => conditions,
  manyTexts: (texts) => sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`,
  storedBytes: (column) => plain(`octet_length(${column})`),
  // The transaction is the lock.
  skipLocked: plain(''),
  waitLocked: plain(''),
  findMigrations: plain("SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'repertoire_migrations'"),
  isMissing: plain("wanted.name NOT IN (SELECT name FROM sqlite_master WHERE type = 'table')"),
  // Every write transaction begins with the one write lock of the file.
  migrationLock: undefined,
};

/** Any number that no other program locks with. */
const MIGRATION_LOCK = 7_364_015_522;

export const postgresDialect: Dialect = {
  kind: 'postgres',
  now: plain('now()'),
  secondsAgo: (seconds) => sql`now() - make_interval(secs => ${seconds})`,
  // Asked apart, PostgreSQL starts a process for each, which takes longer than the answer.
  alternatives: (conditions) => [
    join(
      conditions.map((condition) => sql`(${condition})`),
      ' OR ',
    ),
  ],
  manyTexts: (texts) => sql`(SELECT json_array_elements_text(CAST(${JSON.stringify(texts)} AS json)))`,
  storedBytes: (column) => plain(`pg_column_size(${column})`),
  skipLocked: plain('FOR UPDATE SKIP LOCKED'),
  waitLocked: plain('FOR UPDATE'),
  findMigrations: plain("SELECT 1 AS found WHERE to_regclass('repertoire_migrations') IS NOT NULL"),
  isMissing: plain('to_regclass(wanted.name) IS NULL'),
  migrationLock: plain(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`),
};
