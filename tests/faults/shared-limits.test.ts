// Limits over three servers of the built program on one PostgreSQL, behind a load balancer (N1, N7).
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { createDatabase, makeTables, type PostgresPlace, queryPostgres } from '../support/postgres-database.ts';
import { type RoundRobin, startRoundRobin } from '../support/round-robin.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';

const OPERATOR = `rpo_${'limits'.repeat(7)}`;
const library = fileURLToPath(new URL('../../dist/lib/skills.js', import.meta.url));

const CONFIG = `
import { defineSkill } from ${JSON.stringify(library)};
const common = { description: 'For a test.', category: 'execution', assignedTo: ['TaskAgent'] };
const fields = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export default {
  skills: [
    defineSkill({ ...common, name: 'nap', input: fields({ ms: { type: 'integer' } }), output: fields({ ms: { type: 'integer' } }),
      timeoutSeconds: 120, limits: { atOnce: 4 }, run: async ({ ms }) => { await sleep(ms); return { ms }; } }),
    defineSkill({ ...common, name: 'rare', input: fields({}), output: fields({}), limits: { perMinute: 7 }, run: async () => ({}) }),
  ],
};
`;

const DOCUMENT = '---\nname: limit-guide\ndescription: What to read in a test of limits.\n---\n# Steps\n\nGo on.\n';

let folder: string;
let postgres: TestPostgres;
let place: PostgresPlace;
let replicas: ServeProcess[] = [];
let balancer: RoundRobin;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-limits-'));
  mkdirSync(join(folder, 'skills/limit-guide'), { recursive: true });
  writeFileSync(join(folder, 'skills/limit-guide/SKILL.md'), DOCUMENT);
  writeFileSync(join(folder, 'limits.config.mjs'), CONFIG);
  postgres = await startPostgres();
  place = await createDatabase(postgres);
  await makeTables(place);
  const options = [
    '--root',
    join(folder, 'skills'),
    '--config',
    join(folder, 'limits.config.mjs'),
    '--database-url',
    place.url,
  ];
  const environment = { PATH: process.env.PATH, HOME: folder, REPERTOIRE_OPERATOR_TOKEN: OPERATOR };
  replicas = await Promise.all([1, 2, 3].map(() => startServeProcess([...options, '--builtin', 'all'], environment)));
  balancer = await startRoundRobin(replicas.map(({ url }) => url));
});

afterAll(async () => {
  await balancer?.close();
  await Promise.all(replicas.map(({ kill }) => kill()));
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

interface Answer {
  readonly status: number;
  readonly retryAfter: number;
  readonly text: string;
}

/** Through the load balancer, unless a port says otherwise. */
function ask(token: string, path: string, body?: object, port = Number(new URL(balancer.url).port)): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host: '127.0.0.1', port, path, method: body ? 'POST' : 'GET', headers });
    asked.once('error', reject).once('response', async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode ?? 0, retryAfter: Number(response.headers['retry-after']), text });
    });
    asked.end(body && JSON.stringify(body));
  });
}

async function addAgent(): Promise<string> {
  const { status, text } = await ask(OPERATOR, '/api/agents', {
    name: `agent-${randomUUID()}`,
    roles: ['TaskAgent', 'AuthAgent'],
  });
  if (status !== 201) throw new Error(`Cannot add an agent: ${status} ${text}`);
  return (JSON.parse(text) as { readonly token: string }).token; // the API says so
}

const statusesOf = (answers: readonly Answer[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))]
      .sort()
      .map((each) => [each, answers.filter(({ status }) => status === each).length]),
  );

const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));

/** What is left of a minute when all was sent: a slow machine may need longer than one for them, and then more pass. */
async function hammer(count: number) {
  const token = await addAgent();
  const began = performance.now();
  const answers = await times(count, async () => ({
    ...(await ask(token, '/api/documents')),
    ms: performance.now() - began,
  }));
  return { token, answers, early: answers.filter(({ ms }) => ms < 60_000) };
}

test.each([900, 2_000])(
  '%i requests as fast as can be over three replicas: 600 pass, within 5 percent (N1)',
  async (count) => {
    const { token, answers, early } = await hammer(count);
    const passed = early.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(570);
    expect(passed).toBeLessThanOrEqual(630);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(statusesOf(refused)).toEqual({ 429: refused.length });
    for (const { retryAfter } of refused) {
      expect(retryAfter).toBeGreaterThanOrEqual(1);
      expect(retryAfter).toBeLessThanOrEqual(60);
    }
    // The operator has no limit, other agents have their own.
    expect((await ask(OPERATOR, '/api/documents')).status).toBe(200);
    expect((await ask(await addAgent(), '/api/documents')).status).toBe(200);
    expect(token).toBeTruthy();
  },
);

