// Answers that their clients do not take, of any route: what one caller, and all, may leave unread (F10).
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { PATIENCE_MS } from '../../../../tests/support/patience.ts';
import type { Authenticate } from '../../../identity/authentication.ts';
import { agentCaller, LOCAL_OPERATOR } from '../../../identity/caller.ts';
import { fail, ok } from '../../../values/result.ts';
import { openTestServer } from '../fixtures/open-test-server.ts';
import type { AdmittedRequest } from '../message/admitted-request.ts';
import { json, send } from '../message/reply.ts';

const MEGABYTE = 1_048_576;
/** More than the system takes for a client that reads nothing. */
const LARGE = 'x'.repeat(24 * MEGABYTE);

const TEXTS = new Map([
  ['/api/large', LARGE],
  ['/api/three-bytes', '字'.repeat(MEGABYTE)],
]);

/** A token is the name of its agent; `operator` is the operator's. */
const authenticate: Authenticate = ({ token }) => {
  if (token === undefined) return fail('missing');
  return ok(token === 'operator' ? LOCAL_OPERATOR : agentCaller(token));
};

async function open(answers: { inAll: number; perCaller: number }) {
  const handled: string[] = [];
  const handle = (admitted: AdmittedRequest) => {
    handled.push(admitted.path);
    send(admitted, json(TEXTS.get(admitted.path) ?? 'small'));
  };
  const limits = { answers: { ...answers, waitMs: 50 } };
  const server = await openTestServer({ api: { handle }, authenticate, limits });
  const ask = (token: string, path: string, method = 'GET') =>
    server.ask(path, { method, headers: { Authorization: `Bearer ${token}` } });
  /** Asks, and reads nothing. */
  const leave = async (token: string, method = 'GET'): Promise<Socket> => {
    const socket = await server.connect();
    socket.pause();
    const before = handled.length;
    const length = method === 'POST' ? 'Content-Type: application/json\r\nContent-Length: 0\r\n' : '';
    socket.write(`${method} /api/large HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${length}\r\n`);
    await expect.poll(() => handled.length).toBe(before + 1);
    return socket;
  };
  return { handled, ask, leave, connect: server.connect };
}

test('what a caller leaves unread keeps them from more of it, not from small answers, and nobody else (F10) (A2)', async () => {
  const { ask, leave } = await open({ perCaller: 40 * MEGABYTE, inAll: 100 * MEGABYTE });
  const socket = await leave('a');
  const refused = await ask('a', '/api/large');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await refused.json()).toMatchObject({
    failure_code: 'RATE_EXCEEDED',
    failure_message: 'Rate limit exceeded. Retry after 5s',
  });
  expect((await ask('a', '/api/small')).status).toBe(200);
  expect(await (await ask('b', '/api/large')).json()).toBe(LARGE);
  socket.resume();
  await expect.poll(async () => (await ask('a', '/api/large')).status, { timeout: PATIENCE_MS }).toBe(200);
});

test('text is counted in bytes, not in characters (F10)', async () => {
  const { ask } = await open({ perCaller: 2 * MEGABYTE, inAll: 4 * MEGABYTE });
  expect((await ask('a', '/api/three-bytes')).status).toBe(429);
  expect((await ask('operator', '/api/three-bytes')).status).toBe(200);
});

test('all together leave so much unread; what is read comes, and room is free again when a client goes (F10) (A2)', async () => {
  const { ask, leave } = await open({ perCaller: 40 * MEGABYTE, inAll: 60 * MEGABYTE });
  const sockets = [await leave('a'), await leave('b')];
  expect((await ask('operator', '/api/large')).status).toBe(429);
  expect((await ask('operator', '/api/small')).status).toBe(200);
  sockets[0]?.destroy();
  await expect.poll(async () => (await ask('operator', '/api/large')).status, { timeout: PATIENCE_MS }).toBe(200);
});

test('what was done is answered; the next request of who leaves too much unread is refused before it is begun (F10) (A2)', async () => {
  const { handled, ask, leave } = await open({ perCaller: 40 * MEGABYTE, inAll: 100 * MEGABYTE });
  const sockets = [await leave('a', 'POST'), await leave('a', 'POST')];
  const before = handled.length;
  expect((await ask('a', '/api/small')).status).toBe(429);
  expect(handled.length).toBe(before);
  expect((await ask('b', '/api/small')).status).toBe(200);
  for (const socket of sockets) socket.resume();
  await expect.poll(async () => (await ask('a', '/api/small')).status, { timeout: PATIENCE_MS }).toBe(200);
});

test('requests that came together and wait for their bodies are counted one after the other (F10) (A2)', async () => {
  const { handled, ask, connect } = await open({ perCaller: 40 * MEGABYTE, inAll: 100 * MEGABYTE });
  const sockets = [await connect(), await connect(), await connect()];
  const head = 'POST /api/large HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\n';
  for (const socket of sockets) {
    socket.pause();
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`);
  }
  // They are past everything that is looked at before the body.
  for (let index = 0; index < 3; index += 1) expect((await ask('b', '/api/small')).status).toBe(200);
  const before = handled.length;
  for (const socket of sockets) socket.write('}');
  await expect.poll(() => handled.length).toBe(before + 2);
  sockets[2]?.resume();
  await expect.poll(async () => (await ask('a', '/api/small')).status).toBe(429);
  expect(handled.length).toBe(before + 2);
});
