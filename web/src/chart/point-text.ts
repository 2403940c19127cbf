// One point of a chart in words: which time it stands for, and what happened in it. Pure.
import { dayText, fullDayText, minuteText } from '../text/format.ts';
import type { ChartProps } from './chart-options.ts';

const DAY = 86_400;

export interface PointText {
  readonly time: string;
  /** One for each series; or what there was none of. */
  readonly values: readonly string[];
}

export function pointText(props: ChartProps, point: number): PointText {
  const { times, series, kind, format, none } = props;
  const start = times[point];
  if (start === undefined) return { time: '', values: [none] };
  const values = series.map(({ label, values: own }) => {
    const text = format(own[point] ?? 0);
    return kind === 'stack' ? `${text} ${label}` : `${label} ${text}`;
  });
  return { time: spanText(start, stepOf(times)), values: isNothingAt(props, point) ? [none] : values };
}

/** What an empty chart says instead of a point; `undefined` where there is one to see. */
export function emptyText(props: ChartProps): string | undefined {
  if (!props.times.every((_, point) => isNothingAt(props, point))) return undefined;
  return `${props.none.charAt(0).toUpperCase()}${props.none.slice(1)} in this time`;
}

const isNothingAt = ({ series, kind }: ChartProps, point: number): boolean =>
  series.every(({ values }) => values[point] === null || (kind === 'stack' && !values[point]));

/** Seconds between two points. */
export const stepOf = (times: readonly number[]): number => (times[1] ?? 0) - (times[0] ?? 0);

/** "14:05 to 14:06", with the day where it is another one; a day as such. */
export function spanText(start: number, step: number, now = new Date()): string {
  const [from, to] = [new Date(start * 1_000), new Date((start + step) * 1_000)];
  if (step >= DAY) return fullDayText(from);
  const day = from.toDateString() === now.toDateString() ? '' : `${dayText(from)}, `;
  return `${day}${minuteText(from)} to ${minuteText(to)}`;
}
