// Who may do what of the dashboard's API, caller by caller, and that pages of others may do nothing (H4, H5).
import { expect, test } from 'vitest';
import { LOCAL_OPERATOR } from '../../src/identity/caller.ts';
import {
  type Asking,
  CALLERS,
  type Dashboard,
  openDashboard,
  type TestCaller,
} from '../../src/surfaces/http/fixtures/open-dashboard.ts';
import { ok } from '../../src/values/result.ts';

type Statuses = Readonly<Record<TestCaller, number>>;

const everybody = (status: number): Statuses =>
  ({ operator: status, reader: status, agent: status, user: status, nobody: status }) as const;

const KNOWN: Statuses = { ...everybody(200), nobody: 401 };
const READERS: Statuses = { operator: 200, reader: 200, agent: 403, user: 403, nobody: 401 };
const operatorAlone = (status: number): Statuses => ({ ...everybody(403), operator: status, nobody: 401 });

const CASES: readonly (readonly [string, string, Asking, Statuses])[] = [
  ['GET', '/api/me', {}, KNOWN],
  ['GET', '/api/overview', {}, READERS],
  ['HEAD', '/api/events', { method: 'HEAD' }, READERS],
  ['GET', '/api/agents', {}, operatorAlone(200)],
  ['POST', '/api/agents', { body: { name: 'new' } }, operatorAlone(201)],
  ['DELETE', '/api/agents/reader', { method: 'DELETE' }, operatorAlone(200)],
  ['DELETE', '/api/session', { method: 'DELETE' }, everybody(204)],
  ['POST', '/api/session', { body: { token: 'rpo_none' } }, everybody(401)],
  ['GET', '/', {}, everybody(200)],
];

test.each(CASES)('%s %s answers each kind of caller as it should (H5)', async (_method, target, asking, statuses) => {
  const { ask } = await openDashboard();
  // The operator last: what it takes away would change the answers of others.
  for (const as of [...CALLERS].reverse()) {
    const { status } = await ask(target, { ...asking, as });
    expect([as, status]).toEqual([as, statuses[as]]);
  }
});

test.each(CALLERS.filter((caller) => caller !== 'nobody'))(
  'a session of the kind "%s" may what its token may (H5)',
  async (caller) => {
    const dashboard = await openDashboard();
    const Cookie = await signIn(dashboard, dashboard.tokens[caller]);
    const me = await dashboard.ask('/api/me', { as: 'nobody', headers: { Cookie } });
    expect(await me.json()).toMatchObject({
      kind: caller === 'reader' ? 'agent' : caller,
      is_operator: caller === 'operator',
      may_read_log: caller === 'operator' || caller === 'reader',
      may_read_trail: caller === 'operator',
      may_decide_runs: caller === 'operator',
    });
    const agents = await dashboard.ask('/api/agents', { as: 'nobody', headers: { Cookie } });
    expect(agents.status).toBe(caller === 'operator' ? 200 : 403);
  },
);

test('what came beside the token does not count when a session is opened (H5)', async () => {
  const { ask, tokens, server } = await openDashboard();
  const headers = { Cookie: `repertoire_session_${server.port}=stale`, Authorization: 'Bearer stale' };
  expect((await ask('/api/session', { as: 'nobody', body: { token: tokens.reader }, headers })).status).toBe(204);
  expect((await ask('/api/session', { body: { token: 'rpa_none' } })).status).toBe(401);
});

test('without authentication a bad token opens no session either (H5)', async () => {
  const { ask } = await openDashboard({ noAuth: true });
  expect((await ask('/api/session', { as: 'nobody', body: { token: 'rpo_none' } })).status).toBe(401);
  const me = await ask('/api/me', { as: 'nobody' });
  expect(await me.json()).toMatchObject({ kind: 'operator', authentication: 'off' });
});

test('tokens are guessed over the session as slowly as in a header (H5)', async () => {
  const { ask } = await openDashboard();
  const headers = { 'X-Forwarded-For': '203.0.113.7' };
  const guess = () => ask('/api/session', { as: 'nobody', body: { token: 'rpo_guess' }, headers });
  const statuses = new Set<number>();
  for (let count = 0; count < 70; count += 1) statuses.add((await guess()).status);
  expect([...statuses]).toEqual([401, 429]);
});

test('a token that can be no header becomes no cookie, whoever it may belong to (H5)', async () => {
  const { ask } = await openDashboard({ server: { authenticate: () => ok(LOCAL_OPERATOR) } });
  for (const token of ['a; Path=/x', 'a\r\nSet-Cookie: b=c', 'ü', ' ']) {
    const answer = await ask('/api/session', { as: 'nobody', body: { token } });
    expect([token, answer.status, answer.headers.get('set-cookie')]).toEqual([token, 401, null]);
  }
});

