// The form that collectors read.
import { expect, test } from 'vitest';
import { createCounter, createHistogram } from './instruments.ts';
import { encodeMetrics, encodeSpans } from './otlp-json.ts';
import type { SpanData } from './span.ts';

const SOURCE = { version: '1.2.3', resource: { 'service.name': 'here', 'process.pid': 7 } };
const SPAN: SpanData = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: 'c'.repeat(16),
  state: 'rojo=1',
  name: 'tools/call greet',
  kind: 'server',
  startMs: 1_760_000_000_123.25,
  endMs: 1_760_000_000_125,
  attributes: { text: 'a', whole: 7, part: 0.5, yes: true, none: undefined },
  error: undefined,
  links: [],
};

test('a span has its ids in hexadecimal digits, its times as texts, and its kind as a number (N5)', () => {
  expect(JSON.parse(encodeSpans([SPAN], SOURCE))).toEqual({
    resourceSpans: [
      {
        resource: {
          attributes: [
            { key: 'service.name', value: { stringValue: 'here' } },
            { key: 'process.pid', value: { intValue: '7' } },
          ],
        },
        scopeSpans: [
          {
            scope: { name: 'repertoire', version: '1.2.3' },
            spans: [
              {
                traceId: 'a'.repeat(32),
                spanId: 'b'.repeat(16),
                parentSpanId: 'c'.repeat(16),
                traceState: 'rojo=1',
                flags: 1,
                name: 'tools/call greet',
                kind: 2,
                startTimeUnixNano: '1760000000123250000',
                endTimeUnixNano: '1760000000125000000',
                attributes: [
                  { key: 'text', value: { stringValue: 'a' } },
                  { key: 'whole', value: { intValue: '7' } },
                  { key: 'part', value: { doubleValue: 0.5 } },
                  { key: 'yes', value: { boolValue: true } },
                ],
                status: {},
              },
            ],
          },
        ],
      },
    ],
  });
});

test('a failed span has the status of an error, its type, and its links (N5)', () => {
  const link = { traceId: 'd'.repeat(32), spanId: 'e'.repeat(16), isSampled: true };
  const failed = { ...SPAN, kind: 'internal', error: { type: 'TIMEOUT', message: 'too late' }, links: [link] } as const;
  const [span] = JSON.parse(encodeSpans([failed], SOURCE)).resourceSpans[0].scopeSpans[0].spans;
  expect(span).toMatchObject({
    kind: 1,
    status: { code: 2, message: 'too late' },
    links: [{ traceId: 'd'.repeat(32), spanId: 'e'.repeat(16) }],
  });
  expect(span.attributes).toContainEqual({ key: 'error.type', value: { stringValue: 'TIMEOUT' } });
});

test('counters and histograms count since the start, with every bucket (N5)', () => {
  const counter = createCounter({ name: 'loads', unit: '{load}', description: 'Loads.' });
  const histogram = createHistogram({ name: 'time', unit: 's', description: 'Time.' }, [0.1, 1]);
  const unused = createCounter({ name: 'unused', unit: '1', description: 'Nothing.' });
  counter.add({ skill: 'a' });
  counter.add({ skill: 'a' });
  for (const seconds of [0.1, 0.5, 3]) histogram.record(seconds, { method: 'ping' });
  const read = [counter.read(), histogram.read(), unused.read()];
  const [{ scopeMetrics }] = JSON.parse(encodeMetrics(read, SOURCE, { startMs: 1_000, endMs: 2_000 })).resourceMetrics;
  const times = { startTimeUnixNano: '1000000000', timeUnixNano: '2000000000' };
  expect(scopeMetrics[0].metrics).toEqual([
    {
      name: 'loads',
      unit: '{load}',
      description: 'Loads.',
      sum: {
        aggregationTemporality: 2,
        isMonotonic: true,
        dataPoints: [{ attributes: [{ key: 'skill', value: { stringValue: 'a' } }], ...times, asInt: '2' }],
      },
    },
    {
      name: 'time',
      unit: 's',
      description: 'Time.',
      histogram: {
        aggregationTemporality: 2,
        dataPoints: [
          {
            attributes: [{ key: 'method', value: { stringValue: 'ping' } }],
            ...times,
            count: '3',
            sum: 3.6,
            min: 0.1,
            max: 3,
            bucketCounts: ['1', '1', '1'],
            explicitBounds: [0.1, 1],
          },
        ],
      },
    },
  ]);
});

test('series beyond the most are counted together (N5)', () => {
  const counter = createCounter({ name: 'loads', unit: '{load}', description: 'Loads.' });
  for (let number = 0; number < 2_010; number += 1) counter.add({ number });
  const { points } = counter.read();
  expect(points).toHaveLength(2_001);
  expect(points.at(-1)).toEqual({ attributes: { 'otel.metric.overflow': true }, value: 10 });
});
