// Counters of ended invocations and the statistics made of them. Exact, because they are added to in the transaction of the
// result.
import type { FailureCode } from '../skills/define/failure.ts';
import type { InvocationStats, KeyedStats } from '../skills/record/invocation-log.ts';
import { bucketOf, percentilesOf } from './duration-buckets.ts';
import { join, type Row, type Sql, type SqlValue, type Statement, type Steps, sql, tuples, unread } from './sql.ts';
import { floorTo, type Range, STEPS, type Window } from './stats-window.ts';

export interface CountedResult {
  readonly skillName: string;
  readonly invokingAgent: string;
  readonly failureCode: string | null;
  readonly durationMs: number;
  readonly endedAt: Date;
}

export function* addCounts(results: readonly CountedResult[]): Steps<void> {
  if (results.length === 0) return;
  yield unread(sql`INSERT INTO skill_invocation_counts (step, start, skill_name, outcome, bucket, invocations)
    VALUES ${tuples(countersOf(results, ({ skillName }) => [skillName]))}
    ON CONFLICT (step, start, skill_name, outcome, bucket)
    DO UPDATE SET invocations = skill_invocation_counts.invocations + excluded.invocations`);
  yield unread(sql`INSERT INTO skill_agent_counts (step, start, invoking_agent, skill_name, outcome, bucket, invocations)
    VALUES ${tuples(countersOf(results, ({ invokingAgent, skillName }) => [invokingAgent, skillName]))}
    ON CONFLICT (step, start, invoking_agent, skill_name, outcome, bucket)
    DO UPDATE SET invocations = skill_agent_counts.invocations + excluded.invocations`);
}

export async function readSkillCounts(
  database: Sql,
  ranges: readonly Range[],
  skill: string | undefined,
): Promise<readonly KeyCount[]> {
  const rows = await readCounters(
    database,
    ranges,
    skill,
    (condition) => sql`SELECT skill_name, outcome, bucket,
      sum(invocations) AS invocations FROM skill_invocation_counts WHERE ${condition} GROUP BY skill_name, outcome, bucket`,
  );
  return rows.map((row) => ({ key: String(row.skill_name), ...toOutcomeCount(row) }));
}

export async function readAgentCounts(
  database: Sql,
  ranges: readonly Range[],
  skill: string | undefined,
): Promise<readonly KeyCount[]> {
  const rows = await readCounters(
    database,
    ranges,
    skill,
    (condition) => sql`SELECT invoking_agent, outcome, bucket,
      sum(invocations) AS invocations FROM skill_agent_counts WHERE ${condition} GROUP BY invoking_agent, outcome, bucket`,
  );
  return rows.map((row) => ({ key: String(row.invoking_agent), ...toOutcomeCount(row) }));
}

export async function readStepCounts(
  database: Sql,
  ranges: readonly Range[],
  skill: string | undefined,
): Promise<readonly StepCount[]> {
  const rows = await readCounters(
    database,
    ranges,
    skill,
    (condition) => sql`SELECT start,
      sum(invocations) AS invocations, sum(CASE WHEN outcome = '' THEN 0 ELSE invocations END) AS failures
    FROM skill_invocation_counts WHERE ${condition} GROUP BY start`,
  );
  return rows.map((row) => ({
    start: Number(row.start),
    count: Number(row.invocations),
    failureCount: Number(row.failures),
  }));
}

/** What `select` sums comes once for each range. */
export async function readCounters(
  database: Sql,
  ranges: readonly Range[],
  skill: string | undefined,
  select: (condition: Statement) => Statement,
): Promise<readonly Row[]> {
  if (ranges.length === 0) return [];
  const conditions = ranges.map(({ step, from, to }) => {
    const inTime = sql`step = ${step} AND start >= ${new Date(from)} AND start < ${new Date(to)}`;
    return skill === undefined ? inTime : sql`${inTime} AND skill_name = ${skill}`;
  });
  return database.read(join(database.dialect.alternatives(conditions).map(select), ' UNION ALL '));
}

