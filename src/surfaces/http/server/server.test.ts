// Starting, stopping and what the server says about itself (H4, H5, F11).

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLatch } from '../../../../tests/support/latch.ts';
import { stopTime } from '../../../../tests/support/stopped-time.ts';
import type { Authenticate } from '../../../identity/authentication.ts';
import { createLocalWindow } from '../../../limits/rate-window.ts';
import { ok } from '../../../values/result.ts';
import {
  AGENT_TOKEN,
  authenticateTests,
  echo,
  OPERATOR_TOKEN,
  openTestServer,
  testSessions,
} from '../fixtures/open-test-server.ts';
import { stopClock } from '../fixtures/stop-clock.ts';
import { type HttpServerOptions, startHttpServer } from './server.ts';

const start = (host: string, port: number, endpoints: Partial<Pick<HttpServerOptions, 'mcp' | 'api'>> = {}) =>
  startHttpServer({
    host,
    port,
    listenWords: { host: '--host', port: '--port' },
    allowHosts: [],
    trustedProxies: [],
    authenticate: authenticateTests,
    sessions: testSessions,
    mcp: { handle: echo, close: async () => {} },
    api: { handle: echo },
    requestsPerMinute: 600,
    window: createLocalWindow(() => 0),
    log: () => {},
    ...endpoints,
  });

describe('startHttpServer', () => {
  test('says in a sentence why it cannot listen, and what to do (H4)', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    expect(await start('127.0.0.1', port)).toEqual({
      ok: false,
      failure: `Cannot listen on 127.0.0.1:${port}: the port is in use; stop the other program or choose another port with --port`,
    });
    expect(await start('192.0.2.1', 0)).toMatchObject({
      failure: expect.stringMatching(/no such address; give --host/),
    });
    expect(await start('127.0.0.1', 70_000)).toMatchObject({
      failure: expect.stringMatching(/no such port; give --port/),
    });
  });

  test('closes its endpoints when it cannot listen (H4)', async () => {
    const closed: string[] = [];
    const mcp = { handle: echo, close: async () => void closed.push('mcp') };
    const api = { handle: echo, close: () => void closed.push('api') };
    expect(await start('127.0.0.1', 70_000, { mcp, api })).toMatchObject({ ok: false });
    expect(closed.sort()).toEqual(['api', 'mcp']);
  });

  test('answers where it listens (H4)', async () => {
    const server = await openTestServer();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(server.events).toEqual([{ level: 'info', message: 'The HTTP server listens', url: server.url }]);
  });
});

describe('public paths', () => {
  test('/health is short and needs nothing (H2)', async () => {
    const server = await openTestServer({ authenticate: () => new Promise(() => {}) });
    const answer = await fetch(`${server.url}/health`);
    expect([answer.status, await answer.text()]).toEqual([200, '{"status":"ok"}']);
  });

  test.each([
    ['/.well-known/oauth-protected-resource', ''],
    ['/.well-known/oauth-protected-resource/mcp', '/mcp'],
  ])('%s describes the resource (H5)', async (path, resource) => {
    const server = await openTestServer();
    expect(await (await fetch(`${server.url}${path}`)).json()).toEqual({
      resource: `${server.url}${resource}`,
      resource_name: 'Repertoire',
      bearer_methods_supported: ['header'],
      scopes_supported: ['log:read', 'skills:propose', 'skills:approve', 'runs:approve'],
    });
    expect((await fetch(`${server.url}/.well-known/oauth-authorization-server`)).status).toBe(404);
  });
});

describe('limits of a caller (H5)', () => {
  const statuses = async (ask: () => Promise<Response>, times: number) => {
    const answers: Response[] = [];
    for (let index = 0; index < times; index += 1) answers.push(await ask());
    return answers;
  };

  test('an agent is told when to come back; the operator never', async () => {
    stopClock();
    const server = await openTestServer({ requestsPerMinute: 3 });
    const asAgent = () => server.ask('/api/x', { headers: { Authorization: `Bearer ${AGENT_TOKEN}` } });
    const answers = await statuses(asAgent, 4);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const last = answers[3];
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThanOrEqual(19);
    expect(await last?.json()).toMatchObject({ failure_code: 'RATE_EXCEEDED', severity: 'recoverable' });
    expect((await statuses(() => server.ask('/api/x'), 5)).every(({ status }) => status === 200)).toBe(true);
  });
});

