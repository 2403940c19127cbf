// The overview on a database: how invocations ended and what was read in a window, by counters, and the processes that
// share the store.
import type { Activity, Overview, OverviewLog, SkillOutcomes } from '../skills/record/overview-log.ts';
import { percentilesOf } from './duration-buckets.ts';
import {
  addToTally,
  createTally,
  type OutcomeCount,
  readCounters,
  type Tally,
  toOutcomeCount,
} from './invocation-counts.ts';
import { LEASE_SECONDS } from './lease.ts';
import { readLoadsByStep, readMostLoaded, type StepLoads } from './load-counts.ts';
import { type Sql, sql } from './sql.ts';
import { ceilTo, DAY, floorTo, HOUR, MINUTE, type Range, rangesOf, type Window, windowOf } from './stats-window.ts';

/** In each ranking. */
const MOST_NAMES = 10;
const MOST_REPLICAS = 100;

/** `selfId`: of the process that asks. */
export function createOverviewStore(database: Sql, selfId: string): OverviewLog {
  return {
    kind: database.dialect.kind,
    async read({ since, until, documents }) {
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
        readLoadsByStep(database, span, Math.min(window.step, HOUR), documents),
        readMostLoaded(database, span, MOST_NAMES, documents),
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

function seriesOf(
  { step, starts }: Window,
  outcomes: readonly StepOutcome[],
  loads: readonly StepLoads[],
): Pick<Overview, 'stepSeconds' | 'series' | 'totals'> {
  const totals = createActivityTally();
  const tallies = new Map(starts.map((start) => [start, createActivityTally()]));
  for (const outcome of outcomes) {
    addToTally(totals, outcome);
    const tally = tallies.get(floorTo(outcome.start, step));
    if (tally !== undefined) addToTally(tally, outcome);
  }
  for (const { start, loads: count } of loads) {
    totals.loads += count;
    const tally = tallies.get(floorTo(start, step));
    if (tally !== undefined) tally.loads += count;
  }
  const series = [...tallies].map(([start, tally]) => ({ start: new Date(start), ...toActivity(tally) }));
  return { stepSeconds: step, series, totals: toActivity(totals) };
}

/** `counts`: a skill may come more than once. */
function rankingsOf(counts: readonly SkillOutcomes[]): Pick<Overview, 'busiest' | 'mostFailing'> {
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

interface ActivityTally extends Tally {
  loads: number;
}

const createActivityTally = (): ActivityTally => ({ ...createTally(), loads: 0 });

const toActivity = ({ durations, ...counts }: ActivityTally): Activity => ({
  ...counts,
  durationMs: durations.size === 0 ? undefined : percentilesOf(durations),
});

interface StepOutcome extends OutcomeCount {
  /** Milliseconds since 1970. */
  readonly start: number;
}

async function readStepOutcomes(database: Sql, ranges: readonly Range[]): Promise<readonly StepOutcome[]> {
  const rows = await readCounters(
    database,
    ranges,
    undefined,
    (condition) => sql`SELECT start, outcome, bucket,
      sum(invocations) AS invocations FROM skill_invocation_counts WHERE ${condition} GROUP BY start, outcome, bucket`,
  );
  return rows.map((row) => ({ start: Number(row.start), ...toOutcomeCount(row) }));
}

/** A skill may come once for each range. */
async function readSkillOutcomes(database: Sql, ranges: readonly Range[]): Promise<readonly SkillOutcomes[]> {
  const rows = await readCounters(
    database,
    ranges,
    undefined,
    (condition) => sql`SELECT skill_name,
      sum(CASE WHEN outcome = '' THEN invocations ELSE 0 END) AS successes,
      sum(CASE WHEN outcome = '' THEN 0 ELSE invocations END) AS failures
    FROM skill_invocation_counts WHERE ${condition} GROUP BY skill_name`,
  );
  return rows.map((row) => ({
    skillName: String(row.skill_name),
    successCount: Number(row.successes),
    failureCount: Number(row.failures),
  }));
}

/** Latest first. */
async function readReplicas(database: Sql, most: number) {
  const rows = await database.read(
    sql`SELECT id, last_seen FROM repertoire_processes
      WHERE last_seen >= ${database.dialect.secondsAgo(LEASE_SECONDS)} ORDER BY last_seen DESC, id LIMIT ${most}`,
  );
  return rows.map((row) => ({ id: String(row.id), lastSeen: new Date(Number(row.last_seen)) }));
}
