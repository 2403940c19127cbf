// Counters of a window as statistics (X8). Pure; the counters come from count-rows.ts.
import type { FailureCode } from '../skills/failure.ts';
import type { InvocationStats, SkillStats } from '../skills/invocation-log.ts';
import { percentilesOf } from './duration-buckets.ts';
import { floorTo, type Window } from './stats-window.ts';

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
