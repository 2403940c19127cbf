// The overview on a database: implements the port that execution/ declares.
import type { FailureCode } from '../skills/define/failure.ts';
import type { Activity, Overview, OverviewLog, SkillOutcomes } from '../skills/record/overview-log.ts';
import { percentilesOf } from './duration-buckets.ts';
import { LEASE_SECONDS } from './lease.ts';
import { readLoadsByStep, readMostLoaded, type StepLoads } from './load-counts.ts';
import { join, type Row, type Sql, type Statement, sql } from './sql.ts';
import { ceilTo, DAY, floorTo, HOUR, MINUTE, type Range, rangesOf, type Window, windowOf } from './stats-window.ts';

const MOST_REPLICAS = 100;

/** `selfId`: of the process that asks. */
export function createOverviewStore(database: Sql, selfId: string): OverviewLog {
  return {
    kind: database.dialect.kind,
    async read({ since, until }) {
      // A minute that has begun counts whole, at one end only: three hours are 180 minutes, not 181.
      const window = windowOf(new Date(ceilTo(since.getTime(), MINUTE)), until);
      const { ranges } = window;
      const span = { from: ranges[0]?.from ?? 0, to: ranges.at(-1)?.to ?? 0 };
      // Side by side: a database that hangs is waited for once (H6). SQLite lets others go between two of them.
      const [outcomes, skills, loads, mostLoaded, replicas] = await Promise.all([
        readStepOutcomes(database, ranges),
        // Over the whole window only: the coarsest counters will do.
        readSkillOutcomes(database, rangesOf(span.from, span.to, DAY)),
        // Of loads there are no counts per day.
        readLoadsByStep(database, span, Math.min(window.step, HOUR)),
        readMostLoaded(database, span, MOST_NAMES),
        readReplicas(database, MOST_REPLICAS),
      ]);
      return {
        ...seriesOf(window, outcomes, loads),
        ...rankingsOf(skills),
        mostLoaded,
        replicas: replicas.map((replica) => ({ ...replica, isThis: replica.id === selfId })),
      };
    },
  };
}

/** More names than these nobody looks at. */
export const MOST_NAMES = 10;

export function seriesOf(
  { step, starts }: Window,
  outcomes: readonly StepOutcome[],
  loads: readonly StepLoads[],
): Pick<Overview, 'stepSeconds' | 'series' | 'totals'> {
  const totals = createTally();
  const tallies = new Map(starts.map((start) => [start, createTally()]));
  for (const outcome of outcomes) {
    addOutcome(totals, outcome);
    const tally = tallies.get(floorTo(outcome.start, step));
    if (tally !== undefined) addOutcome(tally, outcome);
  }
  for (const { start, loads: count } of loads) {
    totals.loads += count;
    const tally = tallies.get(floorTo(start, step));
    if (tally !== undefined) tally.loads += count;
  }
  const series = [...tallies].map(([start, tally]) => ({ start: new Date(start), ...activityOf(tally) }));
  return { stepSeconds: step, series, totals: activityOf(totals) };
}

/** `counts`: a skill may come more than once. */
export function rankingsOf(counts: readonly SkillOutcomes[]): Pick<Overview, 'busiest' | 'mostFailing'> {
  const bySkill = new Map<string, SkillOutcomes>();
  for (const { skillName, successCount, failureCount } of counts) {
    const known = bySkill.get(skillName);
    bySkill.set(skillName, {
      skillName,
      successCount: successCount + (known?.successCount ?? 0),
      failureCount: failureCount + (known?.failureCount ?? 0),
    });
  }
  const skills = [...bySkill.values()];
  return {
    busiest: largest(skills, ({ successCount, failureCount }) => successCount + failureCount),
    mostFailing: largest(skills, ({ failureCount }) => failureCount),
  };
}

/** Without those that have none; equal ones in name order. */
const largest = (skills: readonly SkillOutcomes[], sizeOf: (skill: SkillOutcomes) => number) =>
  skills
    .filter((skill) => sizeOf(skill) > 0)
    .sort((a, b) => sizeOf(b) - sizeOf(a) || (a.skillName < b.skillName ? -1 : 1))
    .slice(0, MOST_NAMES);

interface Tally {
  successCount: number;
  failureCount: number;
  loads: number;
  readonly failures: Partial<Record<FailureCode, number>>;
  /** By bucket. */
  readonly durations: Map<number, number>;
}

const createTally = (): Tally => ({
  successCount: 0,
  failureCount: 0,
  loads: 0,
  failures: {},
  durations: new Map(),
});

function addOutcome(tally: Tally, { outcome, bucket, count }: StepOutcome): void {
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

const activityOf = ({ durations, ...counts }: Tally): Activity => ({
  ...counts,
  durationMs: durations.size === 0 ? undefined : percentilesOf(durations),
});

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
