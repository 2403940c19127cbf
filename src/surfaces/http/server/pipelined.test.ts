// Requests that follow one another on a connection without waiting: each is looked at when the one before was taken (F10).
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { AGENT_TOKEN, openTestServer } from '../fixtures/open-test-server.ts';
import type { AdmittedRequest } from '../message/admitted-request.ts';

const asking = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${AGENT_TOKEN}\r\n\r\n`;

/** More than the system holds for a reader who takes nothing. */
const LARGE = Buffer.alloc(64 * 1_048_576, 'x');

const sendLarge = ({ response }: AdmittedRequest, bytes = LARGE): void => {
  response.writeHead(200, { 'Content-Length': bytes.length });
  response.end(bytes);
};

test('a pipelined request is not begun before the answer to the one before was taken (F10) (A2)', async () => {
  const begun: string[] = [];
  const handle = (admitted: AdmittedRequest) => {
    begun.push(admitted.path);
    sendLarge(admitted, admitted.path === '/api/1' ? LARGE : Buffer.from(admitted.path));
  };
  const server = await openTestServer({ api: { handle } });
  const socket = await server.connect();
  socket.pause();
  socket.write(asking('/api/1') + asking('/api/2') + asking('/api/3'));
  await expect.poll(() => begun.length).toBeGreaterThan(0);
  for (let index = 0; index < 3; index += 1) expect((await server.ask('/health')).status).toBe(200);
  expect(begun).toEqual(['/api/1']);
  let [bytes, end] = [0, ''];
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    end = (end + chunk.toString('latin1')).slice(-6);
  });
  socket.resume();
  await expect.poll(() => end, { timeout: 30_000 }).toBe('/api/3');
  expect(begun).toEqual(['/api/1', '/api/2', '/api/3']);
  expect(bytes).toBeGreaterThan(LARGE.length);
});

test('behind an answer that ends the connection nothing is begun (F10)', async () => {
  const begun: string[] = [];
  const handle = ({ path, response }: AdmittedRequest) => {
    begun.push(path);
    response.writeHead(200, { Connection: 'close', 'Content-Length': 2 });
    setImmediate(() => response.end('ok'));
  };
  const server = await openTestServer({ api: { handle } });
  const socket = await server.connect();
  socket.resume();
  socket.write(asking('/api/1') + asking('/api/2'));
  await once(socket, 'close');
  expect(begun).toEqual(['/api/1']);
});
