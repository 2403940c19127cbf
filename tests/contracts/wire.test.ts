// The wire under bad input, and how the process ends (PROTOCOL "stdio"; THREATS "big and slow input"; F11).
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, namesOf } from '../support/document-tools.ts';
import { peakMegabytes } from '../support/process-statistics.ts';
import { World } from '../support/world.ts';
import { writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World({ apart: true });
  writeSkill(world.skills, 'one');
});
afterEach(() => world.close());

const malformed: readonly (readonly [string, string | Uint8Array])[] = [
  ['no JSON', 'hello\n'],
  ['half an object', '{"jsonrpc":"2.0","id":1,"method":\n'],
  ['a number', '5\n'],
  ['null', 'null\n'],
  ['a string', '"tools/list"\n'],
  ['an empty list', '[]\n'],
  ['an object without a method', '{"jsonrpc":"2.0","id":77}\n'],
  ['a method that is a number', '{"jsonrpc":"2.0","id":77,"method":5}\n'],
  ['params that are a string', '{"jsonrpc":"2.0","id":77,"method":"tools/list","params":"x"}\n'],
  ['no version', '{"id":77,"method":"tools/list"}\n'],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}\n'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a])],
  ['a NUL', '\u0000\n'],
];

test.each(malformed)('%s is answered with an error and the server goes on', async (_what, bytes) => {
  const client = await world.serve();
  const before = client.lines.length;
  client.write(bytes);
  await expect.poll(() => client.lines.length).toBeGreaterThan(before);
  const answer = JSON.parse(client.lines[before] ?? '');
  expect(answer).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number), message: expect.any(String) } });
  expect([-32700, -32600, -32602]).toContain(answer.error.code);
  expect(await namesOf(client)).toEqual(['one']);
});

test('empty lines, Windows line ends and a message in many pieces are no trouble', async () => {
  const client = await world.serve();
  client.write('\n\r\n  \n');
  const answer = client.answerTo('pieces');
  const text = `${JSON.stringify({ jsonrpc: '2.0', id: 'pieces', method: 'tools/list', params: { note: '🥊' } })}\r\n`;
  for (const byte of Buffer.from(text)) {
    client.write(Uint8Array.of(byte));
    if (byte % 16 === 0) await sleep(1);
  }
  expect((await answer).result).toHaveProperty('tools');
});

test('a line of 20 MB is answered with an error, costs no more memory than it must, and the server goes on', async () => {
  const client = await world.serve();
  const name = 'x'.repeat(20 * 1024 * 1024);
  const before = client.lines.length;
  client.send({ jsonrpc: '2.0', id: 'huge', method: 'tools/call', params: { name: 'skill', arguments: { name } } });
  await expect.poll(() => client.lines.length).toBeGreaterThan(before);
  const line = client.lines[before] ?? '';
  expect(JSON.parse(line).error).toMatchObject({ code: expect.any(Number) });
  expect(line.length).toBeLessThan(10_000);
  expect(peakMegabytes(client.pid)).toBeLessThan(200);
  expect(await namesOf(client)).toEqual(['one']);
});

test.each([
  ['lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
])('%s nested 100,000 deep in the arguments are answered and the server goes on', async (_what, nest) => {
  const client = await world.serve();
  const before = client.lines.length;
  client.write(
    `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"skill","arguments":{"name":${nest}}}}\n`,
  );
  await expect.poll(() => client.lines.length).toBeGreaterThan(before);
  const answer = JSON.parse(client.lines[before] ?? '');
  expect(answer.error !== undefined || answer.result.isError).toBe(true);
  expect(await namesOf(client)).toEqual(['one']);
});

test('an unknown method is -32601, an unknown tool -32602, and notifications are never answered', async () => {
  const client = await world.serve();
  expect((await client.request('no/such')).error?.code).toBe(-32601);
  expect((await client.request('tools/call', { name: 'no_such', arguments: {} })).error?.code).toBe(-32602);
  const before = client.lines.length;
  client.send({ jsonrpc: '2.0', method: 'no/such' });
  client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 999 } });
  client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: {} } });
  expect((await client.request('ping')).result).toEqual({});
  expect(client.lines.length).toBe(before + 1);
});

test('1,000 requests in one write are each answered under their own id', async () => {
  const client = await world.serve();
  const ids = Array.from({ length: 1000 }, (_, index) => `r${index}`);
  const answers = ids.map((id) => client.answerTo(id));
  const request = (id: string) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'skill', arguments: { name: id } } });
  client.write(`${ids.map(request).join('\n')}\n`);
  for (const [index, answer] of (await Promise.all(answers)).entries()) {
    expect(JSON.stringify(answer.result)).toContain(`Skill 'r${index}' not found`);
  }
});

test('stdout carries only JSON-RPC, whatever happens meanwhile', async () => {
  const client = await world.serve();
  writeSkill(world.skills, 'two');
  await expect.poll(() => namesOf(client)).toEqual(['one', 'two']);
  client.write('nonsense\n');
  await callTool(client, 'skill', { name: 'missing' });
  await client.stop();
  for (const line of client.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});

test('the process ends with 0 when stdin is closed, before and after a handshake (F11)', async () => {
  const silent = await world.serve({ greet: false });
  silent.endInput();
  expect(await silent.exited).toEqual({ code: 0, signal: null });
  const greeted = await world.serve();
  await namesOf(greeted);
  greeted.endInput();
  expect(await greeted.exited).toEqual({ code: 0, signal: null });
});

test('what was asked before stdin closed is still answered (F11)', async () => {
  const client = await world.serve();
  const answer = client.answerTo('last');
  client.send({ jsonrpc: '2.0', id: 'last', method: 'tools/call', params: { name: 'list_skills', arguments: {} } });
  client.endInput();
  expect((await answer).result).toHaveProperty('structuredContent');
  expect(await client.exited).toEqual({ code: 0, signal: null });
});

test.each(['SIGTERM', 'SIGINT'] as const)('the process ends with 0 on %s (F11)', async (signal) => {
  const client = await world.serve();
  await namesOf(client);
  client.kill(signal);
  expect(await client.exited).toEqual({ code: 0, signal: null });
});
