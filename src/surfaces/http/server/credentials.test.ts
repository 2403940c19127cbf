// Who is let in: without a token nobody that a proxy passed on, and with a session whoever its token lets in (H5).
import { describe, expect, test } from 'vitest';
import type { AgentStore } from '../../../identity/agents.ts';
import { createAuthenticator } from '../../../identity/authenticator.ts';
import { createDashboardSessions } from '../../../identity/dashboard-sessions.ts';
import { testPerson } from '../../../identity/fixtures/test-person.ts';
import { createAgent } from '../../../identity/new-agent.ts';
import { createUserTokens } from '../../../identity/user-tokens.ts';
import { createMemoryAgentStore } from '../../../store/fixtures/memory-identities.ts';
import { fail } from '../../../values/result.ts';
import { StoreUnavailable } from '../../../values/store-unavailable.ts';
import { OPERATOR_TOKEN, openTestServer, testSessions } from '../fixtures/open-test-server.ts';
import { stopClock } from '../fixtures/stop-clock.ts';
import { createCredentialsReader } from './credentials.ts';

test('with --no-auth a proxy stands for nobody (H5)', async () => {
  const { authenticate } = createAuthenticator({
    operatorToken: undefined,
    agents: undefined,
    verifyUser: async () => fail('bad'),
    people: { find: async () => undefined },
    noAuth: true,
    now: () => new Date(),
    monotonicMs: () => 0,
  });
  const server = await openTestServer({ authenticate });
  expect((await fetch(`${server.url}/api/x`)).status).toBe(200);
  const passedOn = await fetch(`${server.url}/api/x`, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
  expect(passedOn.status).toBe(401);
});

test('a token is none in the cookie, and a session is none in the header (H5)', async () => {
  const server = await openTestServer();
  const status = async (headers: Record<string, string>) => (await fetch(`${server.url}/api/x`, { headers })).status;
  const session = await testSessions.seal(OPERATOR_TOKEN);
  const name = `repertoire_session_${server.port}`;
  expect(await status({ Cookie: `${name}=${session}` })).toBe(200);
  expect(await status({ Cookie: `${name}=${OPERATOR_TOKEN}` })).toBe(401);
  expect(await status({ Authorization: `Bearer ${session}` })).toBe(401);
  expect(await status({ Authorization: `Bearer ${session}`, Cookie: `${name}=${session}` })).toBe(401);
  expect(JSON.stringify(server.events)).not.toContain(session);
});

test('a cookie of our name that another server of this machine has put before ours keeps nobody out (H5)', async () => {
  const server = await openTestServer();
  const name = `repertoire_session_${server.port}`;
  const status = async (...values: readonly string[]) => {
    const headers = { Cookie: values.map((value) => `${name}=${value}`).join('; ') };
    return (await fetch(`${server.url}/api/x`, { headers })).status;
  };
  const session = await testSessions.seal(OPERATOR_TOKEN);
  expect(await status('rubbish', session)).toBe(200);
  expect(await status(session, 'rubbish')).toBe(200);
  expect(await status('rubbish', 'rubbish')).toBe(401);
});

test.each(['EVIL:7337', 'evil:7337', '[::1', '::1:7337', 'localhost:', 'localhost:7337:1', 'localhost:7337, evil', ''])(
  'a session for the Host %j is none: no such request comes in (H4, H5)',
  async (host) => {
    const server = await openTestServer();
    const session = await testSessions.seal(OPERATOR_TOKEN);
    const cookie = ['', '_7337', '_1', `_${server.port}`]
      .map((port) => `repertoire_session${port}=${session}`)
      .join('; ');
    const head = `GET /api/x HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`;
    expect(await server.sendRaw(head)).toMatch(/^HTTP\/1.1 403 /);
  },
);

test('bad sessions are guessed as slowly as bad tokens, and keep no good one out (H5)', async () => {
  stopClock();
  const server = await openTestServer();
  const ask = async (value: string) => {
    const headers = { Cookie: `repertoire_session_${server.port}=${value}`, 'X-Forwarded-For': '203.0.113.7' };
    return (await fetch(`${server.url}/api/x`, { headers })).status;
  };
  const good = await testSessions.seal(OPERATOR_TOKEN);
  expect(await ask(good)).toBe(200);
  const statuses = new Set<number>();
  for (let count = 0; count < 70; count += 1) statuses.add(await ask(`rps_${'A'.repeat(100)}`));
  expect([...statuses]).toEqual([401, 429]);
  expect(await ask(good)).toBe(200);
});

describe('a session is good as long as its token (H5)', () => {
  test("an agent's ends when the agent is revoked or its token expires", async () => {
    const world = await openWorld();
    const [revoked, expiring] = await Promise.all([world.addAgent('revoked'), world.addAgent('expiring', 3_600_000)]);
    expect(await Promise.all([world.enter(revoked), world.enter(expiring)])).toEqual(['revoked', 'expiring']);
    await world.agents.revoke('revoked', world.now(), 'local');
    world.pass(10_000);
    expect(await Promise.all([world.enter(revoked), world.enter(expiring)])).toEqual(['bad', 'expiring']);
    world.pass(3_600_000);
    expect(await world.enter(expiring)).toBe('bad');
  });

  test("the operator's ends with a new token, also where sessions are sealed with another secret", async () => {
    const world = await openWorld();
    const session = await world.sessions.seal(OPERATOR);
    expect(await world.enter(session)).toBe('local');
    expect(await world.enter(session, `${OPERATOR}x`)).toBe('bad');
  });

  test("a user's does not outlive its token", async () => {
    const world = await openWorld();
    const claims = { userId: USER, email: 'a@b.example', scopes: [] };
    const { token } = await world.userTokens.issue(claims, 3_600);
    const session = await world.sessions.seal(token);
    expect(await world.enter(session)).toBe(USER);
    world.pass(3_600_000);
    expect(await world.enter(session)).toBe('bad');
  });

  test('whoever was known stays known while the database is away (F1, H6)', async () => {
    const world = await openWorld();
    const [known, unknown] = await Promise.all([world.addAgent('known'), world.addAgent('unknown')]);
    await world.enter(known);
    world.goAway();
    world.pass(60_000);
    expect(await world.enter(known)).toBe('known');
    expect(await world.enter(unknown)).toBe('unavailable');
    expect(await world.enter(await world.sessions.seal(OPERATOR))).toBe('local');
  });
});

const OPERATOR = `rpo_${'o'.repeat(43)}`;
const USER = '550e8400-e29b-41d4-a716-446655440000';

/** Everything that says who brings a cookie, with a clock and a store of its own. */
async function openWorld() {
  let at = Date.UTC(2026, 0, 1);
  let isAway = false;
  const now = () => new Date(at);
  const agents = createMemoryAgentStore();
  const findByDigest: AgentStore['findByDigest'] = async (digest) => {
    if (isAway) throw new StoreUnavailable('away');
    return agents.findByDigest(digest);
  };
  const created = createUserTokens({ signingSecret: 's'.repeat(32), secrets: undefined, now });
  if (!created.ok) throw new Error(created.failure);
  const userTokens = created.value;
  const authenticatorOf = (operatorToken: string) =>
    createAuthenticator({
      operatorToken,
      agents: { findByDigest, noteUse: agents.noteUse },
      verifyUser: userTokens.verify,
      people: { find: async (id) => testPerson({ id }) },
      noAuth: false,
      now,
      monotonicMs: () => at,
    }).authenticate;
  const authenticate = authenticatorOf(OPERATOR);
  const sessions = createDashboardSessions({ secret: 's'.repeat(32), now });
  const read = createCredentialsReader(sessions.unseal);
  return {
    agents,
    userTokens,
    sessions,
    now,
    pass: (ms: number) => {
      at += ms;
    },
    goAway: () => {
      isAway = true;
    },
    /** The session of a new agent. */
    addAgent: async (name: string, ms?: number) => {
      const expiresAt = ms === undefined ? undefined : new Date(at + ms);
      const { agent, token } = createAgent({ name, roles: [], scopes: [], expiresAt }, now());
      await agents.add(agent, 'local');
      return sessions.seal(token);
    },
    /** The name of the caller, or why the session is refused. */
    enter: async (session: string, operatorToken = OPERATOR) => {
      const credentials = await read({ headers: { host: 'h:1', cookie: `repertoire_session_1=${session}` } }, false);
      if (credentials === 'malformed') return credentials;
      const found = await (operatorToken === OPERATOR ? authenticate : authenticatorOf(operatorToken))(credentials);
      return found.ok ? found.value.name : found.failure;
    },
  };
}
