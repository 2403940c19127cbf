// Large files over HTTP and /mcp: what clients hold who do not take their answers, and that those who read get every byte (F10).
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import {
  askModern,
  modernHeaders,
  modernRequest,
  openSession,
  post,
} from '../../../../tests/support/http-mcp-client.ts';
import { PATIENCE_MS } from '../../../../tests/support/patience.ts';
import { sleep } from '../../../async/sleep.ts';
import { createSkillWorld, skillText } from '../../../catalog/fixtures/skill-world.ts';
import { openApiWorld } from '../../http/fixtures/api-world.ts';
import { AGENT_TOKEN, OPERATOR_TOKEN, openTestServer } from '../../http/fixtures/open-test-server.ts';
import type { HttpServerOptions } from '../../http/server/server.ts';
import { createMethodTable } from '../table.ts';
import { createMcpEndpoint } from './http.ts';

const MEGABYTE = 1_048_576;
const AS_AGENT = { authorization: `Bearer ${AGENT_TOKEN}` };

/** Characters of one to four bytes, quotes and control characters. */
const TEXT = 'a"\\\u0001é€𝄞\n'.repeat(60_000);
const BINARY = Buffer.alloc(16 * MEGABYTE, Buffer.from([0, 255, 1, 254, 7]));

async function open(limits: HttpServerOptions['limits'] = {}) {
  const world = createSkillWorld();
  world.skill('root/a');
  world.write('root/a/large.bin', BINARY);
  world.write('root/a/large.txt', TEXT);
  world.write('root/long/SKILL.md', `${skillText('long')}${'x'.repeat(200_000)}`);
  world.write('root/a/control.txt', Buffer.alloc(2 * MEGABYTE, 1));
  // A file that was just written may still be changing.
  await sleep(200);
  const { api, repertoire } = await openApiWorld(world);
  const table = createMethodTable({ repertoire, version: '1' });
  const mcp = createMcpEndpoint(table, { log: () => undefined, grace: { finishMs: 50, abortMs: 50 } });
  const handled: string[] = [];
  const handle: typeof api.handle = (admitted) => {
    handled.push(admitted.path);
    api.handle(admitted);
  };
  const server = await openTestServer({ api: { handle, close: api.close }, mcp, limits });
  const url = new URL(`${server.url}/mcp`);
  const readFile = vi.spyOn(repertoire, 'readFile');
  return { world, server, url, repertoire, handled, readFile };
}
type World = Awaited<ReturnType<typeof open>>;

const uriOf = (file: string) => `skill://a/${file}`;
const digestOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** Sends a request, and reads nothing. */
async function askAndLeave({ server }: World, text: string): Promise<Socket> {
  const socket = await server.connect();
  socket.pause();
  socket.write(text);
  return socket;
}

const getText = (file: string) =>
  `GET /api/documents/a/files/${file} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${AGENT_TOKEN}\r\n\r\n`;

function readText(file: string): string {
  const message = modernRequest('resources/read', { uri: uriOf(file) });
  const body = JSON.stringify(message);
  const headers = { host: 'localhost', ...AS_AGENT, ...modernHeaders(message), 'content-length': body.length };
  const fields = { 'content-type': 'application/json', accept: 'application/json', ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

test('clients who take nothing of a large file hold next to nothing of it (F10) (A2)', async () => {
  const world = await open();
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < 20; index += 1) await askAndLeave(world, getText('large.bin'));
  await expect.poll(() => world.handled.length, { timeout: PATIENCE_MS }).toBe(20);
  expect((await fetch(`${world.server.url}/health`)).status).toBe(200);
  // Each holds two pieces; what the system took of the others is garbage by now. Whole files would be 320 MB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200 * MEGABYTE);
  expect(world.readFile).not.toHaveBeenCalled();
  const answer = await world.server.ask('/api/documents/a/files/large.bin', {
    headers: { Authorization: AS_AGENT.authorization },
  });
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(BINARY.length)]);
  expect(answer.headers.get('etag')).toBe(`"${digestOf(BINARY)}"`);
  expect(digestOf(Buffer.from(await answer.arrayBuffer()))).toBe(digestOf(BINARY));
});

test('a file that changes while it is sent ends the connection, not the answer (R2) (A2)', async () => {
  const world = await open();
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
  const world = await open();
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
  const { server } = await open();
  const path = '/api/documents/a/files/large.bin';
  const head = await server.ask(path, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(BINARY.length)]);
  const etag = head.headers.get('etag') ?? '';
  expect((await server.ask(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
});

test('a large file waits for room, and comes as soon as there is some (F10)', async () => {
  const world = await open({
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
  const world = await open({
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

test.each(['large.txt', 'control.txt', 'large.bin'])(
  '%s comes whole over /mcp, as JSON, in a stream and in a tool (T12)',
  async (file) => {
    const { url, repertoire } = await open();
    const address = repertoire.findFile(uriOf(file));
    const read = address && (await repertoire.readFile(address));
    if (!read?.ok) throw new Error('it is a file of the skill');
    const {
      bytes,
      isText,
      file: { mimeType },
    } = read.value;
    const content = isText ? { text: bytes.toString() } : { blob: bytes.toString('base64') };
    const wanted = { uri: uriOf(file), mimeType, ...content };
    for (const accept of ['application/json', 'text/event-stream']) {
      const reply = await askModern(url, 'resources/read', { uri: uriOf(file) }, { headers: { ...AS_AGENT, accept } });
      expect(reply.headers.get('content-type')).toBe(accept);
      expect(reply.messages[0]?.result).toMatchObject({ resultType: 'complete', contents: [wanted] });
    }
    const call = { name: 'read_skill_file', arguments: { uri: uriOf(file) } };
    const tool = await askModern(url, 'tools/call', call, { headers: AS_AGENT });
    const answered = isText ? { type: 'text', ...content } : { type: 'resource', resource: wanted };
    expect(tool.messages[0]?.result).toMatchObject({ content: [answered] });
    const session = await openSession(url, '2025-11-25', AS_AGENT);
    const legacy = await session.request(7, 'resources/read', { uri: uriOf(file) });
    expect(legacy.messages).toEqual([{ jsonrpc: '2.0', id: 7, result: { contents: [wanted] } }]);
  },
  PATIENCE_MS,
);

test(
  'of many large reads at once only those that fit are begun; the others follow as the first are taken (F10) (A2)',
  async () => {
    const answers = { inAll: 8 * MEGABYTE, perCaller: 5 * MEGABYTE, waitMs: PATIENCE_MS, safeMs: PATIENCE_MS };
    const world = await open({ answers });
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
  const world = await open({
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
  const { url } = await open();
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
