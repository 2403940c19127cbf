// `repertoire serve` with a collector: what a call becomes, and that nothing of it is loaded without one.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CollectedSpan, CollectorStandIn } from '../support/collector-stand-in.ts';
import { askModern, HttpSessionClient, post } from '../support/http-mcp-client.ts';
import { INVOKE, newCaller, type ObservedWorld, openObservedWorld, workflowFor } from '../support/observed-world.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import type { ServeProcess } from '../support/serve-process.ts';

const OTHER_PARENT = 'b7ad6b7169203331';

let world: ObservedWorld;
let collector: CollectorStandIn;
let here: ServeProcess;

beforeAll(async () => {
  world = await openObservedWorld();
  collector = world.collector;
  const resource = { OTEL_SERVICE_NAME: 'skills-eu', OTEL_RESOURCE_ATTRIBUTES: 'team=a%20b' };
  here = await world.serve({ ...world.named(), ...resource });
});

afterAll(() => world.close());

const bearer = ({ token }: ServeProcess) => ({ authorization: `Bearer ${token}` });

const isRequestIn = (trace: string) => (span: CollectedSpan) => span.kind === 2 && span.traceId === trace;

const only = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
  const [found, ...more] = spans.filter((span) => span.name === name);
  expect([name, found !== undefined, more.length]).toEqual([name, true, 0]);
  return found as CollectedSpan; // the line above says so
};

/** The invocation below the request, and its steps below the invocation. */
function expectWorkflow(spans: readonly CollectedSpan[], request: CollectedSpan): void {
  const workflow = only(spans, 'execute_tool workflow_coordination');
  expect(workflow).toMatchObject({ kind: 1, parentSpanId: request.spanId, status: {} });
  expect(workflow.attributes).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'workflow_coordination',
    'repertoire.outcome': 'success',
    'repertoire.invocation_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'repertoire.correlation_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  for (const step of ['execute_tool user_creation', 'execute_tool task_creation']) {
    expect(only(spans, step)).toMatchObject({ kind: 1, parentSpanId: workflow.spanId });
  }
  expect(spans.filter(({ parentSpanId }) => parentSpanId === workflow.spanId).map(({ name }) => name)).toContain(
    'record end',
  );
}

