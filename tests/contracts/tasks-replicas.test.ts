// Tasks over three replicas of one PostgreSQL (J4): made on one, asked for, answered and cancelled on the others, never by others.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type Server, startServer } from '../../src/server.ts';
import { defineSkill } from '../../src/skills/define/define-skill.ts';
import { modernClient, TASKS } from '../../src/surfaces/mcp/fixtures/modern-client.ts';
import { PATIENT } from '../support/patience.ts';
import { useStoreWorld } from './stores/use-store-world.ts';

const world = useStoreWorld();
const folder = mkdtempSync(join(tmpdir(), 'repertoire-tasks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const base = {
  description: 'Works.',
  category: 'execution',
  output: z.object({ text: z.string() }),
  durable: {},
} as const;
const asking = defineSkill({
  ...base,
  name: 'remove',
  input: z.object({}),
  run: async (_input, { ask }) => {
    const { sure } = await ask({ sure: { message: 'Sure?', schema: z.object({ sure: z.boolean() }) } });
    return { text: JSON.stringify(sure) };
  },
});
const lasting = defineSkill({
  ...base,
  name: 'last',
  input: z.object({}),
  run: (_input, { signal }) =>
    new Promise<{ text: string }>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
});

async function openReplicas() {
  const place = await world.place('postgres');
  if (place.kind !== 'postgres') throw new Error('No PostgreSQL');
  await world.open(place, PATIENT).migrate();
  const servers: Server[] = [];
  for (let n = 0; n < 3; n += 1) {
    const data = mkdtempSync(join(folder, 'data-'));
    const server = await startServer({
      port: 0,
      roots: [],
      builtin: [],
      data,
      databaseUrl: place.url,
      skills: [asking, lasting],
    });
    closing.push(() => server.close());
    servers.push(server);
  }
  const addAgent = async (name: string, scopes: readonly string[] = []): Promise<string> => {
    const response = await fetch(`${servers[0]?.url}/api/agents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${servers[0]?.operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, roles: ['*'], scopes }),
    });
    return ((await response.json()) as { token: string }).token;
  };
  const capabilities = { ...TASKS, elicitation: {} };
  const clientsOf = (token: string) => servers.map(({ url }) => modernClient(`${url}/mcp`, token, capabilities));
  return { addAgent, clientsOf };
}

test('a task made on one replica is found, answered and cancelled on others, and exists for its caller alone (J4)', async () => {
  const { addAgent, clientsOf } = await openReplicas();
  const [one, two, three] = clientsOf(await addAgent('owner'));
  const strangers = clientsOf(await addAgent('stranger', ['log:read', 'runs:approve']));
  const made = await one?.ask('tools/call', { name: 'remove', arguments: {} });
  expect(made?.result).toMatchObject({ resultType: 'task', status: 'working' });
  const { taskId } = made?.result ?? {};
  // At once, on whichever replica.
  expect((await three?.ask('tasks/get', { taskId }))?.result).toMatchObject({ taskId, resultType: 'complete' });
  const get = async () => (await two?.ask('tasks/get', { taskId }))?.result;
  await expect.poll(async () => (await get())?.status).toBe('input_required');
  for (const stranger of strangers) {
    const answers = { sure: { action: 'accept', content: { sure: false } } };
    for (const [method, more] of [
      ['tasks/get'],
      ['tasks/update', { inputResponses: answers }],
      ['tasks/cancel'],
    ] as const)
      expect((await stranger.ask(method, { taskId, ...more })).body).toMatchObject({ error: { code: -32602 } });
  }
  await three?.ask('tasks/update', { taskId, inputResponses: { sure: { action: 'accept', content: { sure: true } } } });
  await expect.poll(async () => (await get())?.status).toBe('completed');
  expect((await get())?.result.structuredContent.text).toBe('{"action":"accept","content":{"sure":true}}');
});

test('a task that runs on one replica is cancelled from each other one (J4)', async () => {
  const { addAgent, clientsOf } = await openReplicas();
  const clients = clientsOf(await addAgent('owner'));
  for (const [at, client] of clients.entries()) {
    const made = await client.ask('tools/call', { name: 'last', arguments: {} });
    const { taskId } = made.result;
    const other = clients[(at + 1) % clients.length];
    expect((await other?.ask('tasks/cancel', { taskId }))?.result).toMatchObject({ resultType: 'complete' });
    await expect.poll(async () => (await client.ask('tasks/get', { taskId })).result.status).toBe('cancelled');
  }
});
