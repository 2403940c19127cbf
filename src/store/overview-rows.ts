// The SQL of the overview: how invocations ended, by their roll-ups, and the processes that share the store.
import type { SkillOutcomes } from '../skills/overview-log.ts';
import { LEASE_SECONDS } from './process-rows.ts';
import { join, type Row, type Sql, type Statement, sql } from './sql.ts';
import type { Range } from './stats-window.ts';

/** Milliseconds since 1970, as everywhere here. */
export interface StepOutcome {
  readonly start: number;
  /** A failure code, or '' for success. */
  readonly outcome: string;
  readonly bucket: number;
  readonly count: number;
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

/** Latest first. */
export async function readReplicas(database: Sql, most: number) {
  const rows = await database.read(
    sql`SELECT id, last_seen FROM repertoire_processes
      WHERE last_seen >= ${database.dialect.secondsAgo(LEASE_SECONDS)} ORDER BY last_seen DESC, id LIMIT ${most}`,
  );
  return rows.map((row) => ({ id: String(row.id), lastSeen: new Date(Number(row.last_seen)) }));
}