describe('a call is one trace under its caller (N5)', () => {
  test('over MCP in the era of 2026, by the traceparent of its _meta; that of the connection is linked (N5) (X9)', async () => {
    const { trace, parent, traceparent } = newCaller();
    const reply = await askModern(
      new URL(here.mcp_url),
      'tools/call',
      { name: 'workflow_coordination', arguments: workflowFor('a@example.org') },
      {
        id: 'call-7',
        meta: { traceparent, tracestate: 'rojo=1' },
        headers: { ...bearer(here), traceparent: `00-${trace}-${OTHER_PARENT}-01` },
      },
    );
    expect(reply.messages[0]?.result?.isError).toBeUndefined();
    const spans = await collector.traceWith(isRequestIn(trace));
    const request = only(spans, 'tools/call workflow_coordination');
    expect(request).toMatchObject({
      traceId: trace,
      parentSpanId: parent,
      traceState: 'rojo=1',
      links: [{ traceId: trace, spanId: OTHER_PARENT }],
      status: {},
    });
    expect(request.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': '2026-07-28',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'workflow_coordination',
      'jsonrpc.request.id': 'call-7',
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'network.protocol.version': '1.1',
      'client.address': '127.0.0.1',
      'server.address': '127.0.0.1',
      'server.port': here.port,
    });
    expectWorkflow(spans, request);
    expect(spans.filter(({ kind }) => kind === 2)).toHaveLength(1);
  });

  test('over MCP in the era of 2025, by the traceparent of the request, with its session (N5)', async () => {
    const url = new URL(here.mcp_url);
    const hello = await post(url, initialize(), bearer(here));
    const client = new HttpSessionClient(url, hello, '2025-11-25', bearer(here));
    const { trace, parent, traceparent } = newCaller();
    const call = { name: 'workflow_coordination', arguments: workflowFor('b@example.org') };
    await client.request(7, 'tools/call', call, { traceparent });
    const spans = await collector.traceWith(isRequestIn(trace));
    const request = only(spans, 'tools/call workflow_coordination');
    expect(request).toMatchObject({ traceId: trace, parentSpanId: parent });
    expect(request.links).toBeUndefined();
    expect(request.attributes).toMatchObject({
      'mcp.session.id': client.id,
      'mcp.protocol.version': '2025-11-25',
      'jsonrpc.request.id': '7',
    });
    expectWorkflow(spans, request);
    const greeting = await collector.traceWith(({ name }) => name === 'initialize');
    expect(greeting).toMatchObject([
      { attributes: { 'mcp.protocol.version': '2025-11-25', 'mcp.session.id': client.id } },
    ]);
  });

  test('over the API, by the traceparent of the request (N5)', async () => {
    const { trace, parent, traceparent } = newCaller();
    const body = JSON.stringify(workflowFor('c@example.org'));
    const answer = await here.ask(INVOKE, { headers: { traceparent }, body });
    expect(answer.status).toBe(200);
    const name = 'POST /api/typed-skills/{name}/invoke';
    const spans = await collector.traceWith(isRequestIn(trace));
    const request = only(spans, name);
    expect(request).toMatchObject({ kind: 2, traceId: trace, parentSpanId: parent });
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/typed-skills/{name}/invoke',
      'http.response.status_code': 200,
      'url.path': INVOKE,
      'url.scheme': 'http',
    });
    expectWorkflow(spans, request);
  });

  test('also where it is kept and carried out after its answer, or under a key (N5, J2, J3)', async () => {
    const { trace, traceparent } = newCaller();
    const body = JSON.stringify(workflowFor('d@example.org'));
    const answer = await here.ask(INVOKE, { headers: { traceparent, prefer: 'respond-async' }, body });
    expect(answer.status).toBe(202);
    const { invocation_id: id, correlation_id: correlation } = JSON.parse(answer.text);
    const ran = (span: CollectedSpan) => span.traceId === trace && span.name === 'execute_tool workflow_coordination';
    const spans = await collector.traceWith(ran);
    const workflow = only(spans, 'execute_tool workflow_coordination');
    expect(workflow.parentSpanId).toBe(only(spans, 'POST /api/typed-skills/{name}/invoke').spanId);
    expect(workflow.attributes).toMatchObject({
      'repertoire.invocation_id': id,
      'repertoire.correlation_id': correlation,
      'repertoire.outcome': 'success',
      'repertoire.attempt': 1,
    });
    for (const step of ['execute_tool user_creation', 'execute_tool task_creation'])
      expect(only(spans, step)).toMatchObject({ kind: 1, parentSpanId: workflow.spanId });

    const keyed = newCaller();
    const sequence = '/api/typed-skills/task_sequencing/invoke';
    const headers = { traceparent: keyed.traceparent, 'idempotency-key': 'k-1' };
    await here.ask(sequence, { headers, body: JSON.stringify({ tasks: [{ id: 'a' }] }) });
    const once = await collector.traceWith(
      ({ traceId, name }) => traceId === keyed.trace && name === 'execute_tool task_sequencing',
    );
    expect(only(once, 'execute_tool task_sequencing').attributes).toMatchObject({ 'repertoire.outcome': 'success' });
  });

  test('one that is refused before it is kept is in its trace as well (N5, J1)', async () => {
    const { trace, traceparent } = newCaller();
    const headers = { traceparent, prefer: 'respond-async' };
    expect((await here.ask(INVOKE, { headers, body: '{"steps": 1}' })).status).toBe(400);
    const spans = await collector.traceWith(isRequestIn(trace));
    expect(only(spans, 'execute_tool workflow_coordination')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'VALIDATION_ERROR' },
    });
  });
});

test('a failed call is marked as one: a tool error, a code of JSON-RPC, and the code of the skill (N5)', async () => {
  const url = new URL(here.mcp_url);
  const headers = bearer(here);
  await askModern(url, 'tools/call', { name: 'task_creation', arguments: { title: 7 } }, { id: 1, headers });
  await askModern(url, 'tools/call', { name: 'no_such_tool' }, { id: 2, headers });
  await askModern(url, 'no/such/method', {}, { id: 3, headers });
  const spans = await collector.traceWith(({ name }) => name === 'tools/call task_creation');
  expect(only(spans, 'tools/call task_creation')).toMatchObject({
    status: { code: 2 },
    attributes: { 'error.type': 'tool_error' },
  });
  expect(only(spans, 'execute_tool task_creation')).toMatchObject({
    status: { code: 2 },
    attributes: { 'error.type': 'VALIDATION_ERROR', 'repertoire.outcome': 'VALIDATION_ERROR' },
  });
  const unknownTool = await collector.traceWith(({ name }) => name === 'tools/call');
  expect(unknownTool).toMatchObject([
    { status: { code: 2, message: expect.stringContaining('Unknown tool') }, attributes: { 'error.type': '-32602' } },
  ]);
  const unknownMethod = await collector.traceWith(({ name }) => name === '_OTHER');
  expect(unknownMethod).toMatchObject([{ attributes: { 'rpc.response.status_code': '-32601' } }]);
});

