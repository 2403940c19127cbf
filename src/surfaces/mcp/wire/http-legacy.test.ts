// Tests of the 2025 protocols over HTTP: sessions and whose they are, their stream, cancellation, batches. On a real socket.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSession, post } from '../../../../tests/support/http-mcp-client.ts';
import { CALLER_HEADER, type HttpMcpServer, serveHttpMcp } from '../../../../tests/support/http-mcp-server.ts';
import { stopTime } from '../../../../tests/support/stopped-time.ts';
import { type SampleTable, sampleTable } from './fixtures/sample-table.ts';

let table: SampleTable;
let server: HttpMcpServer;
beforeEach(async () => {
  table = sampleTable();
  server = await serveHttpMcp(table, { grace: { finishMs: 50, abortMs: 50 } });
});
afterEach(() => server.close());

const as = (name: string) => ({ [CALLER_HEADER]: name });

describe('a session (H1)', () => {
  test.each(['2025-11-25', '2025-06-18', '2025-03-26'])('of %s begins with initialize', async (version) => {
    const session = await openSession(server.url, version);
    expect(session.hello.messages).toMatchObject([
      { id: 'hello', result: { protocolVersion: version, instructions: 'Hello contract-tests' } },
    ]);
    const reply = await session.call(1, 'echo', { a: 1 });
    expect(reply.messages).toEqual([
      { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'legacy: {"a":1}' }] } },
    ]);
    expect((await session.request(2, 'ping')).messages).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
    expect(server.endpoint.sessions).toBe(1);
  });

  test('has an id of 256 bits in visible ASCII, another one each time', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await openSession(server.url)).id));
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) {
      expect(id).toMatch(/^[\x21-\x7e]+$/);
      expect(Buffer.from(id, 'base64url')).toHaveLength(32);
    }
  });

  test('is not made by a handshake that fails', async () => {
    const reply = await post(server.url, { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    expect(reply.code).toBe(-32602);
    expect(reply.headers.get('mcp-session-id')).toBeNull();
    expect(server.endpoint.sessions).toBe(0);
  });

  test('belongs to its caller: for anyone else it is unknown, as for the one it never was (THREATS)', async () => {
    const session = await openSession(server.url, '2025-11-25', as('alice'));
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const stolen = await post(server.url, list, { ...as('bob'), 'mcp-session-id': session.id });
    const unknown = await post(server.url, list, { ...as('bob'), 'mcp-session-id': 'unknown' });
    expect([stolen.status, stolen.text]).toEqual([404, unknown.text]);
    expect((await post(server.url, list, { 'mcp-session-id': session.id })).status).toBe(404);
    for (const method of ['GET', 'DELETE']) {
      const headers = { ...as('bob'), 'mcp-session-id': session.id };
      expect((await fetch(server.url, { method, headers })).status).toBe(404);
    }
    expect((await session.request(1, 'tools/list')).status).toBe(200);
  });

  test('holds to the version it agreed on', async () => {
    const session = await openSession(server.url, '2025-06-18');
    const other = { 'mcp-protocol-version': '2025-11-25' };
    expect((await session.request(1, 'tools/list', {}, other)).status).toBe(400);
    expect((await session.listen(other)).status).toBe(400);
  });

  test('ends with DELETE: what ran is answered, and the id is unknown from then on', async () => {
    const session = await openSession(server.url);
    const running = session.call(1, 'wait');
    await expect.poll(() => table.trace).toEqual(['waiting']);
    const stream = await session.listen();
    expect(await session.end()).toBe(204);
    expect((await running).messages).toMatchObject([{ id: 1, error: { code: -32000 } }]);
    await expect.poll(() => [table.trace.at(-1), stream.ended]).toEqual(['aborted', true]);
    expect((await session.request(2, 'tools/list')).status).toBe(404);
    expect(await session.end()).toBe(404);
  });
});

describe('a request in a session', () => {
  test('with an id that is still running is refused, and does not touch the first', async () => {
    const session = await openSession(server.url);
    const other = await openSession(server.url);
    const first = session.call(1, 'hold');
    await expect.poll(() => table.trace).toEqual(['holding']);
    const second = await session.call(1, 'echo');
    expect([second.status, second.code]).toEqual([400, -32600]);
    expect((await other.call(1, 'echo')).status).toBe(200);
    expect((await session.call('1', 'echo')).status).toBe(200);
    table.release();
    expect((await first).messages).toMatchObject([{ id: 1, result: { content: [{ text: 'held' }] } }]);
  });

  test('for an unknown method is 200 with -32601', async () => {
    const session = await openSession(server.url);
    const reply = await session.request(1, 'no/such');
    expect([reply.status, reply.code]).toEqual([200, -32601]);
  });

  test('gets its progress as events on its own answer', async () => {
    const session = await openSession(server.url);
    const stream = await session.listen();
    const reply = await session.call(1, 'steps', { count: 2 }, { progressToken: 7 });
    expect(reply.messages.map((m) => m.params?.progress ?? m.id)).toEqual([1, 2, 1]);
    expect(stream.messages).toEqual([]);
  });

  test('is cancelled by notifications/cancelled in its session only', async () => {
    const session = await openSession(server.url);
    const other = await openSession(server.url);
    const running = session.call(1, 'wait');
    await expect.poll(() => table.trace).toEqual(['waiting']);
    expect((await other.notify('notifications/cancelled', { requestId: 1 })).status).toBe(202);
    expect(table.trace).toEqual(['waiting']);
    expect((await session.notify('notifications/cancelled', { requestId: 1 })).status).toBe(202);
    expect(await running).toMatchObject({ status: 202, text: '' });
    expect(table.trace).toEqual(['waiting', 'aborted']);
  });

  test('goes on when its connection breaks: that is no cancellation in this era', async () => {
    const session = await openSession(server.url);
    const controller = new AbortController();
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } };
    const running = post(server.url, message, { 'mcp-session-id': session.id }, controller.signal);
    await expect.poll(() => table.trace).toEqual(['waiting']);
    controller.abort();
    await expect(running).rejects.toThrow();
    expect((await session.call(2, 'after', { ms: 50 })).status).toBe(200);
    expect(table.trace).toEqual(['waiting']);
    await session.notify('notifications/cancelled', { requestId: 1 });
    expect(table.trace).toEqual(['waiting', 'aborted']);
  });

  test('and a response to no question of ours is 202', async () => {
    const session = await openSession(server.url);
    expect((await session.send({ jsonrpc: '2.0', id: 1, result: {} })).status).toBe(202);
  });
});

