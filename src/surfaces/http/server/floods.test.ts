// Floods of those who are not known: what one connection may go on asking, and how much of a body is looked at (F10).
import { IncomingMessage } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AGENT_TOKEN, openTestServer } from '../fixtures/open-test-server.ts';
import { stopClock } from '../fixtures/stop-clock.ts';

const asking = (token: string, path = '/api/x'): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.7\r\nAuthorization: Bearer ${token}\r\n\r\n`;

const LAST = `GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

const statuses = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status ?? '');

describe('one connection', () => {
  test('ends with the sixteenth refusal of someone unknown; what was sent behind it is not begun (F10)', async () => {
    stopClock();
    const server = await openTestServer();
    const text = await server.sendRaw(asking('guess').repeat(40) + LAST);
    expect(statuses(text)).toEqual(Array(16).fill('401'));
    expect(text.match(/Connection: close/g)).toHaveLength(1);
  });

  test('ends with the first 429 for bad credentials (F10)', async () => {
    stopClock();
    const server = await openTestServer();
    for (let count = 0; count < 5; count += 1) await server.sendRaw(asking('guess').repeat(16));
    const text = await server.sendRaw(asking('guess').repeat(3) + LAST);
    expect(statuses(text)).toEqual(['429']);
    expect(text).toMatch(/Retry-After: 60\r\n[\s\S]*Connection: close/);
  });

  test('goes on after a wrong token, and counts anew after a good one (F10)', async () => {
    stopClock();
    const server = await openTestServer();
    const some = asking('guess').repeat(12) + asking(AGENT_TOKEN);
    const text = await server.sendRaw(some + some + LAST);
    const each = [...Array(12).fill('401'), '200'];
    expect(statuses(text)).toEqual([...each, ...each, '200']);
  });
});

const post = (token: string | undefined, chunks: number): string =>
  `POST /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n` +
  `${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}Connection: close\r\n\r\n` +
  `1\r\n"\r\n${'1\r\nx\r\n'.repeat(chunks - 2)}1\r\n"\r\n0\r\n\r\n`;

/** Of all bodies, as Node hands them over. A spy would keep each of them. */
function countChunks(): () => number {
  let count = 0;
  const { push } = IncomingMessage.prototype;
  IncomingMessage.prototype.push = function (...given) {
    count += 1;
    return push.apply(this, given);
  };
  onTestFinished(() => void Reflect.deleteProperty(IncomingMessage.prototype, 'push'));
  return () => count;
}

describe('a body in crumbs', () => {
  test('of someone unknown is not looked at: they get their 401, and the connection ends (F10)', async () => {
    const server = await openTestServer();
    const chunks = countChunks();
    const text = await server.sendRaw(post(undefined, 150_000));
    expect(text).toMatch(/^HTTP\/1\.1 401 [\s\S]*Connection: close[\s\S]*a credential is needed/);
    // No more than came with the head: the system gives 64 KB at a time.
    expect(chunks()).toBeLessThan(30_000);
  });

  test('of a caller is refused beyond 16,384 chunks, and taken below (F10)', async () => {
    const server = await openTestServer();
    expect(await server.sendRaw(post(AGENT_TOKEN, 16_384))).toMatch(/^HTTP\/1\.1 200 /);
    const text = await server.sendRaw(post(AGENT_TOKEN, 100_000));
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*the body came in more than 16,384 chunks/);
  });
});
