// Replicas of the built program on one store: what happens on one is known to all (N3).
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { createServeWorld, invoke, type ServeWorld } from '../faults/serve-world.ts';
import { openSession } from '../support/http-mcp-client.ts';
import { createPlace } from '../support/postgres-database.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { World } from '../support/world.ts';

let folder: string;
let world: ServeWorld;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-n3-'));
  world = createServeWorld(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const placeOf = (kind: StorePlace['kind']) => createPlace(kind, folder, inject('postgresUrl'));

async function startTwo(place: StorePlace): Promise<readonly [ServeProcess, ServeProcess]> {
  const servers = await Promise.all([world.start(place), world.start(place)]);
  onTestFinished(async () => void (await Promise.all(servers.map(({ kill }) => kill()))));
  const [one, other] = servers;
  // Each has heard of the other.
  for (const server of servers) {
    await expect
      .poll(async () => busCounts(server))
      .toMatchObject({ received: expect.toSatisfy((n: number) => n > 0) });
  }
  return [one as ServeProcess, other as ServeProcess];
}

async function busCounts({ ask }: ServeProcess): Promise<Record<string, number>> {
  const { text } = await ask('/metrics');
  const found = [...text.matchAll(/^repertoire_bus_(\w+)_total (\d+)$/gm)];
  return Object.fromEntries(found.map(([, name, count]) => [name, Number(count)]));
}

interface Stream {
  readonly text: () => string;
  readonly isOver: () => boolean;
}

async function follow({ url, token }: Pick<ServeProcess, 'url' | 'token'>, as = token): Promise<Stream> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const headers = { Authorization: `Bearer ${as}` };
  const answer = await fetch(`${url}/api/events`, { headers, signal: controller.signal });
  expect(answer.status).toBe(200);
  let [text, isOver] = ['', false];
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk);
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  return { text: () => text, isOver: () => isOver };
}

const json = async (answering: Promise<{ readonly text: string }>) => JSON.parse((await answering).text);

test.each(['sqlite', 'postgres'] as const)(
  'on %s what runs, is read and connects on one is seen live and listed on the other (N3)',
  async (kind) => {
    const [one, other] = await startTwo(await placeOf(kind));
    const stream = await follow(other);
    const { invocation_id: id } = await json(invoke(one, 'echo', { text: 'said in confidence' }));
    await one.ask('/api/documents/fault-guide');
    await expect.poll(stream.text).toContain(`"id":"${id}"`);
    await expect.poll(stream.text).toMatch(/"status":"completed"/);
    await expect.poll(stream.text).toMatch(/event: load\ndata: \{"skill_name":"fault-guide"/);
    expect(stream.text()).not.toContain('said in confidence');
    const session = await openSession(new URL(one.mcp_url), '2025-11-25', { Authorization: `Bearer ${one.token}` });
    onTestFinished(async () => void (await session.end()));
    await expect.poll(stream.text).toContain('event: connection');
    const { connections } = await json(other.ask('/api/connections'));
    expect(connections).toMatchObject([{ caller: { kind: 'operator' } }]);
    expect(connections).toEqual((await json(one.ask('/api/connections'))).connections);
  },
);

test('an agent that the command line revokes is refused by every server, and its streams end (N3, H5)', async () => {
  const place = await placeOf('postgres');
  const [one, other] = await startTwo(place);
  const body = JSON.stringify({ name: 'watcher', scopes: ['log:read'] });
  const { token } = await json(one.ask('/api/agents', { body }));
  const streams = await Promise.all([one, other].map((server) => follow(server, token)));
  const cli = new World();
  onTestFinished(() => cli.close());
  const url = place.kind === 'postgres' ? place.url : '';
  const { code, stderr } = cli.run('agent', 'revoke', 'watcher', '--database-url', url);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  for (const stream of streams) await expect.poll(stream.isOver).toBe(true);
  for (const { ask } of [one, other]) {
    expect((await ask('/api/stats', { headers: { Authorization: `Bearer ${token}` } })).status).toBe(401);
  }
});

test('a rotated token counts on every server of the data directory, without a restart (N3, H5)', async () => {
  const dataDirectory = mkdtempSync(join(folder, 'shared-'));
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const environment = { PATH: process.env.PATH, HOME: home };
  const start = () => startServeProcess(['--data', dataDirectory, '--root', join(folder, 'skills')], environment);
  const one = await start();
  const other = await start();
  onTestFinished(async () => void (await Promise.all([one.kill(), other.kill()])));
  const old = one.token ?? '';
  expect(other.token).toBe(old);
  const signIn = (token: string) =>
    fetch(`${one.url}/api/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
  const cookieOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const cookie = cookieOf(await signIn(old));
  const me = (headers: Readonly<Record<string, string>>) => fetch(`${one.url}/api/stats`, { headers });
  expect((await me({ Cookie: cookie })).status).toBe(200);
  const streams = await Promise.all([one, other].map((server) => follow(server)));
  const cli = new World();
  onTestFinished(() => cli.close());
  const { stdout } = cli.run('token', '--rotate', '--data', dataDirectory);
  const fresh = stdout.trim();
  for (const stream of streams) await expect.poll(stream.isOver).toBe(true);
  for (const { ask } of [one, other]) {
    expect((await ask('/api/stats')).status).toBe(401);
    expect((await ask('/api/stats', { headers: { Authorization: `Bearer ${fresh}` } })).status).toBe(200);
  }
  expect((await me({ Cookie: cookie })).status).toBe(401);
  expect((await me({ Cookie: cookieOf(await signIn(fresh)) })).status).toBe(200);
});