describe('the stream of a session (H1)', () => {
  test('tells of changes, and there is only one', async () => {
    const session = await openSession(server.url);
    await session.request(1, 'resources/subscribe', { uri: 'sample://one' });
    const stream = await session.listen();
    expect((await session.listen()).status).toBe(409);
    await session.call(2, 'change');
    await expect.poll(() => stream.messages.length).toBe(3);
    expect(stream.messages.map((m) => m.params?.uri ?? m.method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/resources/list_changed',
      'sample://one',
    ]);
    stream.close();
  });

  test('sends when it opens what changed while there was none, each change once', async () => {
    const session = await openSession(server.url);
    for (let i = 0; i < 10; i += 1) table.emit({ kind: 'tools' });
    table.emit({ kind: 'resource', uri: 'sample://nobody asked' });
    const stream = await session.listen();
    await expect.poll(() => stream.messages.length).toBeGreaterThan(0);
    await session.call(1, 'after', { ms: 20 });
    expect(stream.messages.map((m) => m.method)).toEqual(['notifications/tools/list_changed']);
    stream.close();
  });

  test('is 406 for a client that reads no events', async () => {
    const session = await openSession(server.url);
    expect((await session.listen({ accept: 'application/json' })).status).toBe(406);
  });
});

describe('a batch (2025-03-26)', () => {
  const items = [
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'after', arguments: { ms: 20 } } },
    { jsonrpc: '2.0', id: 2, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } },
    { jsonrpc: '2.0', id: 3, method: 'initialize', params: {} },
  ];

  test('is answered as a whole', async () => {
    const session = await openSession(server.url, '2025-03-26');
    const reply = await session.send(items);
    expect(reply.status).toBe(200);
    expect(reply.messages.map((m) => m.id)).toEqual([2, 3, 1]);
  });

  test('of notifications is 202, an empty one 400', async () => {
    const session = await openSession(server.url, '2025-03-26');
    expect((await session.send(items.slice(2, 3))).status).toBe(202);
    expect((await session.send([])).status).toBe(400);
  });

  test.each(['2025-06-18', '2025-11-25'])('is refused in %s', async (version) => {
    const session = await openSession(server.url, version);
    const reply = await session.send(items);
    expect([reply.status, reply.code]).toEqual([400, -32600]);
  });
});

describe('the number of sessions is bounded (F4)', () => {
  const limits = { inAll: 3, perCaller: 2, idleMs: 60_000 };

  test('the longest idle one of the same caller goes first', async () => {
    const other = await serveHttpMcp(table, { sessions: limits });
    const [first, second] = [await openSession(other.url), await openSession(other.url)];
    await first.request(1, 'ping');
    const third = await openSession(other.url);
    expect(await statuses([first, second, third])).toEqual([200, 404, 200]);
    const stranger = await openSession(other.url, '2025-11-25', as('bob'));
    expect(await statuses([first, third, stranger])).toEqual([200, 200, 200]);
    await other.close();
  });

  test('those in use stay, and the new one is refused with a sentence', async () => {
    const other = await serveHttpMcp(table, { sessions: limits });
    const busy = [await openSession(other.url), await openSession(other.url)];
    const streams = await Promise.all(busy.map((session) => session.listen()));
    const { hello, id } = await openSession(other.url);
    expect([hello.status, id]).toEqual([503, '']);
    expect(hello.messages[0]?.error?.message).toContain('Too many sessions');
    for (const stream of streams) stream.close();
    await other.close();
  });

  test('an idle one is forgotten, one with a stream is not', async () => {
    const { pass } = stopTime('intervals');
    const other = await serveHttpMcp(table, { sessions: limits });
    const [idle, listening] = [await openSession(other.url), await openSession(other.url)];
    const stream = await listening.listen();
    const sessionsLater = async () => {
      await pass(limits.idleMs);
      return other.endpoint.sessions;
    };
    expect(await sessionsLater()).toBe(2);
    expect(await sessionsLater()).toBe(1);
    expect(await statuses([idle, listening])).toEqual([404, 200]);
    stream.close();
    // The server hears of the end of the stream in its own time.
    await expect.poll(sessionsLater).toBe(0);
    await other.close();
  });

  const statuses = (sessions: readonly Awaited<ReturnType<typeof openSession>>[]) =>
    Promise.all(sessions.map(async (session) => (await session.request(1, 'ping')).status));
});
