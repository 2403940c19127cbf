// A PostgreSQL that hangs under a server of the built program: halted, or behind a network that swallows everything (F1, N7).
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type HttpSessionClient, openSession } from '../support/http-mcp-client.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { createDatabase, makeTables } from '../support/postgres-database.ts';
import { openPostgresProxy } from '../support/postgres-proxy.ts';
import type { HttpAnswer, ServeProcess } from '../support/serve-process.ts';
import { backendsOf, signalAll } from './postgres-backends.ts';
import { createServeWorld, DOCUMENT_PATH, type ServeWorld } from './serve-world.ts';

let folder: string;
let postgres: TestPostgres;
let world: ServeWorld;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-hanging-'));
  world = createServeWorld(folder);
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Hanging {
  readonly server: ServeProcess;
  begin(): Promise<void>;
  end(): void;
  /** Every connection is lost and comes back: whatever was known may have changed meanwhile. */
  lose?(): void;
}

const OPTIONS = ['--builtin', 'all', '--log', 'required'];

async function startHalted(): Promise<Hanging> {
  const place = await createDatabase(postgres);
  await makeTables(place);
  const server = await world.start(place, OPTIONS);
  let halted: readonly number[] = [];
  const end = () => signalAll(halted, 'SIGCONT');
  onTestFinished(async () => {
    end();
    await server.kill();
  });
  const begin = async () => {
    halted = [postgres.pid(), ...(await backendsOf(place.url))];
    signalAll(halted, 'SIGSTOP');
  };
  return { server, begin, end };
}

async function startSwallowed(): Promise<Hanging> {
  const place = await createDatabase(postgres);
  await makeTables(place);
  const proxy = await openPostgresProxy(place.url);
  const server = await world.start({ kind: 'postgres', url: proxy.url }, OPTIONS);
  onTestFinished(() => server.kill());
  const lose = () => {
    proxy.open(false);
    proxy.open(true);
  };
  return { server, begin: async () => proxy.hang(true), end: () => proxy.hang(false), lose };
}

const PASSWORD = 'correct horse battery';

/** What needs the database, by name: each asks it something else, or several things one after the other. */
const asking = (server: ServeProcess, email: string): Readonly<Record<string, () => Promise<HttpAnswer>>> => {
  const invoke = (skill: string, input: object, headers = {}) =>
    server.ask(`/api/typed-skills/${skill}/invoke`, { body: JSON.stringify(input), headers });
  return {
    'a read': () => server.ask('/api/invocations?limit=1'),
    'sign-in': () => server.ask('/api/session', { body: JSON.stringify({ email, password: PASSWORD }) }),
    credential_validation: () => invoke('credential_validation', { email, password: PASSWORD }),
    user_creation: () => invoke('user_creation', { email: `${randomUUID()}@example.org`, password: PASSWORD }),
    'a call': () => invoke('echo', { text: 'x' }),
    'a durable call': () => invoke('kept', { text: 'x' }, { Prefer: 'respond-async' }),
    'a new agent': () => server.ask('/api/agents', { body: JSON.stringify({ name: randomUUID() }) }),
  };
};

/** Until it succeeds: on a machine with too much to do a database that answers may look silent. */
async function addPerson({ ask }: ServeProcess): Promise<string> {
  const email = `${randomUUID()}@example.org`;
  const body = JSON.stringify({ email, password: PASSWORD });
  const create = async () => (await ask('/api/typed-skills/user_creation/invoke', { body })).status;
  await expect.poll(create).toBe(200);
  return email;
}

const statusesOf = async (asked: ReturnType<typeof asking>) =>
  Object.fromEntries(
    await Promise.all(Object.entries(asked).map(async ([name, ask]) => [name, (await ask()).status] as const)),
  );

const ANSWERED = {
  'a read': 200,
  'sign-in': 204,
  credential_validation: 200,
  user_creation: 200,
  'a call': 200,
  'a durable call': 202,
  'a new agent': 201,
};

test.each(Object.keys(ANSWERED))(
  '%s is refused while the database hangs, however many questions it asks (F1, N7)',
  async (name) => {
    const { server, begin } = await startHalted();
    const asked = asking(server, await addPerson(server));
    // Everything is loaded, and the pool has connections.
    await expect.poll(() => statusesOf(asked)).toEqual(ANSWERED);
    await begin();
    const [one, several] = await Promise.all([asked['a read']?.(), asked[name]?.()]);
    expect([one?.status, several?.status, several?.text]).toEqual([
      503,
      503,
      expect.stringMatching(/PERSISTENCE_ERROR/),
    ]);
  },
);

test.each([
  ['halted', startHalted],
  ['behind a network that swallows', startSwallowed],
] as const)(
  '%s: documents, /health and MCP sessions are served meanwhile; all is back by itself (F1, N2, N7)',
  async (_how, start) => {
    const { server, begin, end } = await start();
    const asked = asking(server, await addPerson(server));
    const mcp = new URL(server.mcp_url);
    const headers = { authorization: `Bearer ${server.token}` };
    const before = await openSession(mcp, '2025-11-25', headers);
    await begin();
    const list = (session: HttpSessionClient) => session.request(1, 'tools/list');
    expect((await server.ask('/health')).status).toBe(200);
    expect((await server.ask(DOCUMENT_PATH)).status).toBe(200);
    const local = await openSession(mcp, '2025-11-25', headers);
    expect((await list(local)).status).toBe(200);
    expect((await list(before)).status).toBe(200);
    for (const [name, ask] of Object.entries(asked)) expect([name, (await ask()).status]).toEqual([name, 503]);
    expect((await server.ask('/ready')).status).toBe(503);
    expect((await server.ask(DOCUMENT_PATH)).status).toBe(200);
    end();
    await expect.poll(async () => (await server.ask('/ready')).status).toBe(200);
    await expect.poll(() => statusesOf(asked)).toEqual(ANSWERED);
    expect((await list(before)).status).toBe(200);
    expect((await list(local)).status).toBe(200);
  },
);

test('an agent that was let in before is let in by the first request that meets it, too (F1, N7)', async () => {
  const { server, begin, lose } = await startSwallowed();
  const added = await server.ask('/api/agents', { body: JSON.stringify({ name: 'reader' }) });
  const headers = { authorization: `Bearer ${(JSON.parse(added.text) as { readonly token: string }).token}` };
  const read = async () => (await server.ask(DOCUMENT_PATH, { headers })).status;
  expect(await read()).toBe(200);
  const gaps = async () => Number(/^repertoire_bus_gaps_total (\d+)$/m.exec((await server.ask('/metrics')).text)?.[1]);
  const before = await gaps();
  lose?.();
  // From here on the database has to be asked whether the agent is still there.
  await expect.poll(gaps).toBeGreaterThan(before);
  await begin();
  expect(await read()).toBe(200);
});
