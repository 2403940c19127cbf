// F10 over HTTP: slow, greedy and silent clients hurt only themselves. Those that take long: http-slow-long.test.ts.
import { expect, test } from 'vitest';
import { openTestServer } from '../../src/surfaces/http/fixtures/open-test-server.ts';
import { closed, dripAll, expectCutOff, expectHealthy, HEAD, openMany, UNHURRIED } from './slow-clients.ts';

test('60 slow senders do not delay others (F10)', async () => {
  const server = await openTestServer({ limits: UNHURRIED });
  const slow = await openMany(server, 60);
  dripAll(slow);
  await expectHealthy(server);
  // They are all still at it: nothing waited for their end.
  expect(slow.filter(({ destroyed }) => destroyed)).toEqual([]);
});

test('slow senders are cut off with 408 (F10)', async () => {
  await expectCutOff(await openTestServer({ limits: { headersMs: 500, requestMs: 700 } }), 3);
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
