// Spans and metrics as OTLP writes them in JSON: ids in hexadecimal digits, 64-bit numbers as texts, enumerations as numbers.
import type { Attributes } from '../values/trace.ts';
import type { CounterData, HistogramData, MetricData } from './instruments.ts';
import type { SpanData, SpanKind } from './span.ts';
import type { TraceContext } from './trace-context.ts';

/** Who tells. */
export interface Source {
  readonly resource: Attributes;
  /** Of the program. */
  readonly version: string;
}

const SCOPE = 'repertoire';

export function encodeSpans(spans: readonly SpanData[], { resource, version }: Source): string {
  const scopeSpans = [{ scope: { name: SCOPE, version }, spans: spans.map(spanJson) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: attributesJson(resource) }, scopeSpans }] });
}

/** `startMs`: since when it was counted. */
export function encodeMetrics(metrics: readonly MetricData[], { resource, version }: Source, time: Period): string {
  const told = metrics.filter(({ points }) => points.length > 0).map((metric) => metricJson(metric, time));
  const scopeMetrics = [{ scope: { name: SCOPE, version }, metrics: told }];
  return JSON.stringify({ resourceMetrics: [{ resource: { attributes: attributesJson(resource) }, scopeMetrics }] });
}

export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

const KINDS = { internal: 1, server: 2 } as const satisfies Record<SpanKind, number>;
const STATUS_ERROR = 2;
/** The trace is sampled: what is not is not sent. */
const SAMPLED = 1;

function spanJson(span: SpanData): object {
  const { traceId, spanId, parentSpanId, state, name, kind, startMs, endMs, attributes, error, links } = span;
  return {
    traceId,
    spanId,
    ...(state !== undefined && { traceState: state }),
    ...(parentSpanId !== undefined && { parentSpanId }),
    flags: SAMPLED,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(Math.max(startMs, endMs)),
    attributes: attributesJson({ ...attributes, 'error.type': error?.type }),
    ...(links.length > 0 && { links: links.map(linkJson) }),
    status: error === undefined ? {} : { code: STATUS_ERROR, ...(error.message && { message: error.message }) },
  };
}

const linkJson = ({ traceId, spanId, state }: TraceContext): object => ({
  traceId,
  spanId,
  ...(state !== undefined && { traceState: state }),
});

const CUMULATIVE = 2;

function metricJson(metric: MetricData, time: Period): object {
  const { name, unit, description } = metric;
  return {
    name,
    unit,
    description,
    ...(metric.kind === 'counter' ? sumJson(metric, time) : histogramJson(metric, time)),
  };
}

const sumJson = ({ points }: CounterData, time: Period): object => ({
  sum: {
    aggregationTemporality: CUMULATIVE,
    isMonotonic: true,
    dataPoints: points.map(({ attributes, value }) => ({ ...pointHead(attributes, time), asInt: String(value) })),
  },
});

const histogramJson = ({ points, bounds }: HistogramData, time: Period): object => ({
  histogram: {
    aggregationTemporality: CUMULATIVE,
    dataPoints: points.map(({ attributes, count, sum, min, max, counts }) => ({
      ...pointHead(attributes, time),
      count: String(count),
      sum,
      min,
      max,
      bucketCounts: counts.map(String),
      explicitBounds: bounds,
    })),
  },
});

const pointHead = (attributes: Attributes, { startMs, endMs }: Period): object => ({
  attributes: attributesJson(attributes),
  startTimeUnixNano: nanoseconds(startMs),
  timeUnixNano: nanoseconds(endMs),
});

/** A double holds the microseconds of our century; its nanoseconds would be invented. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`;

function attributesJson(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueJson(value) }],
  );
}

function valueJson(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