test('a parent that is not sampled is respected, and one that is not valid is as if it were absent (N5)', async () => {
  const { trace, parent } = newCaller();
  const ask = (path: string, traceparent: string) => here.ask(path, { headers: { traceparent } });
  await ask('/api/documents?limit=1', `00-${trace}-${parent}-00`);
  await ask('/api/typed-skills', `00-${'0'.repeat(32)}-${parent}-01`);
  const [listed] = await collector.traceWith(({ name }) => name === 'GET /api/typed-skills');
  expect(listed?.parentSpanId).toBeUndefined();
  expect(listed?.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
  expect(collector.spans().some(({ traceId }) => traceId === trace)).toBe(false);
});

test('metrics have the names, units and boundaries of the conventions, and say which service it is (N5)', async () => {
  const url = new URL(here.mcp_url);
  await askModern(
    url,
    'tools/call',
    { name: 'get_skill', arguments: { uri: 'skill://sql-review/SKILL.md' } },
    { headers: bearer(here) },
  );
  await here.ask(INVOKE, { body: JSON.stringify(workflowFor('d@example.org')) });
  const ran = { 'repertoire.skill': 'task_creation', 'repertoire.outcome': 'success' };
  const isRun = ({ attributes }: { readonly attributes: object }) => isDeepStrictEqual(attributes, ran);
  await vi.waitUntil(() => collector.points('repertoire.invocations').some(isRun), { timeout: PATIENCE_MS });
  await vi.waitUntil(() => collector.points('repertoire.loads').length > 0, { timeout: PATIENCE_MS });
  const operations = collector.points('mcp.server.operation.duration');
  const operation = operations.find(({ attributes }) => attributes['gen_ai.tool.name'] === 'get_skill');
  expect(operation).toMatchObject({
    attributes: {
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'get_skill',
      'mcp.protocol.version': '2026-07-28',
    },
    count: '1',
    explicitBounds: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
  });
  expect(collector.points('http.server.request.duration').map(({ attributes }) => attributes['http.route'])).toEqual(
    expect.arrayContaining(['/mcp', '/api/typed-skills/{name}/invoke']),
  );
  expect(collector.points('repertoire.loads')).toMatchObject([{ attributes: { 'repertoire.skill': 'sql-review' } }]);
  expect(collector.resource()).toMatchObject({
    'service.name': 'skills-eu',
    team: 'a b',
    'service.version': expect.stringMatching(/^\d+\./),
    'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

describe('what is loaded (N5)', () => {
  test('without a collector nothing of telemetry is loaded, and nothing is in /metrics (N5)', async () => {
    const { files, metrics } = await loadedWith({});
    expect(files.filter(hasTelemetry)).toEqual([]);
    expect(metrics).not.toContain('telemetry');
  });

  test('nor where it is switched off; with a collector it is (N5)', async () => {
    const off = await loadedWith({ ...world.named(), OTEL_SDK_DISABLED: 'true' });
    expect(off.files.filter(hasTelemetry)).toEqual([]);
    const on = await loadedWith(world.named());
    expect(on.files.filter(hasTelemetry)).toHaveLength(1);
    expect(on.metrics).toContain('repertoire_telemetry_dropped_total 0');
  });
});

/** V8 says at the end which files it ran. */
async function loadedWith(variables: Readonly<Record<string, string>>) {
  const coverage = mkdtempSync(join(world.folder, 'coverage-'));
  const server = await world.serve({ ...variables, NODE_V8_COVERAGE: coverage });
  const body = JSON.stringify(workflowFor('e@example.org'));
  expect((await server.ask(INVOKE, { body })).status).toBe(200);
  const metrics = (await server.ask('/metrics')).text;
  expect(await server.stop()).toBe(0);
  const reports = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), 'utf8'));
  // As Node writes them.
  const urls = reports.flatMap((text) =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  const files = [...new Set(urls)].filter((url) => url.includes('/dist/')).map((url) => new URL(url));
  expect(files.length).toBeGreaterThan(3);
  return { files, metrics };
}

/** Only what writes OTLP has this word in it. */
const hasTelemetry = (file: URL): boolean => readFileSync(file, 'utf8').includes('resourceSpans');

const initialize = () => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
