// Clients that send a byte now and then, and what they and others get meanwhile.
import type { Socket } from 'node:net';
import { expect } from 'vitest';
import { OPERATOR_TOKEN, type TestServer } from '../../src/surfaces/http/fixtures/open-test-server.ts';
import { PATIENCE_MS } from '../support/patience.ts';

export const HEAD = `Host: localhost\r\nAuthorization: Bearer ${OPERATOR_TOKEN}\r\n`;
const POST = `POST /api/x HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;

/** So long that no client is cut off. */
export const UNHURRIED = { headersMs: PATIENCE_MS, requestMs: PATIENCE_MS, keepAliveMs: PATIENCE_MS };

export const openMany = (server: TestServer, count: number): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => server.connect()));

export const closed = (socket: Socket): Promise<unknown> =>
  socket.destroyed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));

/** Others are answered. */
export async function expectHealthy(server: TestServer): Promise<void> {
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
export function dripAll(sockets: readonly Socket[]): void {
  for (const [index, socket] of sockets.entries()) {
    const [start, more] = SLOW[index % SLOW.length] ?? ['', ''];
    socket.write(start);
    const dripping = setInterval(() => socket.write(more), 100);
    socket.once('close', () => clearInterval(dripping));
  }
}

/** What each of them is told at last; and others are answered. */
export async function expectCutOff(server: TestServer, count: number): Promise<void> {
  const slow = await openMany(server, count);
  const answers = slow.map(
    (socket) => new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString()))),
  );
  dripAll(slow);
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 408 .*Connection: close/s);
  await Promise.all(slow.map(closed));
  await expectHealthy(server);
}