test('onRequest hears of every answer, refusals included', async () => {
  const heard: unknown[] = [];
  const asked: unknown[] = [];
  const authenticate: Authenticate = (credentials) => {
    asked.push(credentials);
    return authenticateTests(credentials);
  };
  const server = await openTestServer({ onRequest: (status) => heard.push(status), authenticate });
  await server.ask('/mcp?x', { method: 'POST' });
  await server.ask('/api/x', { headers: { Authorization: 'Bearer bad' } });
  await server.ask('/health', { method: 'HEAD' });
  await expect.poll(() => heard).toEqual([200, 401, 200]);
  asked.length = 0;
  const left = await server.connect();
  const lines = ['POST /api/x HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${OPERATOR_TOKEN}`];
  left.write(`${[...lines, 'Content-Type: application/json', 'Content-Length: 9'].join('\r\n')}\r\n\r\n{`);
  await expect.poll(() => asked.length).toBe(1);
  left.destroy();
  await expect.poll(() => heard).toEqual([200, 401, 200, 499]);
});

describe('close (F11)', () => {
  test('lets running requests end, closes idle connections before that, takes no new ones', async () => {
    const [begun, held] = [createLatch(), createLatch()];
    const handle = async (admitted: Parameters<typeof echo>[0]) => {
      begun.open();
      await held.opened;
      echo(admitted);
    };
    const server = await openTestServer({ api: { handle }, limits: { graceMs: 600_000 } });
    const idle = await server.connect();
    idle.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => idle.once('data', resolve));
    const running = server.ask('/api/x', {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    await begun.opened;
    const closing = server.close();
    await new Promise((resolve) => idle.once('close', resolve));
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
    held.open();
    const answer = await running;
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect(await answer.json()).toMatchObject({ body: '{}' });
    await closing;
    expect(server.connections()).toBe(0);
  });

  test('ends the streams of /mcp first, and cuts off what does not end', async () => {
    let closed = 0;
    const noteClosed = async () => {
      closed += 1;
    };
    const server = await openTestServer({
      mcp: { handle: ({ response }) => void response.writeHead(200).write('x'), close: noteClosed },
      limits: { graceMs: 200 },
    });
    const stream = await server.ask('/mcp');
    await Promise.all([server.close(), server.close()]);
    expect(closed).toBe(1);
    await expect(stream.text()).rejects.toThrow();
  });

  test('does not wait longer for streams that never end, nor for connections that never spoke', async () => {
    const server = await openTestServer({
      mcp: { handle: echo, close: () => new Promise(() => {}) },
      limits: { graceMs: 400 },
    });
    const silent = await server.connect();
    // Timers stand still: whatever ends without a wait does so before the grace is over.
    const { pass } = stopTime();
    let isClosed = false;
    const closing = server.close().then(() => {
      isClosed = true;
    });
    await new Promise((resolve) => silent.once('close', resolve));
    await pass(399);
    expect(isClosed).toBe(false);
    await pass(1);
    await closing;
  });

  test('closes the port also when the streams cannot be closed', async () => {
    const broken = await startHttpServer({
      host: '127.0.0.1',
      port: 0,
      allowHosts: [],
      trustedProxies: [],
      authenticate: authenticateTests,
      sessions: testSessions,
      mcp: { handle: echo, close: async () => Promise.reject(new Error('stuck')) },
      api: { handle: echo },
      requestsPerMinute: undefined,
      window: createLocalWindow(() => 0),
      log: () => {},
    });
    if (!broken.ok) throw new Error(broken.failure);
    await expect(broken.value.close()).rejects.toThrow('stuck');
    await expect(fetch(`${broken.value.url}/health`)).rejects.toThrow();
  });
});

describe('a fault of ours (T9)', () => {
  test.each([
    ['thrown', () => void throwFault()],
    ['rejected', async () => throwFault()],
  ])('%s is 500 without its words, and in the log', async (_how, handle) => {
    const server = await openTestServer({ api: { handle }, mcp: { handle, close: async () => {} } });
    for (const path of ['/api/x', '/mcp']) {
      const answer = await server.ask(path, { method: 'POST' });
      const text = await answer.text();
      expect(answer.status).toBe(500);
      expect(text).toContain('An unexpected error occurred');
      expect(text).not.toMatch(/secret|at /);
    }
    expect(JSON.stringify(server.events)).toContain('secret path');
  });
});

function throwFault(): never {
  throw new Error('secret path');
}

describe('connections (F10)', () => {
  const get = (token: string) => `GET /api/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const answerOn = async (socket: Socket, token: string): Promise<string> => {
    socket.write(get(token));
    const [chunk] = await once(socket, 'data');
    return String(chunk);
  };

  test('one caller holds half of them at most; another still gets in, and room that is left is used again', async () => {
    // As the authenticator does it for users: the same caller is another object each time.
    const authenticate: Authenticate = (credentials) => {
      const found = authenticateTests(credentials);
      return found instanceof Promise || !found.ok ? found : ok({ ...found.value });
    };
    const server = await openTestServer({ limits: { connections: 8 }, authenticate });
    const sockets = await Promise.all(Array.from({ length: 5 }, () => server.connect()));
    const answers: string[] = [];
    for (const socket of sockets) answers.push(await answerOn(socket, AGENT_TOKEN));
    // On a connection that they have already nothing is counted anew.
    expect(await answerOn(sockets[0] as Socket, AGENT_TOKEN)).toMatch(/^HTTP\/1.1 200/);
    expect(answers.map((each) => each.slice(9, 12))).toEqual(['200', '200', '200', '200', '429']);
    expect(answers.at(-1)).toMatch(/Connection: close\r\n[\s\S]*this caller holds half of all there are; close some/);
    expect(await answerOn(await server.connect(), OPERATOR_TOKEN)).toMatch(/^HTTP\/1.1 200/);
    sockets[0]?.destroy();
    await expect.poll(async () => (await answerOn(await server.connect(), AGENT_TOKEN)).slice(9, 12)).toBe('200');
  });

  test('one that callers share, as behind a proxy, counts for the last of them', async () => {
    const server = await openTestServer({ limits: { connections: 4 } });
    const sockets = await Promise.all(Array.from({ length: 3 }, () => server.connect()));
    for (const socket of sockets.slice(0, 2)) await answerOn(socket, AGENT_TOKEN);
    await answerOn(sockets[0] as Socket, OPERATOR_TOKEN);
    expect(await answerOn(sockets[2] as Socket, AGENT_TOKEN)).toMatch(/^HTTP\/1.1 200/);
  });
});

test('CONNECT is answered before the connection ends (H3)', async () => {
  const server = await openTestServer();
  const text = await server.sendRaw('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1.1 405 Method Not Allowed\r\n[\s\S]*"failure_code":"VALIDATION_ERROR"/);
  expect(text).toContain('\r\nAllow: GET, HEAD, POST, DELETE\r\n');
});

test.each([
  ['without a Host', 'GET /health HTTP/1.1\r\n\r\n', 400],
  ['with an expectation that is not known', 'GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\n\r\n', 417],
  [
    'with such an expectation and a body',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: 200-ok\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
    417,
  ],
])('a request %s is answered with a body that says so (A14, H3)', async (_case, bytes, status) => {
  const server = await openTestServer();
  const socket = await server.connect();
  socket.write(bytes);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  const [head = '', body = ''] = answer.toString().split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain('X-Content-Type-Options: nosniff');
  expect(body).toMatch(/names no Host|Expect/);
});
