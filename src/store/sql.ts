// What the store asks of a database: statements in the dialects' common subset, alone or together as one transaction.

import type { StoreKind } from '../settings/store-place.ts';

export type SqlValue = string | number | boolean | Date | null;

/** Values are bound, never written into the text: each stands for one `?`. */
export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
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
  /** For conditions of which no row meets two: as many questions as this database answers fastest, one each or one for all. */
  readonly alternatives: (conditions: readonly Statement[]) => readonly Statement[];
  /** One row with `found` if there is a table `repertoire_migrations`. */
  readonly findMigrations: Statement;
  /** Held until the end of the transaction: of several processes one migrates. */
  readonly migrationLock: Statement | undefined;
}

export interface Sql {
  readonly dialect: Dialect;
  read(statement: Statement): Promise<readonly Row[]>;
  /** All or nothing. The steps may be taken more than once: when another writer was in the way. */
  write<T>(steps: () => Steps<T>, limits?: WriteLimits): Promise<T>;
  close(): Promise<void>;
  /** Of a database that is reached over connections. */
  readonly connections?: () => ConnectionCounts | undefined;
}

export interface ConnectionCounts {
  readonly open: number;
  readonly idle: number;
  /** Who waits for one. */
  readonly waiting: number;
}

interface WriteLimits {
  readonly limitMs: number;
}

/** How long the database may take for one operation (F1): whoever waits has an answer within two seconds, all included (H6). */
export const OPERATION_LIMIT_MS = 1_700;

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
export const list = (values: readonly SqlValue[]): Statement => ({
  text: `(${values.map(() => '?').join(', ')})`,
  values,
});

/** `(?, ?), (?, ?)`: what follows VALUES. */
export const tuples = (rows: readonly (readonly SqlValue[])[]): Statement => join(rows.map(list), ', ');

export const join = (parts: readonly Statement[], between: string): Statement => ({
  text: parts.map(({ text }) => text).join(between),
  values: parts.flatMap(({ values }) => values),
});

/** SQL that we wrote ourselves, as it stands. */
export const plain = (text: string): Statement => ({ text, values: [] });

function isStatement(part: SqlValue | Statement): part is Statement {
  return typeof part === 'object' && part !== null && 'text' in part;
}

export const sqliteDialect: Dialect = {
  kind: 'sqlite',
  now: plain("CAST(unixepoch('subsec') * 1000 AS INTEGER)"),
  secondsAgo: (seconds) => sql`CAST(unixepoch('subsec') * 1000 AS INTEGER) - ${seconds * 1_000}`,
  // Asked with OR, SQLite writes down every row that it has seen: twice the time.
  alternatives: (conditions) => conditions,
  findMigrations: plain("SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'repertoire_migrations'"),
  // Every write transaction begins with the one write lock of the file.
  migrationLock: undefined,
};

/** Any number will do, as long as nobody else locks with it. */
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
  findMigrations: plain("SELECT 1 AS found WHERE to_regclass('repertoire_migrations') IS NOT NULL"),
  migrationLock: plain(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`),
};