test('the messages of a batch count over all replicas (N1)', async () => {
  const token = await addAgent();
  const [first, second] = replicas;
  const open = async (port: number) => {
    const initialize = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'limits', version: '1' } },
    };
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(initialize),
    });
    await response.text();
    const session = response.headers.get('mcp-session-id') ?? '';
    return (count: number) =>
      fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'Mcp-Session-Id': session,
        },
        body: JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
      }).then(async (answer) => ({ status: answer.status, text: await answer.text() }));
  };
  const [sendFirst, sendSecond] = [await open(first?.port ?? 0), await open(second?.port ?? 0)];
  for (const send of [sendFirst, sendSecond, sendFirst, sendSecond, sendFirst])
    expect((await send(100)).status).toBe(200);
  expect(await sendSecond(100)).toMatchObject({
    status: 429,
    text: expect.stringContaining('each message of a batch counts'),
  });
});

test('perMinute of a skill holds exactly over all replicas (N1)', async () => {
  const token = await addAgent();
  expect(statusesOf(await times(40, () => ask(token, '/api/typed-skills/rare/invoke', {})))).toEqual({
    200: 7,
    429: 33,
  });
});

test('ten tries at the password of an email, over all replicas, however it is written (N1)', async () => {
  const token = await addAgent();
  const email = `${randomUUID()}@example.org`;
  let index = 0;
  const attempt = () =>
    ask(token, '/api/typed-skills/credential_validation/invoke', {
      email: index++ % 2 === 0 ? email : email.toUpperCase(),
      password: 'wrong',
    });
  const answers = await times(30, attempt);
  expect(statusesOf(answers)).toEqual({ 200: 10, 429: 20 });
  const rows = await queryPostgres(place.url, 'SELECT key FROM repertoire_minutes');
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain('example.org');
});

test('atOnce holds over all replicas; the places of one that is killed are free within 10 s (N1)', async () => {
  const nap = (ms: number, port?: number) => ask(OPERATOR, '/api/typed-skills/nap/invoke', { ms }, port);
  expect(statusesOf(await times(12, () => nap(5_000)))).toEqual({ 200: 4, 429: 8 });
  const victim = replicas[2];
  if (victim === undefined) throw new Error('There are three');
  // All four places are held by one that dies.
  const hold = async () => {
    // That a place is free again is told a moment after the answer.
    while ((await nap(100_000, victim.port)).status === 429);
  };
  const lost = Promise.allSettled(Array.from({ length: 4 }, hold));
  await expect.poll(async () => (await nap(0, replicas[0]?.port)).status).toBe(429);
  await victim.kill();
  await lost;
  // Not at once: it might have been slow only.
  expect((await nap(0)).status).toBe(429);
  await expect.poll(async () => (await nap(0)).status).toBe(200);
  await expect.poll(async () => statusesOf(await times(6, () => nap(3_000)))).toEqual({ 200: 4, 429: 2 });
});

test('/metrics says whether limits are shared; with the database away they are local, at once, and back by themselves (N1, N7)', async () => {
  const [one] = replicas;
  if (one === undefined) throw new Error('There is one');
  const shared = async () =>
    /^repertoire_limits_shared (\d)$/m.exec((await ask(OPERATOR, '/metrics', undefined, one.port)).text)?.[1];
  const token = await addAgent();
  expect((await ask(token, '/api/documents', undefined, one.port)).status).toBe(200);
  expect(await shared()).toBe('1');
  await postgres.halt();
  await expect
    .poll(async () => {
      await ask(token, '/api/documents', undefined, one.port);
      return await shared();
    })
    .toBe('0');
  const began = performance.now();
  const answers = await times(900, async () => ({
    ...(await ask(token, '/api/documents', undefined, one.port)),
    ms: performance.now() - began,
  }));
  const passed = answers.filter(({ status }) => status === 200);
  expect(passed.length).toBeGreaterThan(300);
  // Of a minute: a slow machine may need longer than that for all of them.
  expect(passed.filter(({ ms }) => ms < 60_000).length).toBeLessThanOrEqual(600);
  await postgres.start();
  await expect.poll(shared).toBe('1');
});
