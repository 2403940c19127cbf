// F10 over HTTP: slow, greedy and silent clients hurt only themselves.
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { OPERATOR_TOKEN, openTestServer, type TestServer } from '../../src/surfaces/http/fixtures/open-test-server.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const HEAD = `Host: localhost\r\nAuthorization: Bearer ${OPERATOR_TOKEN}\r\n`;
const POST = `POST /api/x HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;

/** So long that no client is cut off. */
const UNHURRIED = { headersMs: PATIENCE_MS, requestMs: PATIENCE_MS, keepAliveMs: PATIENCE_MS };

const openMany = (server: TestServer, count: number): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => server.connect()));

const closed = (socket: Socket): Promise<unknown> =>
  socket.destroyed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));

/** Others are answered. */
async function expectHealthy(server: TestServer): Promise<void> {
  const answer = await server.ask('/api/x', {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'Content-Type': 'application/json' },
  });
  expect(await answer.json()).toMatchObject({ body: '{"a":1}' });
}

/** How a request begins, and with what it goes on for ever. */
const SLOW = [
  [`POST /api/x HTTP/1.1\r\n${HEAD}X-Slow: `, 'x'],
  [`${POST}Content-Length: 1000\r\n\r\n{`, ' '],
  [`${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
] as const;

/** Each gets a byte through now and then, for as long as it is let. */
function dripAll(sockets: readonly Socket[]): void {
  for (const [index, socket] of sockets.entries()) {
    const [start, more] = SLOW[index % SLOW.length] ?? ['', ''];
    socket.write(start);
    const dripping = setInterval(() => socket.write(more), 100);
    socket.once('close', () => clearInterval(dripping));
  }
}

test('60 slow senders do not delay others (F10)', async () => {
  const server = await openTestServer({ limits: UNHURRIED });
  const slow = await openMany(server, 60);
  dripAll(slow);
  await expectHealthy(server);
  // They are all still at it: nothing waited for their end.
  expect(slow.filter(({ destroyed }) => destroyed)).toEqual([]);
});

test('60 slow senders are cut off with 408 (F10)', async () => {
  const server = await openTestServer({ limits: { headersMs: 3_000, requestMs: 3_300 } });
  const slow = await openMany(server, 60);
  const answers = slow.map(
    (socket) => new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString()))),
  );
  dripAll(slow);
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 408 .*Connection: close/s);
  await Promise.all(slow.map(closed));
  await expectHealthy(server);
});

test('500 connections at once are all answered (F10)', async () => {
  const server = await openTestServer({ limits: UNHURRIED });
  const sockets = await openMany(server, 500);
  const answers = sockets.map(async (socket) => {
    const answered = new Promise<string>((resolve) =>
      socket.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    socket.write(`GET /api/x HTTP/1.1\r\n${HEAD}\r\n`);
    return answered;
  });
  await expectHealthy(server);
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(server.connections()).toBeGreaterThanOrEqual(500);
});

test('silent strangers make room for later clients, and the known stay (F10)', async () => {
  const server = await openTestServer({ limits: { unproven: 20, connections: 40 } });
  const [known] = await openMany(server, 1);
  known?.write(`GET /api/x HTTP/1.1\r\n${HEAD}\r\n`);
  await new Promise((resolve) => known?.once('data', resolve));
  const strangers = await openMany(server, 60);
  await expectHealthy(server);
  expect(known?.destroyed).toBe(false);
  await expect.poll(() => strangers.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(40);
  expect(server.connections()).toBeLessThanOrEqual(40);
});

test('beyond the most connections a new one is closed, and the server recovers (F10)', async () => {
  const server = await openTestServer({ limits: { connections: 10 } });
  const sockets = await openMany(server, 10);
  const refused = await server.connect();
  await closed(refused);
  for (const socket of sockets) socket.destroy();
  await expect.poll(server.connections).toBe(0);
  await expectHealthy(server);
  expect(server.events.some(({ message }) => String(message).includes('too many'))).toBe(true);
});

test('readers that never read are dropped, and others do not wait for them (F10)', async () => {
  const large = Buffer.alloc(8_000_000, 'x');
  const server = await openTestServer({
    mcp: {
      handle: ({ response }) => void response.writeHead(200, { 'Content-Length': large.length }).end(large),
      close: async () => {},
    },
    limits: { stallMs: 400 },
  });
  const readers = await openMany(server, 50);
  for (const socket of readers) {
    socket.pause();
    socket.write(`GET /mcp HTTP/1.1\r\n${HEAD}\r\n`.repeat(20));
  }
  await expectHealthy(server);
  await expect.poll(server.connections).toBeLessThanOrEqual(1);
  await expectHealthy(server);
});

test('a reader who takes a little now and then gets all of it (F10)', async () => {
  const large = Buffer.alloc(12_000_000, 'x');
  const server = await openTestServer({
    mcp: {
      handle: ({ response }) => void response.writeHead(200, { 'Content-Length': large.length }).end(large),
      close: async () => {},
    },
    // A machine that is held up for some seconds is no reader who takes nothing.
    limits: { stallMs: 4_000 },
  });
  const [reader] = await openMany(server, 1);
  let bytes = 0;
  reader?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    reader.pause();
    // In all that is far longer than a reader who takes nothing is given.
    setTimeout(() => reader.resume(), 30);
  });
  reader?.write(`GET /mcp HTTP/1.1\r\n${HEAD}\r\n`);
  // The head comes on top.
  await expect.poll(() => bytes).toBeGreaterThan(large.length);
});
