// Large files over HTTP and /mcp: what clients hold who do not take their answers, and that those who read get every byte (F10).
// The largest files, and many clients: tests/faults/http-large-answers.test.ts.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { askModern, post } from '../../../../tests/support/http-mcp-client.ts';
import { PATIENCE_MS } from '../../../../tests/support/patience.ts';
import { sleep } from '../../../async/sleep.ts';
import { OPERATOR_TOKEN } from '../../http/fixtures/open-test-server.ts';
import {
  AS_AGENT,
  askAndLeave,
  BINARY,
  expectWhole,
  getText,
  MEGABYTE,
  openLargeAnswers,
  readText,
  TEXT,
  uriOf,
} from './fixtures/large-answers-world.ts';

test('a file that changes while it is sent ends the connection, not the answer (R2) (A2)', async () => {
  const world = await openLargeAnswers();
  const socket = await askAndLeave(world, getText('large.bin'));
  await expect.poll(() => world.handled.length).toBe(1);
  writeFileSync(world.world.at('root/a/large.bin'), Buffer.alloc(BINARY.length, 9));
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  socket.resume();
  await once(socket, 'close');
  expect(bytes).toBeLessThan(BINARY.length);
  // That is nobody's fault.
  expect(world.server.events.filter(({ level }) => level === 'error')).toEqual([]);
});

test('a fault of ours while a file is sent ends the connection, and is in the log with its request (R2) (A2)', async () => {
  const world = await openLargeAnswers();
  const { openFile } = world.repertoire;
  vi.spyOn(world.repertoire, 'openFile').mockImplementation((address) => {
    const opened = openFile(address);
    function* pieces(): Generator<Buffer> {
      yield BINARY.subarray(0, 10);
      throw new TypeError('a slip of ours');
    }
    return opened && { ...opened, pieces };
  });
  const socket = await askAndLeave(world, getText('large.bin'));
  socket.resume();
  await once(socket, 'close');
  expect(world.server.events).toContainEqual({
    level: 'error',
    message: 'A request failed by a fault of ours',
    path: '/api/documents/a/files/large.bin',
    correlation_id: expect.any(String),
    error: expect.stringContaining('a slip of ours'),
  });
});

test('HEAD and a known tag of a large file are answered without its bytes (H2)', async () => {
  const { server } = await openLargeAnswers();
  const path = '/api/documents/a/files/large.bin';
  const head = await server.ask(path, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(BINARY.length)]);
  const etag = head.headers.get('etag') ?? '';
  expect((await server.ask(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
});

test('a large file waits for room, and comes as soon as there is some (F10)', async () => {
  const world = await openLargeAnswers({
    answers: { inAll: 8 * MEGABYTE, perCaller: 0.75 * MEGABYTE, waitMs: PATIENCE_MS, safeMs: PATIENCE_MS },
  });
  const silent = await askAndLeave(world, getText('large.bin'));
  await once(silent, 'readable');
  const waiting = world.server.ask('/api/documents/a/files/large.bin', {
    headers: { Authorization: AS_AGENT.authorization },
  });
  await expect.poll(() => world.handled.length).toBe(2);
  // Whoever is refused is refused at once.
  expect(await Promise.race([waiting.then(({ status }) => status), sleep(100).then(() => 'waits')])).toBe('waits');
  silent.destroy();
  const answer = await waiting;
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, BINARY.length]);
});

test('HEAD and a known tag of a long SKILL.md take no room (H2) (F10)', async () => {
  const world = await openLargeAnswers({
    answers: { inAll: 8 * MEGABYTE, perCaller: 0.6 * MEGABYTE, waitMs: 50, safeMs: PATIENCE_MS },
  });
  const path = '/api/documents/long/files/SKILL.md';
  const ask = (options: RequestInit = {}) =>
    world.server.ask(path, { ...options, headers: { Authorization: AS_AGENT.authorization, ...options.headers } });
  await once(await askAndLeave(world, getText('large.bin')), 'readable');
  expect((await ask()).status).toBe(429);
  const head = await ask({ method: 'HEAD' });
  expect(head.status).toBe(200);
  expect((await ask({ headers: { 'If-None-Match': head.headers.get('etag') ?? '' } })).status).toBe(304);
});

test('a large file comes whole over /mcp, as JSON, in a stream and in a tool (T12)', () => expectWhole('large.txt'));

test(
  'of many large reads at once only those that fit are begun; the others follow as the first are taken (F10) (A2)',
  async () => {
    const answers = { inAll: 8 * MEGABYTE, perCaller: 5 * MEGABYTE, waitMs: PATIENCE_MS, safeMs: PATIENCE_MS };
    const world = await openLargeAnswers({ answers });
    const sockets: Socket[] = [];
    for (let index = 0; index < 6; index += 1) sockets.push(await askAndLeave(world, readText('control.txt')));
    await expect.poll(() => world.readFile.mock.calls.length).toBe(2);
    // Others are not held up, also not this caller's other questions.
    expect((await fetch(`${world.server.url}/health`)).status).toBe(200);
    expect((await askModern(world.url, 'tools/list', {}, { headers: AS_AGENT })).status).toBe(200);
    expect(world.readFile).toHaveBeenCalledTimes(2);
    let bytes = 0;
    for (const socket of sockets) {
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      socket.resume();
    }
    await expect.poll(() => bytes, { timeout: PATIENCE_MS }).toBeGreaterThan(6 * 6 * 2 * MEGABYTE);
    expect(world.readFile).toHaveBeenCalledTimes(6);
  },
  PATIENCE_MS,
);

test('a large read that finds no room is refused with a time to come again; another caller gets it (F10) (A2)', async () => {
  const world = await openLargeAnswers({
    answers: { inAll: 8 * MEGABYTE, perCaller: 3 * MEGABYTE, waitMs: 50, safeMs: PATIENCE_MS },
  });
  const silent = await askAndLeave(world, readText('control.txt'));
  await expect.poll(() => world.readFile.mock.calls.length).toBe(1);
  const read = (headers: Record<string, string>) =>
    askModern(world.url, 'resources/read', { uri: uriOf('control.txt') }, { id: 4, headers });
  const refused = await read(AS_AGENT);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(refused.messages).toMatchObject([{ id: 4, error: { code: -32000, message: /^Rate limit exceeded/ } }]);
  const call = { name: 'read_skill_file', arguments: { uri: uriOf('control.txt') } };
  expect(await askModern(world.url, 'tools/call', call, { headers: AS_AGENT })).toMatchObject({
    status: 429,
    code: -32000,
  });
  expect((await read({ authorization: `Bearer ${OPERATOR_TOKEN}` })).status).toBe(200);
  expect(world.readFile).toHaveBeenCalledTimes(2);
  silent.destroy();
  await expect.poll(async () => (await read(AS_AGENT)).status, { timeout: PATIENCE_MS }).toBe(200);
});

test('a batch has small files whole, and says of a large one that it has no room (F10)', async () => {
  const { url } = await openLargeAnswers();
  const hello = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
  const opened = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params: hello }, AS_AGENT);
  const headers = { ...AS_AGENT, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const ask = (id: number, file: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'resources/read',
    params: { uri: uriOf(file) },
  });
  const reply = await post(url, [ask(1, 'large.txt'), ask(2, 'large.bin')], headers);
  expect(reply.status).toBe(200);
  expect(reply.messages.find(({ id }) => id === 1)?.result).toMatchObject({ contents: [{ text: TEXT }] });
  expect(reply.messages.find(({ id }) => id === 2)?.error?.code).toBe(-32000);
});
