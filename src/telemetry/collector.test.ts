// Sending to collectors that take, refuse, hang and come back.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSender, type Send } from './collector.ts';
import { createSpanQueue } from './span-queue.ts';

const PLENTY_MS = 60_000;

let server: Server;
let answers: ((response: ServerResponse) => void)[];
let bodies: string[];
let told: string[];
let stop: AbortController;

beforeEach(async () => {
  [answers, bodies, told, stop] = [[], [], [], new AbortController()];
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      bodies.push(text);
      (answers.shift() ?? status(200))(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  stop.abort();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end('a text that is not read');

const hang = () => undefined;

function sender(timeoutMs = PLENTY_MS, firstPauseMs = 1): Send {
  return createSender({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    headers: {},
    timeoutMs,
    isGzip: false,
    what: 'traces',
    log: ({ level, message }) => void told.push(`${level}: ${message.replace(/:\d+(?=[:; ])/, '')}`),
    away: new Set(),
    stop: stop.signal,
    firstPauseMs,
  });
}

test.each([429, 502, 503, 504])('a %d is tried again, told once, and told again when it is back (N5)', async (code) => {
  answers = [status(code), status(code)];
  const send = sender();
  expect(await send('a', PLENTY_MS)).toBe(true);
  expect(await send('b', PLENTY_MS)).toBe(true);
  expect(bodies).toEqual(['a', 'a', 'a', 'b']);
  expect(told).toEqual([
    `warn: Cannot send traces to http://127.0.0.1: it answered with the status ${code}; requests go on, and what does not fit into the queue is dropped`,
    'info: Telemetry reaches http://127.0.0.1 again',
  ]);
});

test.each([400, 401, 404, 500, 301])('a %d is not tried again (N5)', async (code) => {
  answers = [status(code, { location: '/elsewhere' })];
  expect(await sender()('a', PLENTY_MS)).toBe(false);
  expect(bodies).toEqual(['a']);
});

test('a wait that the collector asks for is kept, and one beyond the time is not waited for (N5)', async () => {
  answers = [status(503, { 'retry-after': '0' }), status(503, { 'retry-after': '3600' })];
  expect(await sender()('a', PLENTY_MS)).toBe(false);
  expect(bodies).toEqual(['a', 'a']);
});

test.each(['0', 'Fri, 31 Dec 1999 23:59:59 GMT'])(
  'one that asks for no wait is not asked again without a pause: Retry-After: %s (N5)',
  async (wait) => {
    answers = Array.from({ length: 9 }, () => status(429, { 'retry-after': wait }));
    // The pause is longer than there is time: at least half of the longest.
    expect(await sender(PLENTY_MS, PLENTY_MS)('a', 3_500)).toBe(false);
    expect(bodies).toEqual(['a']);
  },
);

test('one that hangs is left after its time, and tried again (N5)', async () => {
  answers = [hang];
  expect(await sender(200)('a', PLENTY_MS)).toBe(true);
  expect(bodies).toEqual(['a', 'a']);
  expect(told[0]).toContain('it did not answer in time');
});

test('a stop ends an attempt and a pause at once (N5)', async () => {
  answers = [hang];
  const sent = sender()('a', PLENTY_MS);
  await expect.poll(() => bodies.length, { timeout: PLENTY_MS }).toBe(1);
  stop.abort();
  expect(await sent).toBe(false);
  expect(told).toEqual([]);
});

test('a queue sends batches one after the other, and drops what does not fit (N5)', async () => {
  const sent: string[] = [];
  let release = (_taken: boolean): void => undefined;
  const queue = createSpanQueue({
    delayMs: PLENTY_MS,
    mostQueued: 3,
    mostInBatch: 2,
    withinMs: PLENTY_MS,
    encode: (spans) => spans.map(({ name }) => name).join(),
    send: (body) => {
      sent.push(body);
      return new Promise((resolve) => {
        release = resolve;
      });
    },
  });
  const take = (name: string) => queue.take({ name } as Parameters<typeof queue.take>[0]); // the encoder looks at nothing else
  for (const name of ['a', 'b']) take(name);
  await expect.poll(() => sent).toEqual(['a,b']);
  for (const name of ['c', 'd', 'e', 'f']) take(name);
  expect(queue.dropped).toBe(1);
  release(false);
  await expect.poll(() => sent).toEqual(['a,b', 'c,d']);
  expect(queue.dropped).toBe(3);
  release(true);
  // One alone waits for others; a flush does not.
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual(['a,b', 'c,d']);
  const flushed = queue.flush();
  await expect.poll(() => sent).toEqual(['a,b', 'c,d', 'e']);
  release(true);
  await flushed;
  queue.close();
  take('g');
  expect([sent.length, queue.dropped]).toEqual([3, 4]);
});
