// 2025-era sessions over three replicas of the built program, behind a load balancer without stickiness (N2).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openSession, post } from '../support/http-mcp-client.ts';
import { createDatabase, makeTables, queryPostgres } from '../support/postgres-database.ts';
import { type RoundRobin, startRoundRobin } from '../support/round-robin.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { writeSkill } from '../support/write-skill.ts';
import { connectCurrent, connectOlder, type SessionClient } from './session-clients.ts';

const TOKEN = `rpo_${'sessions'.repeat(5)}`;
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };
const URI = 'skill://fault-guide/SKILL.md';
const library = fileURLToPath(new URL('../../dist/lib/skills.js', import.meta.url));

const CONFIG = `
import { defineSkill } from ${JSON.stringify(library)};

const common = { description: 'For a test.', category: 'execution' };
const fields = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export default {
  skills: [
    defineSkill({ ...common, name: 'steps', input: fields({ count: { type: 'integer' } }),
      output: fields({ count: { type: 'integer' } }), run: async ({ count }, { progress }) => {
        for (let step = 1; step <= count; step += 1) {
          progress(step, count);
          await sleep(100);
        }
        return { count };
      } }),
    defineSkill({ ...common, name: 'wait', timeoutSeconds: 300, input: fields({}), output: fields({}),
      run: (_input, { signal }) => new Promise((_, reject) => {
        const timer = setInterval(() => undefined, 1_000);
        signal.addEventListener('abort', () => {
          clearInterval(timer);
          reject(new Error('aborted'));
        });
      }) }),
  ],
};
`;

let folder: string;
let databaseUrl: string;
let replicas: ServeProcess[];
let balancer: RoundRobin;
let url: URL;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-sessions-'));
  const root = join(folder, 'skills');
  mkdirSync(root);
  writeSkill(root, 'fault-guide');
  const config = join(folder, 'sessions.config.mjs');
  writeFileSync(config, CONFIG);
  const place = await createDatabase({ url: inject('postgresUrl') });
  databaseUrl = place.url;
  await makeTables(place);
  const options = ['--root', root, '--config', config, '--database-url', place.url];
  const environment = { PATH: process.env.PATH, HOME: folder, REPERTOIRE_OPERATOR_TOKEN: TOKEN };
  replicas = await Promise.all([1, 2, 3].map(() => startServeProcess(options, environment)));
  balancer = await startRoundRobin(replicas.map((replica) => replica.url));
  url = new URL('/mcp', balancer.url);
});
afterAll(async () => {
  await balancer?.close();
  await Promise.all((replicas ?? []).map(({ kill }) => kill()));
  rmSync(folder, { recursive: true, force: true });
});

const sessionsOf = async ({ ask }: ServeProcess) =>
  Number(/^repertoire_mcp_sessions (\d+)$/m.exec((await ask('/metrics')).text)?.[1]);

const ping = async (replica: ServeProcess, sessionId: string) =>
  (await post(new URL('/mcp', replica.url), PING, { ...AUTHORIZED, 'mcp-session-id': sessionId })).status;

const PING = { jsonrpc: '2.0', id: 'ping', method: 'ping' };

async function newestOf(skill: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await queryPostgres(
    databaseUrl,
    `SELECT status, failure_details FROM skill_invocations i LEFT JOIN skill_results r ON r.invocation_id = i.id
      WHERE skill_name = '${skill}' ORDER BY i.created_at DESC LIMIT 1`,
  );
  return row;
}

/** Writes the skill again until the client has heard of it: a stream that is being opened is told when it opens. */
async function expectToHear(client: SessionClient, wanted: readonly string[]): Promise<void> {
  client.takeHeard();
  const heard = new Set<string>();
  let edits = 0;
  await expect
    .poll(
      () => {
        edits += 1;
        writeSkill(join(folder, 'skills'), 'fault-guide', { description: `Edited ${edits} ${Date.now()}.` });
        for (const each of client.takeHeard()) heard.add(each);
        return wanted.filter((each) => !heard.has(each));
      },
      { interval: 500 },
    )
    .toEqual([]);
}

describe.each([
  ['sdk 1.32', connectOlder],
  ['client 2.4 in mode legacy', connectCurrent],
])('%s, each request at another replica', (_name, connect) => {
  test('goes through a whole session: lists, calls, changes, cancellation, end (N2)', async () => {
    const client = await connect(url, TOKEN);
    for (let round = 0; round < 3; round += 1)
      expect(await client.tools()).toEqual(expect.arrayContaining(['steps', 'skill']));
    for (const replica of replicas) expect(await sessionsOf(replica)).toBeGreaterThan(0);

    const seen: number[] = [];
    const done = await client.call('steps', { count: 3 }, { onprogress: ({ progress }) => seen.push(progress) });
    expect([done.structuredContent, seen]).toEqual([{ count: 3 }, [1, 2, 3]]);
    expect(await client.resources()).toContain(URI);
    expect(JSON.stringify(await client.read(URI))).toContain('fault-guide');
    const [prompt = ''] = await client.prompts();
    expect(prompt).toBe('fault-guide');
    expect(JSON.stringify(await client.prompt(prompt))).toContain('fault-guide');

    await client.subscribe(URI);
    await expectToHear(client, ['tools', URI]);

    const cancel = new AbortController();
    const waiting = client.call('wait', {}, { signal: cancel.signal });
    await expect.poll(() => newestOf('wait')).toMatchObject({ status: 'running' });
    cancel.abort('enough');
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => newestOf('wait')).toMatchObject({ status: 'failed', failure_details: { cancelled: true } });

    await client.end();
    for (const replica of replicas) await expect.poll(() => ping(replica, client.sessionId)).toBe(404);
  });
});

test('of a session that is stored, nothing can be used (N2, THREATS)', async () => {
  const session = await openSession(url, '2025-11-25', AUTHORIZED);
  const rows = JSON.stringify(await queryPostgres(databaseUrl, 'SELECT * FROM repertoire_mcp_sessions'));
  expect(rows).toContain('contract-tests');
  expect(rows).not.toContain(session.id);
  expect(rows).not.toContain(TOKEN);
  expect(await session.end()).toBe(204);
});

test('kill -9 of one replica after another loses no session, and changes are heard (N2)', async () => {
  const clients = await Promise.all([connectOlder(url, TOKEN), connectCurrent(url, TOKEN)]);
  for (const client of clients) await client.subscribe(URI);
  for (const replica of replicas.slice(0, 2)) {
    await replica.kill();
    for (const client of clients) {
      for (let round = 0; round < 3; round += 1) expect(await client.tools()).toContain('steps');
      await expectToHear(client, ['tools', URI]);
    }
  }
  const last = replicas[2];
  for (const client of clients) {
    await client.end();
    expect(last && (await ping(last, client.sessionId))).toBe(404);
  }
});
