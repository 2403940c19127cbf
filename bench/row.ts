// One line of the result: what was measured beside its floor, and whether the promise was kept. Pure.
import { findPromise, type SectionName, type SpeedPromise } from './promises.ts';
import { median } from './statistics.ts';

export type Unit = 'ms' | 'µs' | 'MB' | 'KB' | 'calls/s' | 'errors';

export interface Row {
  readonly section: SectionName;
  readonly what: string;
  readonly unit: Unit;
  /** One per round; none: it could not be measured on this kind of machine. */
  readonly samples: readonly number[];
  /** In the same unit; none: there is nothing to compare with. */
  readonly floorSamples: readonly number[];
}

export interface JudgedRow extends Row {
  readonly measured: number | undefined;
  readonly floor: number | undefined;
  /** Measured by floor. */
  readonly ratio: number | undefined;
  readonly promise: SpeedPromise | undefined;
  readonly verdict: Verdict;
}

export type Verdict = 'goal' | 'bar' | 'missed' | 'none';

export function judge(row: Row): JudgedRow {
  const measured = middleOf(row.samples);
  const floor = middleOf(row.floorSamples);
  const ratio = measured !== undefined && floor ? measured / floor : undefined;
  const promise = findPromise(row.section, row.what);
  const value = promise?.by === 'ratio' ? ratio : measured;
  return { ...row, measured, floor, ratio, promise, verdict: verdictOn(value, promise) };
}

function verdictOn(value: number | undefined, promise: SpeedPromise | undefined): Verdict {
  if (value === undefined || promise === undefined) return 'none';
  // Where no further goal is set, the bar is the goal.
  if (value <= (promise.goal ?? promise.bar)) return 'goal';
  return value <= promise.bar ? 'bar' : 'missed';
}

const middleOf = (samples: readonly number[]): number | undefined =>
  samples.length === 0 ? undefined : median(samples);
