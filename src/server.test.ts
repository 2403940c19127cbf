// The server as a program starts it: what it serves, how it ends, and what it says when it cannot start.

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { tablesWithoutLog } from '../tests/support/store-tables.ts';
import { writeSkill } from '../tests/support/write-skill.ts';
import { type Server, type ServerOptions, startServer } from './server.ts';
import { defineSkill } from './skills/define/define-skill.ts';
import type { RuntimeEvent } from './skills/record/runtime-log.ts';
import { plain } from './store/sql.ts';
import { createSqlite } from './store/sqlite.ts';
import { stopClock } from './surfaces/http/fixtures/stop-clock.ts';

let folder = '';
let started: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-server-'));
  writeSkill(join(folder, 'skills'), 'sql-review');
});
afterEach(async () => {
  await Promise.all(started.map((server) => server.close()));
  started = [];
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: ServerOptions = {}): Promise<Server> {
  const given = { roots: [join(folder, 'skills')], data: join(folder, 'data'), port: 0, builtin: [], ...options };
  const server = await startServer(given);
  started.push(server);
  return server;
}

const wait = defineSkill({
  name: 'wait',
  description: 'Waits until it is let go.',
  category: 'execution',
  input: z.object({}),
  output: z.object({ done: z.boolean() }),
  run: async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { done: true };
  },
});

test('startServer() serves documents and typed skills over HTTP until close() (C)', async () => {
  const server = await start({ skills: [wait] });
  const headers = { authorization: `Bearer ${server.operatorToken}` };
  const ask = async (path: string) => (await fetch(`${server.url}${path}`, { headers })).json();
  expect(await ask('/api/documents')).toMatchObject({ documents: [{ name: 'sql-review' }] });
  expect(await ask('/api/typed-skills')).toMatchObject({ skills: [{ name: 'wait' }] });
  expect((await fetch(`${server.url}/api/documents`)).status).toBe(401);
  expect(server.repertoire.loadByName('sql-review')?.uri).toBe('skill://sql-review/SKILL.md');
  await server.close();
  await server.close();
  await expect(fetch(`${server.url}/health`)).rejects.toThrow('fetch failed');
});

test('behind a trusted proxy bad tokens are counted by client, and keep no good one out right after the start (A3)', async () => {
  const events: RuntimeEvent[] = [];
  const server = await start({ trustProxy: ['loopback'], log: (event) => void events.push(event) });
  stopClock();
  const ask = async (client: string, token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': client };
    return (await fetch(`${server.url}/api/documents`, { headers })).status;
  };
  const statuses: number[] = [];
  for (let count = 0; count < 61; count += 1) statuses.push(await ask('192.0.2.1', `rpa_${'x'.repeat(43)}`));
  expect(statuses).toEqual([...Array(60).fill(401), 429]);
  expect(await ask('192.0.2.2', 'bad')).toBe(401);
  expect(await ask('192.0.2.1', server.operatorToken ?? '')).toBe(200);
  expect(events.some((event) => 'address' in event && event.address === '192.0.2.1')).toBe(true);
  await server.close();
});

test('`ownership` adds types of things to ownership_validation (B4, M14)', async () => {
  const [user_id, resource_id] = ['550e8400-e29b-41d4-a716-446655440000', '550e8400-e29b-41d4-a716-446655440001'];
  const ownership = { invoice: async (userId: string, id: string) => userId === user_id && id === resource_id };
  const server = await start({ ownership, builtin: ['ownership_validation'], auth: false });
  const post = async (input: object) => {
    const url = `${server.url}/api/typed-skills/ownership_validation/invoke`;
    const headers = { 'content-type': 'application/json' };
    return (await fetch(url, { method: 'POST', body: JSON.stringify(input), headers })).json();
  };
  expect(await post({ user_id, resource_id, resource_type: 'invoice' })).toMatchObject({
    output_payload: { is_owner: true },
  });
  expect(await post({ user_id, resource_id: user_id, resource_type: 'invoice' })).toMatchObject({
    output_payload: { is_owner: false },
  });
  expect(await post({ user_id, resource_id, resource_type: 'house' })).toMatchObject({
    failure_message: 'Input validation failed: resource_type: is not known here: known are task, invoice',
  });
  await server.close();
});

test('close() lets a running call end (F11)', async () => {
  const server = await start({ skills: [wait], auth: false });
  const url = `${server.url}/api/typed-skills/wait/invoke`;
  const post = fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
  await expect
    .poll(async () => (await (await fetch(`${server.url}/api/invocations`)).json()).invocations.length)
    .toBe(1);
  const closed = server.close();
  expect(await (await post).json()).toMatchObject({ success: true, output_payload: { done: true } });
  await closed;
});

