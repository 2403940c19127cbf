// Tests of MCP over HTTP on a real socket: what both eras share, the end of the server, and clients that misbehave.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askModern, listenModern, openSession, post } from '../../../../tests/support/http-mcp-client.ts';
import { type HttpMcpServer, serveHttpMcp } from '../../../../tests/support/http-mcp-server.ts';
import { type SampleTable, sampleTable } from './fixtures/sample-table.ts';
import type { Method } from './method.ts';

let table: SampleTable;
let server: HttpMcpServer;
beforeEach(async () => {
  table = sampleTable();
  server = await serveHttpMcp(table, { grace: { finishMs: 200, abortMs: 200 } });
});
afterEach(() => server.close());

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };

describe('a POST (H1)', () => {
  test.each([
    ['no JSON', '{', 400, -32700],
    ['nothing', '', 400, -32700],
    ['blanks', ' \n', 400, -32700],
    ['a number', '5', 400, -32600],
    ['no version', '{"id":7,"method":"ping"}', 400, -32600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600],
    ['100,000 levels of lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400, -32600],
  ])('of %s is refused with %s', async (_what, body, status, code) => {
    const reply = await post(server.url, body);
    expect([reply.status, reply.code]).toEqual([status, code]);
  });

  test('of a request that no handshake opened is 400 with a sentence, and keeps its id', async () => {
    const reply = await post(server.url, { jsonrpc: '2.0', id: 7, method: 'tools/list' });
    expect(reply.status).toBe(400);
    expect(reply.messages).toMatchObject([{ id: 7, error: { code: -32600 } }]);
    expect(reply.messages[0]?.error?.message).toContain('send initialize first');
  });

  test.each([
    ['text/html', 406],
    ['*/*', 400],
  ])('that accepts %s is %s before anything else is looked at', async (accept, status) => {
    expect((await post(server.url, ping, { accept })).status).toBe(status);
  });

  test('that fails inside the wire is 500, and the log has the reason (T9)', async () => {
    const broken = {
      ...table,
      instructions: () => raise(),
      get methods(): never {
        return raise();
      },
    };
    const other = await serveHttpMcp(broken);
    const reply = await askModern(other.url, 'tools/list');
    await other.close();
    expect([reply.status, reply.code, reply.text.includes('secret')]).toEqual([500, -32603, false]);
    expect(other.logged).toMatchObject([{ level: 'error', error: expect.any(Error) }]);
  });
});

function raise(): never {
  throw new Error('a secret');
}

describe('GET and DELETE (H1)', () => {
  // Clients take 405 for "there is no stream" and go on; anything else ends the connection of some.
  const without: [string, Record<string, string>][] = [
    ['no header', {}],
    ['a 2025 version', { 'mcp-protocol-version': '2025-11-25', accept: 'text/event-stream' }],
    ['an empty session', { 'mcp-session-id': '' }],
    ['an unknown version', { 'mcp-protocol-version': '1999-01-01' }],
    ['the modern version and a session', { 'mcp-protocol-version': '2026-07-28', 'mcp-session-id': 'x' }],
  ];
  test.each(without)('without a session is 405 with Allow: %s (U10)', async (_name, headers) => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(server.url, { method, headers });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test.each(['GET', 'DELETE'])('%s of an unknown session is 404', async (method) => {
    const headers = { 'mcp-protocol-version': '2025-11-25', accept: 'text/event-stream', 'mcp-session-id': 'x' };
    expect((await fetch(server.url, { method, headers })).status).toBe(404);
  });

  test('other methods are 405', async () => {
    const response = await fetch(server.url, { method: 'PUT', headers: { 'mcp-session-id': 'x' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE']);
  });
});

describe('many clients at once', () => {
  test('use the same id, and each gets its own answer, in both eras (THREATS: mixing answers)', async () => {
    const later: Method = async ({ of, ms }) => {
      await sleep(Number(ms));
      return { ok: true, value: { of } };
    };
    const other = await serveHttpMcp({ ...table, methods: new Map([['later', later]]) });
    const ask = async (client: number) => {
      const params = { of: client, ms: (client * 37) % 50 };
      const session = client % 2 === 0 ? await openSession(other.url) : undefined;
      const reply = await (session ? session.request(1, 'later', params) : askModern(other.url, 'later', params));
      return [reply.messages[0]?.id, reply.messages[0]?.result?.of];
    };
    const answers = await Promise.all(Array.from({ length: 60 }, (_, client) => ask(client)));
    expect(answers).toEqual(answers.map((_, client) => [1, client]));
    await other.close();
  });
});

describe('close() (F11)', () => {
  test('ends subscriptions with their result and the streams of sessions', async () => {
    const listener = await listenModern(server.url, { toolsListChanged: true }, 'mine');
    const session = await openSession(server.url);
    const stream = await session.listen();
    await server.endpoint.close();
    await expect.poll(() => [listener.ended, stream.ended]).toEqual([true, true]);
    expect(listener.messages.at(-1)).toMatchObject({ id: 'mine', result: { resultType: 'complete' } });
  });

  test('lets a call finish that does within the grace, and refuses what comes then', async () => {
    const other = await serveHttpMcp(table, { grace: { finishMs: 600_000, abortMs: 200 } });
    const running = askModern(other.url, 'tools/call', { name: 'hold' });
    await expect.poll(() => table.trace).toEqual(['holding']);
    const closed = other.endpoint.close();
    expect((await askModern(other.url, 'tools/list')).status).toBe(503);
    table.release();
    expect((await running).messages).toMatchObject([{ result: { content: [{ text: 'held' }] } }]);
    await closed;
    await other.close();
  });

  test('aborts what goes on for too long, and every client gets an answer', async () => {
    let begun = 0;
    const goOn: Method = () => {
      begun += 1;
      return new Promise<never>(() => undefined);
    };
    const never = { ...table, methods: new Map([['never', goOn]]) };
    const other = await serveHttpMcp(never, { grace: { finishMs: 30, abortMs: 30 } });
    const session = await openSession(other.url);
    const waiting = [askModern(other.url, 'never'), session.request(1, 'never')];
    await expect.poll(() => begun).toBe(2);
    await other.endpoint.close();
    for (const reply of await Promise.all(waiting))
      expect(reply.messages).toMatchObject([{ id: 1, error: { code: -32000 } }]);
    expect(other.endpoint.sessions).toBe(0);
    await other.close();
  });
});

describe('a client that does not read (F10)', () => {
  test('loses its stream alone', async () => {
    // Four of these without a byte taken end a stream: long enough for a reader on a machine that is out of breath.
    const other = await serveHttpMcp(table, { keepAliveMs: 500 });
    const session = await openSession(other.url);
    const head = `GET /mcp HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${session.id}\r\n\r\n`;
    const socket = connect(other.port, '127.0.0.1', () => socket.write(head));
    socket.on('error', () => undefined);
    socket.pause();
    const uri = `sample://${'x'.repeat(100_000)}`;
    await session.request(1, 'resources/subscribe', { uri });
    const reader = await listenModern(other.url, { toolsListChanged: true });
    await expect.poll(() => session.listen().then((again) => again.status)).toBe(409);
    const events = setInterval(() => {
      for (let i = 0; i < 20; i += 1) table.emit({ kind: 'resource', uri });
    }, 5);
    await expect.poll(() => session.listen().then((again) => again.status)).toBe(200);
    clearInterval(events);
    table.emit({ kind: 'tools' });
    await expect.poll(() => reader.messages.at(-1)?.method).toBe('notifications/tools/list_changed');
    expect(reader.ended).toBe(false);
    socket.destroy();
    await other.close();
  });
});
