// Which counters make up a window of time. Edges are whole minutes: a minute that the window touches counts whole.

export const MINUTE = 60;
export const HOUR = 3_600;
export const DAY = 86_400;

/** Seconds; each a multiple of the one before. */
export const STEPS = [MINUTE, HOUR, DAY] as const;

/** Counters of one step, from a moment up to before another (milliseconds since 1970). */
export interface Range {
  readonly step: number;
  readonly from: number;
  readonly to: number;
}

export interface Window {
  /** Of the series, in seconds. */
  readonly step: number;
  /** Coarse counters inside, fine ones at the edges. */
  readonly ranges: readonly Range[];
  /** The start of every step, oldest first. */
  readonly starts: readonly number[];
}

const LONGEST_BY_MINUTE = 3 * HOUR * 1_000;
const LONGEST_BY_HOUR = 7 * DAY * 1_000;

/** The most points of a series: a longer window begins later. */
const MOST_DAYS = 1_000;

export function windowOf(since: Date, until: Date): Window {
  const to = ceilTo(until.getTime(), MINUTE);
  const from = Math.max(floorTo(since.getTime(), MINUTE), to - MOST_DAYS * DAY * 1_000);
  const length = to - from;
  const step = length <= LONGEST_BY_MINUTE ? MINUTE : length <= LONGEST_BY_HOUR ? HOUR : DAY;
  const starts: number[] = [];
  for (let start = floorTo(from, step); start < to; start += step * 1_000) starts.push(start);
  return { step, ranges: rangesOf(from, to, step), starts };
}

export const floorTo = (ms: number, step: number): number => Math.floor(ms / (step * 1_000)) * step * 1_000;

export const ceilTo = (ms: number, step: number): number => Math.ceil(ms / (step * 1_000)) * step * 1_000;

/** Counters of `step` inside, finer ones at the edges. */
export function rangesOf(from: number, to: number, step: number): readonly Range[] {
  if (from >= to) return [];
  const finer = STEPS[STEPS.indexOf(step as (typeof STEPS)[number]) - 1];
  if (finer === undefined) return [{ step, from, to }];
  const [inner, outer] = [ceilTo(from, step), floorTo(to, step)];
  if (inner >= outer) return rangesOf(from, to, finer);
  return [...rangesOf(from, inner, finer), { step, from: inner, to: outer }, ...rangesOf(outer, to, finer)];
}
