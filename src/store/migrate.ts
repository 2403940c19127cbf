// Brings a database's tables up to date: one migration per transaction, so that a killed one leaves nothing half-done and
// of several processes that start at once one migrates while the others wait.

import type { StoreKind } from '../settings/store-place.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { invocations } from './migrations/0001-invocations.ts';
import { processes } from './migrations/0002-processes.ts';
import { counts } from './migrations/0003-counts.ts';
import { loads } from './migrations/0004-loads.ts';
import { accounts } from './migrations/0005-accounts.ts';
import { identities } from './migrations/0006-identities.ts';
import { loadMinutes } from './migrations/0007-load-minutes.ts';
import { believedClock } from './migrations/0008-believed-clock.ts';
import { longPayloads } from './migrations/0009-long-payloads.ts';
import { seedColumns } from './migrations/0010-seed-columns.ts';
import { agentCounts } from './migrations/0011-agent-counts.ts';
import { failureCodes } from './migrations/0012-failure-codes.ts';
import { knownFailureCodes } from './migrations/0013-known-failure-codes.ts';
import { failureCodeIndex } from './migrations/0014-failure-code-index.ts';
import { missingFailureCodes } from './migrations/0015-missing-failure-codes.ts';
import { loadPaths } from './migrations/0016-load-paths.ts';
import { loadPathIndex } from './migrations/0017-load-path-index.ts';
import { events } from './migrations/0018-events.ts';
import { sharedLimits } from './migrations/0019-shared-limits.ts';
import { mcpSessions } from './migrations/0020-mcp-sessions.ts';
import { grants } from './migrations/0021-grants.ts';
import { trail } from './migrations/0022-trail.ts';
import { runs } from './migrations/0023-runs.ts';
import { schedules } from './migrations/0024-schedules.ts';
import { library } from './migrations/0025-library.ts';
import { oauth } from './migrations/0026-oauth.ts';
import { invocationOwners } from './migrations/0027-invocation-owners.ts';
import { type Dialect, plain, type Row, type Sql, type Statement, type Steps, sql } from './sql.ts';

/** A type of its own, not that of the files in migrations/: what the package exports leads to none of them. */
interface Migration {
  readonly number: number;
  readonly name: string;
  readonly part: 'log' | 'accounts';
  readonly statements: Readonly<Record<StoreKind, readonly string[]>>;
}

/** Append-only. */
export const migrations: readonly Migration[] = [
  invocations,
  processes,
  counts,
  loads,
  accounts,
  identities,
  loadMinutes,
  believedClock,
  longPayloads,
  seedColumns,
  agentCounts,
  failureCodes,
  knownFailureCodes,
  failureCodeIndex,
  missingFailureCodes,
  loadPaths,
  loadPathIndex,
  events,
  sharedLimits,
  mcpSessions,
  grants,
  trail,
  runs,
  schedules,
  library,
  oauth,
  invocationOwners,
];

/** What of a database is to be brought up to date. */
export interface MigrationPlan {
  /** All that this version has: a database with others is newer. */
  readonly known: readonly Migration[];
  /** False: without the tables of the log (X7). */
  readonly isLogged: boolean;
}

export const EVERYTHING: MigrationPlan = { known: migrations, isLogged: true };

export const planOf = (isLogged: boolean): MigrationPlan => ({ ...EVERYTHING, isLogged });

const wantedOf = ({ known, isLogged }: MigrationPlan): readonly Migration[] =>
  known.filter(({ part }) => isLogged || part !== 'log');

/** The names of those that were applied now. */
export async function migrate(database: Sql, plan = EVERYTHING): Promise<readonly string[]> {
  const applied: string[] = [];
  if (await isUpToDate(database, plan)) return applied;
  for (;;) {
    const done = await database.write(() => applyNext(database.dialect, plan));
    if (done === undefined) return applied;
    applied.push(titleOf(done));
  }
}

/** Without a lock: usually everything is up to date, and no other process has to wait for this look. */
export async function isUpToDate(database: Sql, plan = EVERYTHING): Promise<boolean> {
  const found = await database.read(database.dialect.findMigrations);
  return found.length > 0 && findNext(await database.read(selectApplied), plan) === undefined;
}

/** The name of a table that was there when the database was brought up to date, and is not any more. */
export async function findMissingTable(database: Sql, plan = EVERYTHING): Promise<string | undefined> {
  const wanted = plain(
    tablesOf(database.dialect.kind, plan)
      .map((name, index) => `SELECT '${name}'${index === 0 ? ' AS name' : ''}`)
      .join(' UNION ALL '),
  );
  const [row] = await database.read(
    sql`SELECT name FROM (${wanted}) AS wanted WHERE ${database.dialect.isMissing} LIMIT 1`,
  );
  return row && String(row.name);
}

/** As the migrations make them: none takes one away. */
const tablesOf = (kind: StoreKind, plan: MigrationPlan): readonly string[] => [
  'repertoire_migrations',
  ...wantedOf(plan)
    .flatMap(({ statements }) => statements[kind])
    .flatMap((statement) => /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/.exec(statement)?.[1] ?? []),
];

/** What `migrate` runs on an empty database, as a script. */
export function printMigrations(kind: StoreKind): string {
  const scripts = migrations.map((migration) =>
    [
      `-- ${titleOf(migration)}`,
      'BEGIN;',
      ...migration.statements[kind].map((statement) => `${statement};`),
      `INSERT INTO repertoire_migrations (number, name) VALUES (${migration.number}, '${migration.name}');`,
      'COMMIT;',
    ].join('\n'),
  );
  return `${[`${createTable[kind].text};`, ...scripts].join('\n\n')}\n`;
}

const titleOf = ({ number, name }: Migration) => `${String(number).padStart(4, '0')}-${name}`;

const createTable: Readonly<Record<StoreKind, Statement>> = {
  sqlite: plain(`CREATE TABLE IF NOT EXISTS repertoire_migrations (
  number INTEGER PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  applied_at INTEGER NOT NULL DEFAULT (CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
)`),
  postgres: plain(`CREATE TABLE IF NOT EXISTS repertoire_migrations (
  number INTEGER PRIMARY KEY,
  name VARCHAR(64) NOT NULL,
  applied_at TIMESTAMPTZ NOT NULL DEFAULT NOW()
)`),
};

const selectApplied = plain('SELECT number FROM repertoire_migrations');

function* applyNext(dialect: Dialect, plan: MigrationPlan): Steps<Migration | undefined> {
  if (dialect.migrationLock !== undefined) yield dialect.migrationLock;
  yield createTable[dialect.kind];
  const next = findNext(yield selectApplied, plan);
  if (next === undefined) return undefined;
  for (const statement of next.statements[dialect.kind]) yield plain(statement);
  yield sql`INSERT INTO repertoire_migrations (number, name) VALUES (${next.number}, ${next.name})`;
  return next;
}

/** The first that is wanted and was not applied. A database without a log may lack earlier ones than it has. */
function findNext(rows: readonly Row[], plan: MigrationPlan): Migration | undefined {
  const applied = new Set(rows.map(({ number }) => Number(number)));
  const latest = plan.known.at(-1)?.number ?? 0;
  if ([...applied].some((number) => number > latest)) {
    throw new StoreUnavailable('Cannot use the database: a newer version of Repertoire made it; update Repertoire');
  }
  return wantedOf(plan).find(({ number }) => !applied.has(number));
}
