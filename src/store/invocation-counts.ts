// The roll-ups' SQL: counters of ended invocations, kept exact because they are added to in the transaction of the result.
import type { FailureCode } from '../skills/define/failure.ts';
import type { InvocationStats, SkillStats } from '../skills/record/invocation-log.ts';
import { bucketOf, percentilesOf } from './duration-buckets.ts';
import { join, type Row, type Sql, type SqlValue, type Steps, sql, tuples } from './sql.ts';
import { floorTo, type Range, STEPS, type Window } from './stats-window.ts';

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

export interface SkillCount {
  readonly skillName: string;
  /** A failure code, or '' for success. */
  readonly outcome: string;
  readonly bucket: number;
  readonly count: number;
}

export interface StepCount {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly count: number;
  readonly failureCount: number;
}

export function summarise(
  window: Window,
  skillCounts: readonly SkillCount[],
  stepCounts: readonly StepCount[],
): InvocationStats {
  const bySkill = new Map<string, SkillCount[]>();
  for (const count of skillCounts) {
    const counts = bySkill.get(count.skillName);
    if (counts === undefined) bySkill.set(count.skillName, [count]);
    else counts.push(count);
  }
  const names = [...bySkill.keys()].sort();
  return {
    skills: names.map((name) => skillStats(name, bySkill.get(name) ?? [])),
    series: seriesOf(window, stepCounts),
  };
}

function skillStats(skillName: string, counts: readonly SkillCount[]): SkillStats {
  const failures: Partial<Record<FailureCode, number>> = {};
  const durations = new Map<number, number>();
  let successCount = 0;
  let failureCount = 0;
  for (const { outcome, bucket, count } of counts) {
    durations.set(bucket, (durations.get(bucket) ?? 0) + count);
    if (outcome === '') {
      successCount += count;
    } else {
      failureCount += count;
      // Only codes of the failure table are ever written.
      const code = outcome as FailureCode;
      failures[code] = (failures[code] ?? 0) + count;
    }
  }
  const durationMs = percentilesOf(durations);
  return { skillName, count: successCount + failureCount, successCount, failureCount, failures, durationMs };
}

function seriesOf({ step, starts }: Window, counts: readonly StepCount[]): InvocationStats['series'] {
  const sums = new Map(starts.map((start) => [start, { count: 0, failureCount: 0 }]));
  for (const { start, count, failureCount } of counts) {
    const sum = sums.get(floorTo(start, step));
    if (sum === undefined) continue;
    sum.count += count;
    sum.failureCount += failureCount;
  }
  return [...sums].map(([start, sum]) => ({ start: new Date(start), ...sum }));
}