test.each([
  [
    'throws',
    () => {
      throw new Error('my log failed');
    },
  ],
  ['rejects', async () => Promise.reject(new Error('my log failed'))],
])('a log that %s harms nothing', async (_how, log) => {
  const server = await start({ log });
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});

test('it prints nothing and leaves the process alone; what it has to say goes to `log`', async () => {
  const stdout = vi.spyOn(process.stdout, 'write');
  const stderr = vi.spyOn(process.stderr, 'write');
  const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);
  const before = listeners();
  const events: RuntimeEvent[] = [];
  const server = await start({ roots: [join(folder, 'nowhere')], log: (event) => events.push(event) });
  expect(listeners()).toEqual(before);
  await server.close();
  expect([stdout.mock.calls, stderr.mock.calls]).toEqual([[], []]);
  vi.restoreAllMocks();
  expect(events.map(({ message }) => message)).toContain(
    `No skills of ${join(folder, 'nowhere')} are served: there is no such folder`,
  );
});

test.each<[object, string]>([
  [{ roots: 'skills' }, 'the field "roots" is not a list of texts. Write ["one", "two"].'],
  [{ root: ['skills'] }, 'the field "root" is unknown. Did you mean "roots"?'],
  [{ keep: 30 }, 'the field "keep" is not a duration.'],
  [{ host: 1 }, 'the field "host" is not a text.'],
  [{ port: '7337' }, 'the field "port" is not a port. Write a number from 0 to 65535.'],
  [{ data: '' }, 'the field "data" is not a text.'],
  [{ databaseUrl: 5 }, 'the field "databaseUrl" is not a text.'],
  [{ auth: 'no' }, 'the field "auth" is not a truth value.'],
  [{ log: 'stderr' }, 'the field "log" is not a function.'],
  [{ builtin: 'none' }, 'the field "builtin" is not a list of texts.'],
  [{ builtin: ['task_creaton'] }, 'unknown built-in skill "task_creaton": did you mean "task_creation"?'],
  [
    { allowHosts: ['https://skills.example.com/hunter22'] },
    'an entry of the field "allowHosts" is not a name alone; write it like skills.example.com',
  ],
  [{ trustProxy: '10.0.0.0/8' }, 'the field "trustProxy" is not a list of texts. Write ["one", "two"].'],
  [
    { trustProxy: ['loopback', 'hunter22'] },
    'the field "trustProxy" has an entry that is neither an address nor a range; write it like 10.0.0.0/8,',
  ],
  [{ keep: '30 days' }, 'the field "keep" is not a duration. Write "90m", "12h" or "30d".'],
  [
    { auth: false, host: '0.0.0.0' },
    '"auth: false" cannot be combined with an address that others can reach: leave one of them out',
  ],
  [{ databaseUrl: 'mysql://me:hunter22@db/x' }, 'the field "databaseUrl" is not the address of a PostgreSQL; use'],
])('with %o it rejects with a sentence that shows no secret', async (options, said) => {
  const error = await start(options).catch((reason: unknown) => reason);
  expect(String(error)).toContain(`Error: Cannot start the server: ${said}`);
  expect(String(error)).not.toContain('hunter22');
});

test.each<[unknown, string]>([
  [null, 'its options are null, not an object.'],
  [['skills'], 'its options are a list, not an object.'],
])('options that are %o are refused', async (options, said) => {
  await expect(startServer(options as ServerOptions)).rejects.toThrow(`Cannot start the server: ${said}`);
});

test('an address of a model that cannot be one is refused', async () => {
  vi.stubEnv('REPERTOIRE_AI_BASE_URL', 'ftp://hunter22');
  const error = await start().catch((reason: unknown) => reason);
  vi.unstubAllEnvs();
  expect(String(error)).toContain('Cannot start the server: REPERTOIRE_AI_BASE_URL is not an http or https address');
  expect(String(error)).not.toContain('hunter22');
});

test('a port in use is a sentence, and nothing is left open', async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)); // of a TCP server
  });
  await expect(start({ port })).rejects.toThrow(
    /^Cannot listen on 127\.0\.0\.1:\d+: the port is in use; .* with the option "port"$/,
  );
  other.close();
});

test('`record: false` leaves no table for what runs and what is read; users and their tasks are kept (X7)', async () => {
  const server = await start({ record: false, builtin: ['user_creation'] });
  const headers = { authorization: `Bearer ${server.operatorToken}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'ada@example.com', password: 'correct horse' });
  const url = `${server.url}/api/typed-skills/user_creation/invoke`;
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  expect((await fetch(`${server.url}/api/invocations`, { headers })).status).toBe(404);
  await server.close();
  const file = createSqlite(join(folder, 'data'), 10_000, () => undefined);
  const tables = await file.read(
    plain("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'sqlite_sequence' ORDER BY name"),
  );
  await file.close();
  expect(tables.map(({ name }) => name)).toEqual(tablesWithoutLog('sqlite'));
});
