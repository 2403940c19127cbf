// Sums of a window as an overview. Pure; the sums come from overview-rows.ts and load-count-rows.ts.
import type { FailureCode } from '../skills/failure.ts';
import type { Activity, Overview, SkillOutcomes } from '../skills/overview-log.ts';
import { percentilesOf } from './duration-buckets.ts';
import type { StepLoads } from './load-count-rows.ts';
import type { StepOutcome } from './overview-rows.ts';
import { floorTo, type Window } from './stats-window.ts';

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
