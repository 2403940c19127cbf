// What the variables ask for.
import { expect, test } from 'vitest';
import { parseVariables, type Variables } from './variables.ts';

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const TRACE_ID = 'a'.repeat(32);

test('one address is both signals, with the defaults of the specification (N5)', () => {
  const { options, problems } = parseVariables(COLLECTOR);
  const usual = { headers: {}, timeoutMs: 10_000, isGzip: false };
  expect(problems).toEqual([]);
  expect(options).toMatchObject({
    traces: { ...usual, url: 'http://127.0.0.1:4318/v1/traces' },
    metrics: { ...usual, url: 'http://127.0.0.1:4318/v1/metrics' },
    resource: {},
    batch: { delayMs: 5_000, mostQueued: 2_048, mostInBatch: 512, withinMs: 30_000 },
    metricsEveryMs: 60_000,
    metricsWithinMs: 30_000,
  });
});

test('a path of the address stays before ours; that of one signal is taken as it is (N5)', () => {
  const { options } = parseVariables({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/',
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:9/here?x=1',
  });
  expect(options.traces?.url).toBe('https://collector.example/otlp/v1/traces');
  expect(options.metrics?.url).toBe('http://127.0.0.1:9/here?x=1');
});

test('only one signal is sent where only one is asked for (N5)', () => {
  const traces = parseVariables({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces' }).options;
  expect([traces.traces?.url, traces.metrics]).toEqual(['http://127.0.0.1:9/v1/traces', undefined]);
  const metrics = parseVariables({ ...COLLECTOR, OTEL_TRACES_EXPORTER: 'none' }).options;
  expect([metrics.traces, metrics.metrics?.url]).toEqual([undefined, 'http://127.0.0.1:4318/v1/metrics']);
});

test('headers are percent-decoded, and those of the signal come first (N5)', () => {
  const { options, problems } = parseVariables({
    ...COLLECTOR,
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20a%3Db, x-team = one ,',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-team=two%',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '250',
  });
  expect(problems).toEqual([]);
  expect(options.traces).toMatchObject({
    headers: { authorization: 'Bearer a=b', 'x-team': 'two%' },
    isGzip: true,
    timeoutMs: 10_000,
  });
  expect(options.metrics).toMatchObject({ headers: { authorization: 'Bearer a=b', 'x-team': 'one' }, timeoutMs: 250 });
});

test('a header of the connection is left out, and the others are sent (N5)', () => {
  const { options } = parseVariables({ ...COLLECTOR, OTEL_EXPORTER_OTLP_HEADERS: 'Content-Length=5,x-team=one' });
  expect(options.traces?.headers).toEqual({ 'x-team': 'one' });
});

test('the name of the service comes before that in the attributes of the resource (N5)', () => {
  const { options } = parseVariables({
    ...COLLECTOR,
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,deployment.environment.name=test%2C1',
    OTEL_SERVICE_NAME: 'b',
  });
  expect(options.resource).toEqual({ 'service.name': 'b', 'deployment.environment.name': 'test,1' });
});

test('a sampler of an unknown name keeps what the usual one keeps (N5)', () => {
  const { options, problems } = parseVariables({ ...COLLECTOR, OTEL_TRACES_SAMPLER: 'xray' });
  const parent = { traceId: TRACE_ID, spanId: 'b'.repeat(16), isSampled: false };
  expect([options.sampler(TRACE_ID, undefined), options.sampler(TRACE_ID, parent)]).toEqual([true, false]);
  expect(problems).toEqual(['Cannot use OTEL_TRACES_SAMPLER: "xray" is not known here; parentbased_always_on is used']);
});

const SECRET = 'hunter2-hunter2';

test.each<[Variables, string]>([
  [
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", but only http/json is spoken here: that is what is sent',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: `ftp://${SECRET}` },
    'Cannot use OTEL_EXPORTER_OTLP_ENDPOINT: it is not an address; use one such as http://127.0.0.1:4318',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: `http://me:${SECRET}@127.0.0.1` },
    'Cannot use OTEL_EXPORTER_OTLP_ENDPOINT: it holds a user or a password; put the credential into OTEL_EXPORTER_OTLP_HEADERS',
  ],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: `a b=${SECRET}` },
    'Cannot use OTEL_EXPORTER_OTLP_HEADERS: an entry is not a header; write name=value with commas between them',
  ],
  [
    { OTEL_BSP_MAX_QUEUE_SIZE: '0' },
    'Cannot use OTEL_BSP_MAX_QUEUE_SIZE: "0" is not a whole number from 1 to 2147483647; 2048 is used',
  ],
  [
    { OTEL_METRIC_EXPORT_INTERVAL: '3000000000' },
    'Cannot use OTEL_METRIC_EXPORT_INTERVAL: "3000000000" is not a whole number from 1 to 2147483647; 60000 is used',
  ],
  ...['Connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'].map(
    (header): [Variables, string] => [
      { OTEL_EXPORTER_OTLP_HEADERS: `${header}=${SECRET}` },
      `Cannot use OTEL_EXPORTER_OTLP_HEADERS: ${header.toLowerCase()} is of the connection; leave it out`,
    ],
  ),
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'Cannot use OTEL_TRACES_SAMPLER_ARG: "2" is not a number from 0 to 1; 1 is used'],
  [
    { OTEL_METRICS_EXPORTER: 'console' },
    'Cannot use OTEL_METRICS_EXPORTER: "console" is not known here; use otlp or none',
  ],
  [
    { OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd' },
    'Cannot use OTEL_EXPORTER_OTLP_COMPRESSION: "zstd" is not known here; use gzip or none',
  ],
  [
    { OTEL_RESOURCE_ATTRIBUTES: SECRET },
    'Cannot use OTEL_RESOURCE_ATTRIBUTES: an entry has no name; write name=value with commas between them',
  ],
])('%j is told once, in one sentence (N5)', (variables, sentence) => {
  expect(parseVariables({ ...COLLECTOR, ...variables }).problems).toEqual([sentence]);
});

test('empty variables count as unset (N5)', () => {
  const empty = { OTEL_TRACES_SAMPLER: '', OTEL_BSP_SCHEDULE_DELAY: ' ', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '' };
  expect(parseVariables({ ...COLLECTOR, ...empty })).toMatchObject({
    problems: [],
    options: { traces: { url: 'http://127.0.0.1:4318/v1/traces' }, batch: { delayMs: 5_000 } },
  });
});