export const toOutcomeCount = (row: Row): OutcomeCount => ({
  outcome: String(row.outcome),
  bucket: Number(row.bucket),
  count: Number(row.invocations),
});

interface Counter {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly tail: readonly (string | number)[];
  count: number;
}

/** One per step, name, outcome and bucket, sorted: writers that take the same rows in the same order never deadlock. */
function countersOf(
  results: readonly CountedResult[],
  namesOf: (result: CountedResult) => readonly string[],
): readonly (readonly SqlValue[])[] {
  const named: [string, readonly SqlValue[]][] = [];
  let counters: readonly Counter[] = results.map((result) => ({
    start: result.endedAt.getTime(),
    tail: [...namesOf(result), result.failureCode ?? '', bucketOf(result.durationMs)],
    count: 1,
  }));
  for (const step of STEPS) {
    // Hours from the minutes and days from the hours, which are fewer than the results.
    const sums = sumBy(step, counters);
    counters = [...sums.values()];
    for (const [name, { start, tail, count }] of sums) {
      named.push([`${step}\n${name}`, [step, new Date(start), ...tail, count]]);
    }
  }
  return named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function sumBy(step: number, counters: readonly Counter[]): ReadonlyMap<string, Counter> {
  const sums = new Map<string, Counter>();
  for (const { start: moment, tail, count } of counters) {
    const start = floorTo(moment, step);
    const name = `${start}\n${tail.join('\n')}`;
    const sum = sums.get(name);
    if (sum === undefined) sums.set(name, { start, tail, count });
    else sum.count += count;
  }
  return sums;
}

/** How many invocations ended in one way and within one bucket of durations. */
export interface OutcomeCount {
  /** A failure code, or '' for success. */
  readonly outcome: string;
  readonly bucket: number;
  readonly count: number;
}

/** Of one skill, or of one agent. */
export interface KeyCount extends OutcomeCount {
  readonly key: string;
}

export interface StepCount {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly count: number;
  readonly failureCount: number;
}

/** A sum of such counts. */
export interface Tally {
  successCount: number;
  failureCount: number;
  readonly failures: Partial<Record<FailureCode, number>>;
  /** By bucket. */
  readonly durations: Map<number, number>;
}

export const createTally = (): Tally => ({ successCount: 0, failureCount: 0, failures: {}, durations: new Map() });

export function addToTally(tally: Tally, { outcome, bucket, count }: OutcomeCount): void {
  tally.durations.set(bucket, (tally.durations.get(bucket) ?? 0) + count);
  if (outcome === '') {
    tally.successCount += count;
    return;
  }
  tally.failureCount += count;
  // Only codes of the failure table are ever written.
  const code = outcome as FailureCode;
  tally.failures[code] = (tally.failures[code] ?? 0) + count;
}

/** The counters of a window as statistics (X8). */
export function summarise(
  window: Window,
  skillCounts: readonly KeyCount[],
  stepCounts: readonly StepCount[],
): InvocationStats {
  const skills = summariseByKey(skillCounts).map(({ key, ...counts }) => ({ skillName: key, ...counts }));
  return { skills, series: seriesOf(window, stepCounts) };
}

/** In the order of their keys. */
export function summariseByKey(counts: readonly KeyCount[]): readonly KeyedStats[] {
  const tallies = new Map<string, Tally>();
  for (const count of counts) {
    const tally = tallies.get(count.key) ?? createTally();
    tallies.set(count.key, tally);
    addToTally(tally, count);
  }
  return [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, tally]) => toKeyedStats(key, tally));
}

const toKeyedStats = (key: string, { durations, ...counts }: Tally): KeyedStats => ({
  key,
  count: counts.successCount + counts.failureCount,
  ...counts,
  durationMs: percentilesOf(durations),
});

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
