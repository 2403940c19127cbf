// The SQL of the overview: sums of roll-ups over a window, and the processes that share the store.
import type { SkillOutcomes } from '../execution/overview-log.ts';
import { LEASE_SECONDS } from './process-rows.ts';
import { join, type Row, type Sql, type Statement, type StoreKind, sql } from './sql.ts';
import { ceilTo, HOUR, type Range } from './stats-window.ts';

/** Milliseconds since 1970, as everywhere here. */
export interface StepOutcome {
  readonly start: number;
  /** A failure code, or '' for success. */
  readonly outcome: string;
  readonly bucket: number;
  readonly count: number;
}

export interface StepLoads {
  readonly start: number;
  readonly loads: number;
}

/** From a moment up to before another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export async function readStepOutcomes(database: Sql, ranges: readonly Range[]): Promise<readonly StepOutcome[]> {
  const rows = await readRanges(
    database,
    ranges,
    (condition) => sql`SELECT start, outcome, bucket, sum(invocations) AS invocations FROM skill_invocation_counts
      WHERE ${condition} GROUP BY start, outcome, bucket`,
  );
  return rows.map((row) => ({
    start: Number(row.start),
    outcome: String(row.outcome),
    bucket: Number(row.bucket),
    count: Number(row.invocations),
  }));
}

/** A skill may come once for each range. */
export async function readSkillOutcomes(database: Sql, ranges: readonly Range[]): Promise<readonly SkillOutcomes[]> {
  const rows = await readRanges(
    database,
    ranges,
    (condition) => sql`SELECT skill_name, sum(CASE WHEN outcome = '' THEN invocations ELSE 0 END) AS successes,
        sum(CASE WHEN outcome = '' THEN 0 ELSE invocations END) AS failures
      FROM skill_invocation_counts WHERE ${condition} GROUP BY skill_name`,
  );
  return rows.map((row) => ({
    skillName: String(row.skill_name),
    successCount: Number(row.successes),
    failureCount: Number(row.failures),
  }));
}

async function readRanges(
  database: Sql,
  ranges: readonly Range[],
  select: (condition: Statement) => Statement,
): Promise<readonly Row[]> {
  if (ranges.length === 0) return [];
  const conditions = ranges.map(
    ({ step, from, to }) => sql`step = ${step} AND start >= ${new Date(from)} AND start < ${new Date(to)}`,
  );
  return database.read(join(database.dialect.alternatives(conditions).map(select), ' UNION ALL '));
}

/** Whole minutes. The only step that loads are not counted by as they come. */
export const readLoadsByMinute = async (database: Sql, span: Span): Promise<readonly StepLoads[]> =>
  (await database.read(LOADS_BY_MINUTE[database.dialect.kind](span))).map(toStepLoads);

const LOADS_BY_MINUTE = {
  // Minute by minute along the index: grouped, SQLite would sort all of them, which takes five times as long.
  sqlite: ({ from, to }) => sql`WITH RECURSIVE minutes(start) AS (
      SELECT CAST(${new Date(from)} AS INTEGER) UNION ALL SELECT start + 60000 FROM minutes WHERE start + 60000 < ${new Date(to)}
    ) SELECT start, (SELECT count(*) FROM skill_loads
      WHERE loaded_at >= minutes.start AND loaded_at < minutes.start + 60000) AS loads FROM minutes`,
  postgres: (span) => sql`SELECT date_trunc('minute', loaded_at) AS start, count(*) AS loads FROM skill_loads
      WHERE ${loadedIn(span)} GROUP BY 1`,
} as const satisfies Record<StoreKind, (span: Span) => Statement>;

/** The hour in which it begins by its rows, the hours after it by their counts. */
export async function readLoadsByHour(database: Sql, { from, to }: Span): Promise<readonly StepLoads[]> {
  const firstHour = ceilTo(from, HOUR);
  const rows = await database.read(
    sql`SELECT start, sum(loads) AS loads FROM skill_load_counts
        WHERE start >= ${new Date(firstHour)} AND start < ${new Date(to)} GROUP BY start
      UNION ALL SELECT min(loaded_at) AS start, count(*) AS loads FROM skill_loads
        WHERE ${loadedIn({ from, to: firstHour })} HAVING count(*) > 0`,
  );
  return rows.map(toStepLoads);
}

export async function readMostLoaded(database: Sql, { from, to }: Span, most: number) {
  const firstHour = ceilTo(from, HOUR);
  const rows = await database.read(
    sql`SELECT skill_name, sum(loads) AS loads FROM (
        SELECT skill_name, loads FROM skill_load_counts
          WHERE start >= ${new Date(firstHour)} AND start < ${new Date(to)}
        UNION ALL SELECT skill_name, count(*) AS loads FROM skill_loads
          WHERE ${loadedIn({ from, to: firstHour })} GROUP BY skill_name
      ) AS counted GROUP BY skill_name ORDER BY sum(loads) DESC, skill_name LIMIT ${most}`,
  );
  return rows.map((row) => ({ skillName: String(row.skill_name), loadCount: Number(row.loads) }));
}

/** Latest first. */
export async function readReplicas(database: Sql, most: number) {
  const rows = await database.read(
    sql`SELECT id, last_seen FROM repertoire_processes
      WHERE last_seen >= ${database.dialect.secondsAgo(LEASE_SECONDS)} ORDER BY last_seen DESC, id LIMIT ${most}`,
  );
  return rows.map((row) => ({ id: String(row.id), lastSeen: new Date(Number(row.last_seen)) }));
}

const loadedIn = ({ from, to }: Span): Statement => sql`loaded_at >= ${new Date(from)} AND loaded_at < ${new Date(to)}`;

const toStepLoads = (row: Row): StepLoads => ({ start: Number(row.start), loads: Number(row.loads) });
