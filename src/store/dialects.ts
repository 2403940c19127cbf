// What SQLite and PostgreSQL say differently outside the migrations. Loads no driver.
import { type Dialect, join, plain, sql } from './sql.ts';

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
