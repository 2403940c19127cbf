// Tests of 2026-07-28 over HTTP: codes and statuses, JSON and streams, cancellation, subscriptions. On a real socket.
import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  askModern,
  listenModern,
  type ModernOptions,
  modernHeaders,
  modernRequest,
  openEvents,
  post,
} from '../../../../tests/support/http-mcp-client.ts';
import { CALLER_HEADER, type HttpMcpServer, serveHttpMcp } from '../../../../tests/support/http-mcp-server.ts';
import { type SampleTable, sampleTable } from './fixtures/sample-table.ts';
import { PreparedResult } from './method.ts';

let table: SampleTable;
let server: HttpMcpServer;
beforeEach(async () => {
  table = sampleTable();
  server = await serveHttpMcp(table, { grace: { finishMs: 50, abortMs: 50 } });
});
afterEach(() => server.close());

const version = (value: unknown) => ({ 'io.modelcontextprotocol/protocolVersion': value });
const call = (name: string, args = {}, options: ModernOptions = {}) =>
  askModern(server.url, 'tools/call', { name, arguments: args }, options);

describe('a modern request (H1)', () => {
  test('is answered with one JSON object, dressed for its era, without a session', async () => {
    const reply = await call('echo', { a: 1 });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(reply.headers.get('content-length')).toBe(String(Buffer.byteLength(reply.text)));
    expect(reply.headers.get('mcp-session-id')).toBeNull();
    expect(reply.messages).toMatchObject([
      { id: 1, result: { resultType: 'complete', content: [{ text: 'modern: {"a":1}' }] } },
    ]);
  });

  test('gets what was prepared whole, whatever its id is, also as an event', async () => {
    const prepared = new PreparedResult(Buffer.from('{"text":"größe"}'));
    const methods = new Map([['prepared', () => ({ ok: true, value: prepared }) as const]]);
    const other = await serveHttpMcp({ ...table, methods });
    const replies = [
      await askModern(other.url, 'prepared', {}, { id: 'zwei €' }),
      await askModern(other.url, 'prepared'),
      await askModern(other.url, 'prepared', {}, { id: 3, headers: { accept: 'text/event-stream' } }),
    ];
    await other.close();
    expect(replies[2]?.text).toMatch(/^event: message\ndata: \{.*\}\n\n$/);
    expect(replies.map(({ messages: [answer] }) => [answer?.id, answer?.result?.text])).toEqual([
      ['zwei €', 'größe'],
      [1, 'größe'],
      [3, 'größe'],
    ]);
  });

  test('discovers the server, and is told how long a list holds', async () => {
    const discovered = await askModern(server.url, 'server/discover');
    expect(discovered.messages[0]?.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      instructions: 'Hello contract-tests',
    });
    const listed = await askModern(server.url, 'tools/list');
    expect(listed.messages[0]?.result).toMatchObject({ ttlMs: 5000, cacheScope: 'public' });
  });

  test.each<[string, string, ModernOptions, number, number]>([
    ['names no version in a header', 'tools/list', { headers: { 'mcp-protocol-version': undefined } }, 400, -32020],
    ['names another version in the header', 'tools/list', { meta: version('v999') }, 400, -32020],
    ['names no method in a header', 'tools/list', { headers: { 'mcp-method': undefined } }, 400, -32020],
    ['names another method in the header', 'tools/list', { headers: { 'mcp-method': 'x' } }, 400, -32020],
    ['has no _meta', 'tools/list', { meta: null }, 400, -32602],
    [
      'has no _meta and asks for what only this era has',
      'server/discover',
      { meta: null, headers: { 'mcp-protocol-version': undefined } },
      400,
      -32602,
    ],
    [
      'has no capabilities',
      'tools/list',
      { meta: { 'io.modelcontextprotocol/clientCapabilities': undefined } },
      400,
      -32602,
    ],
    ['has a version that is a number', 'tools/list', { meta: version(5) }, 400, -32602],
    ['asks for an unknown method', 'no/such', {}, 404, -32601],
    ['asks for a method of the era before', 'initialize', {}, 404, -32601],
    ['asks for ping', 'ping', {}, 404, -32601],
  ])('that %s is refused', async (_what, method, options, status, code) => {
    const reply = await askModern(server.url, method, {}, { id: 'mine', ...options });
    expect([reply.status, reply.code, reply.messages[0]?.id]).toEqual([status, code, 'mine']);
  });

  test('of an unknown version learns which ones there are', async () => {
    const options = { meta: version('v999'), headers: { 'mcp-protocol-version': 'v999' } };
    const reply = await askModern(server.url, 'tools/list', {}, options);
    expect(reply.status).toBe(400);
    expect(reply.messages).toMatchObject([
      { error: { code: -32022, data: { supported: ['2026-07-28'], requested: 'v999' } } },
    ]);
  });

  test.each([
    ['an encoded one', 'echo', '=?base64?ZWNobw==?=', 200],
    ['another one', 'echo', 'steps', 400],
    ['none', 'echo', undefined, 400],
    ['a broken one', 'echo', '=?base64?ZWNobw?=', 400],
  ])('whose name is told by %s in Mcp-Name is %s', async (_what, name, header, status) => {
    expect((await call(name, {}, { headers: { 'mcp-name': header } })).status).toBe(status);
  });

  test('may have blanks around the values of its headers', async () => {
    const message = modernRequest('tools/call', { name: 'echo', arguments: {} });
    const padded = Object.entries(modernHeaders(message)).map(([key, value]) => [key, `  ${value} \t`]);
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', ...Object.fromEntries(padded) };
      const sent = httpRequest(server.url, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end(JSON.stringify(message));
    });
    expect(status).toBe(200);
  });

  test('that a method refuses is 200 with the error; a thrown one says nothing of its reason (T9)', async () => {
    const refused = await call('nothing');
    expect([refused.status, refused.code]).toEqual([200, -32602]);
    const thrown = await call('throw');
    expect([thrown.status, thrown.code, thrown.text.includes('secret')]).toEqual([200, -32603, false]);
  });

  test('ignores a session id, and a notification is 202 without a body', async () => {
    expect((await call('echo', {}, { headers: { 'mcp-session-id': 'any' } })).status).toBe(200);
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const reply = await post(server.url, notification, { 'mcp-protocol-version': '2026-07-28' });
    expect([reply.status, reply.text]).toEqual([202, '']);
  });

  test('is a batch never', async () => {
    const reply = await post(server.url, [modernRequest('tools/list', {})]);
    expect(reply.status).toBe(400);
  });

  test('tells the method who calls, and from where (X9)', async () => {
    const seen: unknown[] = [];
    const methods = new Map([
      [
        'who',
        (_params: object, { caller, remote }: { caller?: unknown; remote: boolean }) => {
          seen.push([caller, remote]);
          return { ok: true, value: {} } as const;
        },
      ],
    ]);
    const other = await serveHttpMcp({ ...table, methods }, { remote: true });
    await askModern(other.url, 'who', {}, { headers: { [CALLER_HEADER]: 'TaskAgent' } });
    await other.close();
    expect(seen).toMatchObject([[{ kind: 'agent', name: 'TaskAgent', roles: ['TaskAgent'] }, true]]);
  });
});

