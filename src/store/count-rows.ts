// The roll-ups' SQL: counters of ended invocations, kept exact because they are added to in the transaction of the result.

import { bucketOf } from './duration-buckets.ts';
import { join, type Row, type Sql, type SqlValue, type Steps, sql, tuples } from './sql.ts';
import type { SkillCount, StepCount } from './stats.ts';
import { floorTo, type Range, STEPS } from './stats-window.ts';

export interface CountedResult {
  readonly skillName: string;
  readonly failureCode: string | null;
  readonly durationMs: number;
  readonly endedAt: Date;
}

export function* addCounts(results: readonly CountedResult[]): Steps<void> {
  if (results.length === 0) return;
  yield sql`INSERT INTO skill_invocation_counts (step, start, skill_name, outcome, bucket, invocations)
    VALUES ${tuples(countersOf(results))}
    ON CONFLICT (step, start, skill_name, outcome, bucket)
    DO UPDATE SET invocations = skill_invocation_counts.invocations + excluded.invocations`;
}

export async function readSkillCounts(database: Sql, ranges: readonly Range[], skill: string | undefined) {
  if (ranges.length === 0) return [];
  const parts = conditionsOf(database, ranges, skill).map(
    (condition) => sql`SELECT skill_name, outcome, bucket, sum(invocations) AS invocations FROM skill_invocation_counts
      WHERE ${condition} GROUP BY skill_name, outcome, bucket`,
  );
  return (await database.read(join(parts, ' UNION ALL '))).map(toSkillCount);
}

export async function readStepCounts(database: Sql, ranges: readonly Range[], skill: string | undefined) {
  if (ranges.length === 0) return [];
  const parts = conditionsOf(database, ranges, skill).map(
    (condition) => sql`SELECT start, sum(invocations) AS invocations,
        sum(CASE WHEN outcome = '' THEN 0 ELSE invocations END) AS failures
      FROM skill_invocation_counts WHERE ${condition} GROUP BY start`,
  );
  return (await database.read(join(parts, ' UNION ALL '))).map(toStepCount);
}

const conditionsOf = ({ dialect }: Sql, ranges: readonly Range[], skill: string | undefined) =>
  dialect.alternatives(ranges.map((range) => inRange(range, skill)));

function inRange({ step, from, to }: Range, skill: string | undefined) {
  const inTime = sql`step = ${step} AND start >= ${new Date(from)} AND start < ${new Date(to)}`;
  return skill === undefined ? inTime : sql`${inTime} AND skill_name = ${skill}`;
}

/** One per step, skill, outcome and bucket, sorted: writers that take the same rows in the same order never deadlock. */
function countersOf(results: readonly CountedResult[]): readonly (readonly SqlValue[])[] {
  const counters = new Map<string, { key: readonly SqlValue[]; count: number }>();
  for (const { skillName, failureCode, durationMs, endedAt } of results) {
    for (const step of STEPS) {
      const start = floorTo(endedAt.getTime(), step);
      const tail = [skillName, failureCode ?? '', bucketOf(durationMs)];
      const name = [step, start, ...tail].join('\n');
      const counter = counters.get(name);
      if (counter === undefined) counters.set(name, { key: [step, new Date(start), ...tail], count: 1 });
      else counter.count += 1;
    }
  }
  return [...counters].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { key, count }]) => [...key, count]);
}

const toSkillCount = (row: Row): SkillCount => ({
  skillName: String(row.skill_name),
  outcome: String(row.outcome),
  bucket: Number(row.bucket),
  count: Number(row.invocations),
});

const toStepCount = (row: Row): StepCount => ({
  start: Number(row.start),
  count: Number(row.invocations),
  failureCount: Number(row.failures),
});
