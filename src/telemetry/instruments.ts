// Counters and histograms as OpenTelemetry counts them: since the start, one series for each set of attributes, bounded.
import type { Attributes } from '../values/trace.ts';

interface MetricHead {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
}

export interface CounterData extends MetricHead {
  readonly kind: 'counter';
  readonly points: readonly { readonly attributes: Attributes; readonly value: number }[];
}

interface HistogramPoint {
  readonly attributes: Attributes;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  /** One more than there are bounds. */
  readonly counts: readonly number[];
}

export interface HistogramData extends MetricHead {
  readonly kind: 'histogram';
  readonly bounds: readonly number[];
  readonly points: readonly HistogramPoint[];
}

export type MetricData = CounterData | HistogramData;

export interface Counter {
  add(attributes: Attributes): void;
  read(): CounterData;
}

export interface Histogram {
  record(value: number, attributes: Attributes): void;
  read(): HistogramData;
}

/** A caller decides on some attributes: what comes after this many series is counted in one. */
const MOST_SERIES = 2_000;
const OVERFLOW: Attributes = { 'otel.metric.overflow': true };

export function createCounter(head: MetricHead): Counter {
  const series = createSeries((attributes) => ({ attributes, value: 0 }));
  return {
    add: (attributes) => {
      series.of(attributes).value += 1;
    },
    read: () => ({ ...head, kind: 'counter', points: series.all().map((point) => ({ ...point })) }),
  };
}

export function createHistogram(head: MetricHead, bounds: readonly number[]): Histogram {
  const empty = { count: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  const series = createSeries((attributes) => ({
    ...empty,
    attributes,
    counts: new Array<number>(bounds.length + 1).fill(0),
  }));
  return {
    record: (value, attributes) => {
      const point = series.of(attributes);
      const at = bounds.findIndex((bound) => value <= bound);
      const bucket = at < 0 ? bounds.length : at;
      point.counts[bucket] = (point.counts[bucket] ?? 0) + 1;
      point.count += 1;
      point.sum += value;
      point.min = Math.min(point.min, value);
      point.max = Math.max(point.max, value);
    },
    read: () => ({
      ...head,
      kind: 'histogram',
      bounds,
      points: series.all().map((point) => ({ ...point, counts: [...point.counts] })),
    }),
  };
}

function createSeries<T>(make: (attributes: Attributes) => T) {
  const byKey = new Map<string, T>();
  const of = (attributes: Attributes): T => {
    const key = JSON.stringify(attributes);
    const known = byKey.get(key);
    if (known !== undefined) return known;
    if (byKey.size >= MOST_SERIES && attributes !== OVERFLOW) return of(OVERFLOW);
    const made = make(attributes);
    byKey.set(key, made);
    return made;
  };
  return { of, all: () => [...byKey.values()] };
}