describe('progress', () => {
  const token = { meta: { progressToken: 't' } };

  test('comes as events before the answer', async () => {
    const reply = await call('steps', { count: 2 }, token);
    expect(reply.headers.get('content-type')).toBe('text/event-stream');
    expect(reply.headers.get('x-accel-buffering')).toBe('no');
    expect(reply.messages.map((m) => m.params?.progress ?? m.id)).toEqual([1, 2, 1]);
  });

  test('is left out for a client that reads no events, and the answer alone is a stream for one that reads nothing else', async () => {
    const json = await call('steps', { count: 2 }, { ...token, headers: { accept: 'application/json' } });
    expect([json.headers.get('content-type'), json.messages.length]).toEqual(['application/json', 1]);
    const stream = await call('echo', {}, { headers: { accept: 'text/event-stream' } });
    expect([stream.headers.get('content-type'), stream.messages.length]).toEqual(['text/event-stream', 1]);
  });

  test('or none: a method that answers at once is not made a stream', async () => {
    expect((await call('echo', {}, token)).headers.get('content-type')).toBe('application/json');
  });

  test('shows signs of life while nothing happens', async () => {
    // A process that stands still for four of these ends its stream: long enough for a machine that is out of breath.
    const other = await serveHttpMcp(table, { keepAliveMs: 500 });
    const message = modernRequest('tools/call', { name: 'hold' }, token);
    const headers = { 'content-type': 'application/json', ...modernHeaders(message) };
    const events = await openEvents(other.url, { method: 'POST', headers, body: JSON.stringify(message) });
    await expect.poll(() => events.comments).toBeGreaterThan(1);
    expect(events.messages).toEqual([]);
    table.release();
    await expect.poll(() => events.ended).toBe(true);
    await other.close();
    expect(events.messages).toMatchObject([{ id: 1, result: {} }]);
  });
});

describe('a closed response', () => {
  test.each([
    ['one object', {}],
    ['a stream', { progressToken: 't' }],
  ])('cancels the call that was to be answered with %s', async (_form, meta) => {
    const controller = new AbortController();
    const waiting = call('wait', {}, { meta, signal: controller.signal });
    await expect.poll(() => table.trace).toEqual(['waiting']);
    controller.abort();
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => table.trace).toEqual(['waiting', 'aborted']);
    expect(server.logged).toEqual([]);
  });
});

describe('subscriptions/listen', () => {
  test('acknowledges first, tags every message, and sends only what was asked for', async () => {
    const events = await listenModern(
      server.url,
      { toolsListChanged: true, resourceSubscriptions: ['sample://one'] },
      9,
    );
    await call('change');
    await expect.poll(() => events.messages.length).toBe(3);
    expect(events.messages.map((m) => m.method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
      'notifications/resources/updated',
    ]);
    for (const { params } of events.messages) {
      expect(params?._meta).toEqual({ 'io.modelcontextprotocol/subscriptionId': 9 });
    }
    events.close();
  });

  test('may use one id on several connections, and a closed one hears nothing more', async () => {
    const first = await listenModern(server.url, { toolsListChanged: true }, 1);
    const second = await listenModern(server.url, { toolsListChanged: true }, 1);
    first.close();
    await expect.poll(() => first.ended).toBe(true);
    await expect.poll(() => server.connections()).toBeLessThan(3);
    table.emit({ kind: 'tools' });
    await expect.poll(() => second.messages.length).toBe(2);
    expect(first.messages).toHaveLength(1);
    second.close();
  });

  test('ends at once when there is nothing to hear', async () => {
    const events = await listenModern(server.url, { promptsListChanged: true });
    await expect.poll(() => events.ended).toBe(true);
    expect(events.messages.map((m) => m.method ?? m.result?.resultType)).toEqual([
      'notifications/subscriptions/acknowledged',
      'complete',
    ]);
  });

  test('with a bad filter is 400, and 406 for a client that reads no events', async () => {
    const bad = await askModern(server.url, 'subscriptions/listen', { notifications: 5 });
    expect([bad.status, bad.code]).toEqual([400, -32602]);
    const params = { notifications: { toolsListChanged: true } };
    const headers = { accept: 'application/json' };
    expect((await askModern(server.url, 'subscriptions/listen', params, { headers })).status).toBe(406);
  });
});
