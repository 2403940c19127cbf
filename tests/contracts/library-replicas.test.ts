// The library between replicas of the built program, and while their database is away (L4, N3, N7).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { createServeWorld, type ServeWorld } from '../faults/serve-world.ts';
import { askModern } from '../support/http-mcp-client.ts';
import { createDatabase, makeTables } from '../support/postgres-database.ts';
import { openPostgresProxy } from '../support/postgres-proxy.ts';
import type { ServeProcess } from '../support/serve-process.ts';

let folder: string;
let world: ServeWorld;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-library-replicas-'));
  world = createServeWorld(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(url: string): Promise<ServeProcess> {
  const server = await world.start({ kind: 'postgres', url });
  onTestFinished(() => server.kill());
  return server;
}

const skillText = (body: string) => `---\nname: refunds\ndescription: How refunds are made.\n---\n${body}\n`;

/** The same files again are the same version, so a client may try again where a busy machine made the database answer late. */
const putInTime = (server: ServeProcess, body: string) =>
  expect.poll(async () => (await put(server, body)).status).toBe(200);

async function put(server: ServeProcess, body: string) {
  const answer = await fetch(`${server.url}/api/library/refunds`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ files: [{ path: 'SKILL.md', text: skillText(body) }], message: body }),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

const served = async ({ ask }: ServeProcess) => {
  const { status, text } = await ask('/api/documents/refunds');
  return status === 200 ? JSON.parse(text).content : status;
};

/** What a client of the 2026 era hears of the list of resources. */
async function listen({ mcp_url, token }: ServeProcess): Promise<() => string> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  let heard = '';
  const { modernRequest, modernHeaders } = await import('../support/http-mcp-client.ts');
  const message = modernRequest('subscriptions/listen', { notifications: { resourcesListChanged: true } });
  const answer = await fetch(mcp_url, {
    method: 'POST',
    headers: {
      ...modernHeaders(message),
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
    signal: stop.signal,
  });
  expect(answer.status).toBe(200);
  const read = async () => {
    for await (const chunk of answer.body ?? []) heard += Buffer.from(chunk).toString();
  };
  read().catch(() => undefined);
  return () => heard;
}

test('what changes on one replica is told to clients of another with list_changed (L4, N3)', async () => {
  const place = await createDatabase({ url: inject('postgresUrl') });
  await makeTables(place);
  const [one, other] = await Promise.all([start(place.url), start(place.url)]);
  const heard = await listen(other);
  await putInTime(one, 'first');
  await expect.poll(heard).toContain('notifications/resources/list_changed');
  await expect.poll(() => served(other)).toBe(skillText('first'));
});

test('what changes is served everywhere although the notifications of the database are lost (L4, N3)', async () => {
  const place = await createDatabase({ url: inject('postgresUrl') });
  await makeTables(place);
  const proxy = await openPostgresProxy(place.url);
  const [one, deaf] = await Promise.all([start(place.url), start(proxy.url)]);
  await putInTime(one, 'first');
  await expect.poll(() => served(deaf)).toBe(skillText('first'));
  proxy.silence(true);
  await putInTime(one, 'second');
  await expect.poll(() => served(deaf)).toBe(skillText('second'));
});

test('while the database is away the library is served as it was seen last, lists and proposals are 503 (N7)', async () => {
  const place = await createDatabase({ url: inject('postgresUrl') });
  await makeTables(place);
  const proxy = await openPostgresProxy(place.url);
  const server = await start(proxy.url);
  await putInTime(server, 'first');
  await expect.poll(() => served(server)).toBe(skillText('first'));
  proxy.open(false);
  expect(await served(server)).toBe(skillText('first'));
  expect((await server.ask('/api/library')).status).toBe(503);
  const late = await put(server, 'second');
  expect([late.status, late.json.failure_code]).toEqual([503, 'PERSISTENCE_ERROR']);
  const given = { name: 'refunds', files: [{ path: 'SKILL.md', text: skillText('third') }], message: 'third' };
  const headers = { authorization: `Bearer ${server.token}` };
  const call = { name: 'propose_skill', arguments: given };
  expect((await askModern(new URL(server.mcp_url), 'tools/call', call, { headers })).text).toContain(
    'PERSISTENCE_ERROR',
  );
  // A server that starts meanwhile, on the same data directory.
  const restarted = await start(proxy.url);
  expect(await served(restarted)).toBe(skillText('first'));
  proxy.open(true);
  await putInTime(server, 'fourth');
  for (const each of [server, restarted]) await expect.poll(() => served(each)).toBe(skillText('fourth'));
});