test.each([
  ['not JSON', '{'],
  ['no object', '"token"'],
  ['without a token', '{}'],
  ['with more than a token', '{"token":"a","next":"b"}'],
  ['empty', ''],
])('a session is refused to a body that is %s (H3)', async (_what, body) => {
  const { ask } = await openDashboard();
  const answer = await ask('/api/session', { as: 'nobody', body });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([400, null]);
});

test('a session is refused to a body that is no token any more (H3)', async () => {
  const { ask } = await openDashboard();
  const answer = await ask('/api/session', { as: 'nobody', body: { token: 'a'.repeat(10_000) } });
  expect(answer.status).toBe(413);
});

test('the cookie is out of reach for scripts and other sites, and behind TLS for plain text (H5)', async () => {
  const { ask, tokens, server } = await openDashboard();
  const cookieOf = async (headers: Record<string, string>) =>
    (await ask('/api/session', { as: 'nobody', body: { token: tokens.operator }, headers })).headers
      .get('set-cookie')
      ?.replace(/=rps_[\w.-]+/, '=…');
  const cookie = `repertoire_session_${server.port}=…; HttpOnly; SameSite=Strict; Path=/; Max-Age=604800`;
  expect(await cookieOf({})).toBe(cookie);
  expect(await cookieOf({ 'X-Forwarded-Proto': 'https' })).toBe(`${cookie}; Secure`);
  expect(await cookieOf({ 'X-Forwarded-Proto': 'http' })).toBe(cookie);
  const closed = await ask('/api/session', { as: 'nobody', method: 'DELETE' });
  const gone = `repertoire_session_${server.port}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`;
  expect(closed.headers.get('set-cookie')).toBe(gone);
});

// What a page of somebody else can make a browser send along with the cookie of ours.
const FORGED: readonly (readonly [string, Asking, number])[] = [
  ['an origin of another site', { headers: { Origin: 'http://evil.example' } }, 403],
  ['another port of this machine', { headers: { Origin: 'http://127.0.0.1:1' } }, 403],
  ['an origin that is hidden', { headers: { Origin: 'null' } }, 403],
  ['a form', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 415],
  ['text that looks like JSON', { headers: { 'Content-Type': 'text/plain' } }, 415],
  ['a page of the same site but another origin', { headers: { 'Sec-Fetch-Site': 'same-site' } }, 401],
  ['a page of another site', { headers: { 'Sec-Fetch-Site': 'cross-site' } }, 403],
];

test.each(FORGED)('adding an agent by %s is refused, cookie or not (H4)', async (_how, { headers = {} }, status) => {
  const dashboard = await openDashboard();
  const Cookie = await signIn(dashboard, dashboard.tokens.operator);
  const answer = await dashboard.ask('/api/agents', {
    as: 'nobody',
    body: '{"name":"forged"}',
    headers: { Cookie, ...headers },
  });
  expect(answer.status).toBe(status);
  expect((await dashboard.store.agents.list()).map(({ name }) => name)).toEqual(['agent', 'reader']);
});

test('the dashboard itself may (H4)', async () => {
  const dashboard = await openDashboard();
  const Cookie = await signIn(dashboard, dashboard.tokens.operator);
  const headers = { Cookie, Origin: dashboard.server.url, 'Sec-Fetch-Site': 'same-origin' };
  expect((await dashboard.ask('/api/agents', { as: 'nobody', body: { name: 'mine' }, headers })).status).toBe(201);
});

test.each(FORGED.slice(0, 5))('nobody is signed in or out by %s (H4)', async (_how, { headers = {} }, status) => {
  const { ask, tokens } = await openDashboard();
  const asking = { as: 'nobody', headers } as const;
  const opened = await ask('/api/session', { ...asking, body: JSON.stringify({ token: tokens.agent }) });
  expect([opened.status, opened.headers.get('set-cookie')]).toEqual([status, null]);
  if (status !== 403) return;
  const closed = await ask('/api/session', { ...asking, method: 'DELETE' });
  expect([closed.status, closed.headers.get('set-cookie')]).toEqual([403, null]);
});

test('no answer lets another origin in (H4)', async () => {
  const { ask, server } = await openDashboard();
  for (const target of ['/', '/api/me', '/api/overview', '/api/agents', '/api/session']) {
    const { headers } = await ask(target, { headers: { Origin: server.url } });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
  expect((await ask('/api/agents', { method: 'OPTIONS', as: 'nobody' })).status).toBe(405);
});

async function signIn({ ask }: Dashboard, token: string): Promise<string> {
  const answer = await ask('/api/session', { as: 'nobody', body: { token } });
  expect(answer.status).toBe(204);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
