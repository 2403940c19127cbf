// Servers that lack something: the log, authentication, a good secret, the database. Each says so and keeps the rest.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { askModern } from '../../support/http-mcp-client.ts';
import { AccessWorld, expectFailure, expectRefusedResult, leaksIn, programPath, skillsRoot } from './access-world.ts';

const withoutLog = new AccessWorld();
const withoutAuth = new AccessWorld();
const withoutDatabase = new AccessWorld();
let adaId = '';

const logRoutes = [
  '/api/invocations',
  '/api/invocations/0198f0aa-1111-4222-8333-444455556666',
  '/api/loads',
  '/api/activity',
  '/api/uses',
  '/api/stats',
];
const documentRoutes = ['/api/documents', '/api/documents/release-notes', '/api/problems', '/api/search?q=release'];

beforeAll(async () => {
  const databaseUrl = `postgres://somebody:s3cret-word@127.0.0.1:${await closedPort()}/nothing`;
  await Promise.all([
    withoutLog.start([...withoutLog.dataOptions, '--no-log']),
    withoutAuth.start([...withoutAuth.dataOptions, '--no-auth']),
    withoutDatabase.start(['--database-url', databaseUrl]),
  ]);
  const { user_id } = await withoutAuth.give('user_creation', { email: 'ada@example.org', password: 'correct horse' });
  adaId = String(user_id);
});

afterAll(() => Promise.all([withoutLog, withoutAuth, withoutDatabase].map((world) => world.end())));

describe('--no-log', () => {
  test.each(logRoutes)('%s is 404 with a sentence that says why (H6)', async (path) => {
    const answer = await withoutLog.ask(path, { token: withoutLog.operator });
    expectFailure(answer, 404, 'NOT_FOUND');
    expect(answer.json.failure_message).toMatch(/--no-log|log is off|no log/i);
  });

  test('the log routes still ask who is there (H5, H6)', async () => {
    for (const path of logRoutes) expectFailure(await withoutLog.ask(path), 401, 'UNAUTHORIZED');
  });

  test('documents and typed skills work as ever (H6, D9)', async () => {
    const token = withoutLog.operator;
    for (const path of [...documentRoutes, '/ready', '/metrics'])
      expect([path, (await withoutLog.ask(path, { token })).status]).toEqual([path, 200]);
    const ran = await withoutLog.invoke(token, 'task_sequencing', { tasks: [{ id: 'a' }] });
    expect([ran.status, ran.json.success]).toEqual([200, true]);
  });
});

describe('--no-auth', () => {
  const as = (name: string, more: Record<string, string> = {}) => ({ 'x-invoking-agent': name, ...more });

  test('whoever comes is the operator, and says so in the log (H5)', async () => {
    expect(withoutAuth.server.token).toBeNull();
    const correlationId = randomUUID();
    const headers = { 'x-correlation-id': correlationId };
    const ran = await withoutAuth.invoke(null, 'task_sequencing', { tasks: [{ id: 'a' }] }, headers);
    expect(ran.status).toBe(200);
    expect(await withoutAuth.logged(correlationId)).toEqual(['task_sequencing by local: completed']);
  });

  test('X-Invoking-Agent is believed, and enforced (H5)', async () => {
    const correlationId = randomUUID();
    const headers = as('TaskAgent', { 'x-correlation-id': correlationId });
    const input = { user_id: adaId, title: 'By an agent' };
    expect((await withoutAuth.invoke(null, 'task_creation', input, headers)).status).toBe(200);
    expectRefusedResult(
      await withoutAuth.invoke(null, 'account_deletion', { user_id: adaId }, headers),
      403,
      'UNAUTHORIZED',
    );
    expect(await withoutAuth.logged(correlationId)).toEqual([
      'account_deletion by TaskAgent: failed',
      'task_creation by TaskAgent: completed',
    ]);
    for (const path of ['/api/invocations', '/api/loads', '/api/stats', '/metrics'])
      expectFailure(await withoutAuth.ask(path, { headers: as('TaskAgent') }), 403, 'UNAUTHORIZED');
  });

  test('X-Invoking-Agent is believed and enforced over MCP, too (H1, H5)', async () => {
    const params = { name: 'account_deletion', arguments: { user_id: adaId } };
    const reply = await askModern(withoutAuth.mcp, 'tools/call', params, { headers: as('TaskAgent') });
    expect(reply.text).toMatch(/UNAUTHORIZED/);
    const rows = await withoutAuth.give('task_retrieval', { user_id: adaId });
    expect(rows.total_count).toBeTypeOf('number');
  });

  test('a bad credential is 401 all the same (H5)', async () => {
    for (const token of ['nobody', `rpa_${'A'.repeat(43)}`, `rpo_${'A'.repeat(43)}`])
      expectFailure(await withoutAuth.ask('/api/documents', { token }), 401, 'UNAUTHORIZED');
  });

  test('Host and Origin are checked all the same (H4)', async () => {
    for (const headers of [{ host: 'evil.example' }, { origin: 'http://evil.example' }, { origin: 'null' }])
      expectFailure(await withoutAuth.ask('/api/documents', { headers }), 403, 'UNAUTHORIZED');
  });
});

