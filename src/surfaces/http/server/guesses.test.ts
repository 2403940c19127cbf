// Bad credentials are counted, and refused more and more shortly; good ones are let in, whatever others try (H5).
import { describe, expect, test } from 'vitest';
import type { Authenticate } from '../../../identity/authentication.ts';
import { fail } from '../../../values/result.ts';
import {
  AGENT_TOKEN,
  authenticateTests,
  OPERATOR_TOKEN,
  openTestServer,
  type TestServer,
  testSessions,
} from '../fixtures/open-test-server.ts';
import { stopClock } from '../fixtures/stop-clock.ts';

/** As a proxy on this machine passes it on. */
const PASSED_ON = { 'X-Forwarded-For': '192.0.2.7' };

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}`, ...PASSED_ON } });
const cookie = (server: TestServer, value: string) => ({
  headers: { Cookie: `repertoire_session_${server.port}=${value}`, ...PASSED_ON },
});
const signIn = (token: string) => ({
  method: 'POST',
  body: JSON.stringify({ token }),
  headers: { 'Content-Type': 'application/json', ...PASSED_ON },
});

const WELL_FORMED = `rpa_${'x'.repeat(43)}`;
const JWT = `${'e'.repeat(20)}.${'e'.repeat(20)}.${'e'.repeat(43)}`;

type Attempt = readonly [what: string, path: string, init: (server: TestServer) => RequestInit];

const BAD: readonly Attempt[] = [
  ['a word', '/api/x', () => bearer('guess')],
  ["an agent's token", '/mcp', () => bearer(WELL_FORMED)],
  ["an operator's token", '/api/x', () => bearer(`rpo_${'x'.repeat(43)}`)],
  ["a user's token", '/api/x', () => bearer(JWT)],
  ['no token', '/api/x', () => ({ headers: { Authorization: 'Basic eDp4', ...PASSED_ON } })],
  ['a sign-in', '/api/session', () => signIn(WELL_FORMED)],
  ['a sign-in with no token', '/api/session', () => signIn('ü')],
  ['a session', '/api/x', (server) => cookie(server, 'rps_rubbish')],
];

const ask = async (server: TestServer, [, path, init]: Attempt) => {
  const answer = await fetch(`${server.url}${path}`, init(server));
  await answer.arrayBuffer();
  return answer;
};

const failOften = async (server: TestServer, attempt: Attempt, times = 61) => {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) statuses.push((await ask(server, attempt)).status);
  return statuses;
};

describe('bad credentials', () => {
  test.each(BAD)('are told to wait after 60 in a minute: %s (H5, A3)', async (...attempt) => {
    stopClock();
    const server = await openTestServer();
    expect(await failOften(server, attempt, 60)).toEqual(Array(60).fill(401));
    const late = await ask(server, attempt);
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '60']);
  });

  test('of every kind count together, and asking without one does not count (A3)', async () => {
    stopClock();
    const server = await openTestServer();
    for (let count = 0; count < 70; count += 1) {
      expect((await fetch(`${server.url}/api/x`, { headers: PASSED_ON })).status).toBe(401);
    }
    const statuses: number[] = [];
    for (let count = 0; count < 61; count += 1) {
      statuses.push((await ask(server, BAD[count % BAD.length] as Attempt)).status);
    }
    expect(statuses).toEqual([...Array(60).fill(401), 429]);
    expect((await fetch(`${server.url}/api/x`, { headers: PASSED_ON })).status).toBe(401);
  });

  test('that cannot be told now do not count (H6, A3)', async () => {
    stopClock();
    const server = await openTestServer({ authenticate: async () => fail('unavailable') });
    expect(new Set(await failOften(server, BAD[1] as Attempt, 70))).toEqual(new Set([503]));
  });
});

describe('a good credential, new to the process, is let in at an address from which bad ones come', () => {
  const GOOD: readonly Attempt[] = [
    ["the operator's token", '/api/x', () => bearer(OPERATOR_TOKEN)],
    ["an agent's token", '/mcp', () => bearer(AGENT_TOKEN)],
    ['a sign-in', '/api/session', () => signIn(OPERATOR_TOKEN)],
  ];

  test.each(GOOD)('%s (A3)', async (...attempt) => {
    stopClock();
    const server = await openTestServer();
    expect((await failOften(server, BAD[0] as Attempt)).at(-1)).toBe(429);
    expect((await ask(server, attempt)).status).toBe(200);
  });

  test('a session (A3)', async () => {
    stopClock();
    const server = await openTestServer();
    const session = await testSessions.seal(OPERATOR_TOKEN);
    expect((await failOften(server, BAD[7] as Attempt)).at(-1)).toBe(429);
    expect((await ask(server, ['', '/api/x', () => cookie(server, session)])).status).toBe(200);
  });

  test('also while it takes long to find out whose it is (A3)', async () => {
    stopClock();
    const slowly: Authenticate = async (credentials) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return authenticateTests(credentials);
    };
    const server = await openTestServer({ authenticate: slowly });
    const guesses = Promise.all(Array.from({ length: 100 }, () => ask(server, BAD[1] as Attempt)));
    const known = await Promise.all(
      [OPERATOR_TOKEN, AGENT_TOKEN].map((token) => fetch(`${server.url}/api/x`, bearer(token))),
    );
    expect(known.map(({ status }) => status)).toEqual([200, 200]);
    const statuses = (await guesses).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    expect((await fetch(`${server.url}/api/x`, bearer(AGENT_TOKEN))).status).toBe(200);
  });
});
