// A collector that hangs, goes away or is wrongly named, and what is never sent to one.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startCollector } from '../support/collector-stand-in.ts';
import {
  INVOKE,
  newCaller,
  type ObservedWorld,
  openObservedWorld,
  PASSWORD,
  workflowFor,
} from '../support/observed-world.ts';
import { PATIENCE_MS } from '../support/patience.ts';

let world: ObservedWorld;
beforeEach(async () => {
  world = await openObservedWorld();
});
afterEach(() => world.close());

test('inputs, outputs, passwords and tokens are in nothing that is sent (N5)', async () => {
  const here = await world.serve({
    ...world.named(),
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=s%3Dcret',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  });
  await here.ask(`${INVOKE}?access_token=query-secret`, { body: '{}' });
  const body = JSON.stringify(workflowFor('ada@example.org'));
  // The second time there is such a user: it fails, and says so.
  expect([(await here.ask(INVOKE, { body })).status, (await here.ask(INVOKE, { body })).status]).toEqual([200, 400]);
  await here.ask('/api/documents?query=violet');
  const leaked = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB';
  await here.ask(`/api/documents/${leaked}`, { headers: { 'user-agent': `agent ${leaked}` } });
  await world.collector.traceWith(({ name }) => name.startsWith('GET /api/documents/'));
  await here.stop();
  expect(world.collector.received.every(({ headers }) => headers['api-key'] === 's=cret')).toBe(true);
  expect(world.collector.received.every(({ headers }) => headers['content-encoding'] === 'gzip')).toBe(true);
  const sent = world.collector.received.map(({ text }) => text).join('\n');
  for (const secret of [PASSWORD, 'violet', 'ada@example.org', 'query-secret', leaked, String(here.token)])
    expect(sent).not.toContain(secret);
});

describe('a bad collector (N5) (F13)', () => {
  test('one that hangs delays no answer and no stop, is told of once, and what is lost is counted (N5) (F11)', async () => {
    world.collector.manner = 'hang';
    const here = await world.serve({
      ...world.named(),
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      OTEL_BSP_EXPORT_TIMEOUT: '150',
      OTEL_BSP_MAX_QUEUE_SIZE: '4',
    });
    for (let round = 0; round < 12; round += 1) expect((await here.ask('/api/typed-skills')).status).toBe(200);
    await vi.waitUntil(async () => /repertoire_telemetry_dropped_total [1-9]/.test((await here.ask('/metrics')).text), {
      timeout: PATIENCE_MS,
    });
    expect(await here.stop()).toBe(0);
    expect(here.stderr().match(/Cannot send telemetry to/g)).toHaveLength(1);
  });

  test('one that is away and comes back is told of once each, and gets what waited (N5)', async () => {
    const port = Number(new URL(world.collector.url).port);
    const variables = world.named();
    await world.collector.close();
    const here = await world.serve(variables);
    const { trace, traceparent } = newCaller();
    await here.ask('/api/typed-skills', { headers: { traceparent } });
    await vi.waitUntil(() => here.stderr().includes('Cannot send telemetry to'), { timeout: PATIENCE_MS });
    world.collector = await startCollector(port);
    await world.collector.traceWith(({ traceId }) => traceId === trace);
    await vi.waitUntil(() => here.stderr().includes('Telemetry reaches'), { timeout: PATIENCE_MS });
    await here.stop();
    expect(here.stderr().match(/Cannot send telemetry to/g)).toHaveLength(1);
    expect(here.stderr().match(/Telemetry reaches/g)).toHaveLength(1);
  });

  test('what waits at a stop is sent before the end (N5) (F11)', async () => {
    const here = await world.serve({
      ...world.named(),
      OTEL_BSP_SCHEDULE_DELAY: '600000',
      OTEL_METRIC_EXPORT_INTERVAL: '600000',
    });
    const { trace, traceparent } = newCaller();
    await here.ask('/api/typed-skills', { headers: { traceparent } });
    expect(await here.stop()).toBe(0);
    expect(world.collector.spans().map(({ traceId }) => traceId)).toEqual([trace]);
    expect(world.collector.points('http.server.request.duration')).not.toEqual([]);
  });

  test('variables that cannot be used are told in a sentence each, and the server serves (N5)', async () => {
    const here = await world.serve({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector', OTEL_METRIC_EXPORT_INTERVAL: 'soon' });
    expect((await here.ask('/api/typed-skills')).status).toBe(200);
    await here.stop();
    expect(here.stderr().match(/Cannot use OTEL_EXPORTER_OTLP_ENDPOINT: it is not an address/g)).toHaveLength(1);
    expect(here.stderr()).toContain(
      'Cannot use OTEL_METRIC_EXPORT_INTERVAL: \\"soon\\" is not a whole number from 1 to',
    );
  });
});