describe('a start that would not be safe', () => {
  const beyond = ['0.0.0.0', '::', '192.0.2.1', 'example.org'];
  test.each(beyond)('--no-auth on %s is wrong usage: exit 2 and a sentence (H5, C)', async (host) => {
    const { code, stdout, stderr } = await refusedStart(['--no-auth', '--host', host]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/--no-auth/);
    expect(leaksIn(stderr)).toEqual([]);
  });

  test.each(['x'.repeat(31), 'x', `${'é'.repeat(15)}x`])(
    'the secret "%s" is too short: no start (B2)',
    async (secret) => {
      const { code, stdout, stderr } = await refusedStart([], { REPERTOIRE_SECRET: secret });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/REPERTOIRE_SECRET/);
      if (secret.length > 1) expect(stderr).not.toContain(secret);
    },
  );
});

describe('a database that is away', () => {
  const ask = (path: string, token: string | null = withoutDatabase.operator) => withoutDatabase.ask(path, { token });

  test('serve starts, and says so (H6)', () => {
    expect(withoutDatabase.server.store.state).toBe('unavailable');
  });

  test('documents are served, over HTTP and MCP (H6, F1)', async () => {
    for (const path of [...documentRoutes, '/api/typed-skills', '/api/openai/tools', '/health'])
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    const headers = { authorization: `Bearer ${withoutDatabase.operator}` };
    const params = { name: 'skill', arguments: { name: 'release-notes' } };
    const reply = await askModern(withoutDatabase.mcp, 'tools/call', params, { headers });
    expect(reply.text).toContain('Loading: release-notes');
  });

  test('/ready is 503 with reasons, to nobody too (H6)', async () => {
    const answer = await ask('/ready', null);
    expect([answer.status, answer.json.status]).toEqual([503, 'degraded']);
    expect((answer.json.reasons as readonly string[]).length).toBeGreaterThan(0);
  });

  test.each(logRoutes)('%s is 503 (H6)', async (path) => {
    expectFailure(await ask(path), 503, 'PERSISTENCE_ERROR');
  });

  test('a skill that keeps something is 503 (H6, X4)', async () => {
    const input = { user_id: randomUUID(), title: 'Nowhere to go' };
    const answer = await withoutDatabase.invoke(withoutDatabase.operator, 'task_creation', input);
    expectRefusedResult(answer, 503, 'PERSISTENCE_ERROR');
  });

  test('who cannot be known now is 503, never let in; nobody is 401 (H5, H6)', async () => {
    expectFailure(await ask('/api/documents', `rpa_${'A'.repeat(43)}`), 503, 'PERSISTENCE_ERROR');
    expectFailure(await ask('/api/documents', null), 401, 'UNAUTHORIZED');
    expectFailure(await ask('/api/documents', `rpo_${'A'.repeat(43)}`), 401, 'UNAUTHORIZED');
  });

  test('no answer says where the database is or how it is reached (H3, T9)', () => {
    const failed = withoutDatabase.answers.filter(({ answer }) => answer.status >= 400);
    const telling = failed.filter(({ answer }) => {
      return leaksIn(answer.text).length > 0 || /s3cret-word|somebody|postgres:/.test(answer.text);
    });
    expect(telling.map(({ asked, answer }) => [asked, answer.text])).toEqual([]);
    expect(withoutDatabase.server.stderr()).not.toContain('s3cret-word');
  });
});

/** A start that has to fail; one that does not is ended with the test. */
async function refusedStart(options: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const words = [programPath, 'serve', '--port', '0', '--json', '--root', skillsRoot, ...withoutLog.dataOptions];
  const env = { ...withoutLog.environment, ...more };
  const child = spawn(process.execPath, [...words, ...options], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk;
    child.kill('SIGTERM'); // It listens: that is the failure.
  });
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code: code as number | null, ...said };
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  server.close();
  await once(server, 'close');
  return port;
}
