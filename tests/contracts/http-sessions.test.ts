// The dashboard's session over HTTP: two servers and one browser, forged cookies, the end and the renewal (H5).
import { expect, test } from 'vitest';
import { LOCAL_OPERATOR } from '../../src/identity/caller.ts';
import { createDashboardSessions } from '../../src/identity/dashboard-sessions.ts';
import { type Dashboard, openDashboard } from '../../src/surfaces/http/fixtures/open-dashboard.ts';
import { ok } from '../../src/values/result.ts';
import { createCookieJar } from '../support/cookie-jar.ts';

const DAY_MS = 86_400_000;

test('two servers on one machine leave each other signed in (H5)', async () => {
  const servers = await Promise.all([openWith('one'), openWith('two')]);
  const jar = createCookieJar();
  for (const { server, tokens } of servers) expect(await jar.signIn(server.url, tokens.reader)).toBe(204);
  expect(jar.names()).toEqual(servers.map(({ server }) => `repertoire_session_${server.port}`));
  for (const { server } of servers) expect((await jar.ask(`${server.url}/api/me`)).status).toBe(200);
  const [one, two] = servers;
  await jar.ask(`${one.server.url}/api/session`, { method: 'DELETE' });
  expect((await jar.ask(`${one.server.url}/api/me`)).status).toBe(401);
  expect((await jar.ask(`${two.server.url}/api/me`)).status).toBe(200);
});

test('no token is in what the browser keeps (H5)', async () => {
  const { server, tokens } = await openDashboard();
  const jar = createCookieJar();
  for (const token of Object.values(tokens)) {
    await jar.signIn(server.url, token);
    const kept = jar.text();
    const decoded = Buffer.from(kept.split('rps_')[1] ?? '', 'base64url').toString('latin1');
    expect(kept + decoded).not.toContain(token.slice(4, 16));
  }
});

test('a cookie that is bad is refused, also where none is needed (H5)', async () => {
  const open = await openDashboard({ noAuth: true });
  const other = createDashboardSessions({ secret: 'other', now: () => new Date() });
  for (const value of ['x', open.tokens.operator, open.tokens.agent, await other.seal(open.tokens.operator)]) {
    const headers = { Cookie: `repertoire_session_${open.server.port}=${value}` };
    expect((await open.ask('/api/me', { as: 'nobody', headers })).status).toBe(401);
  }
  expect((await open.ask('/api/me', { as: 'nobody', headers: { Cookie: 'repertoire_session=x' } })).status).toBe(200);
});

test('a session cannot be traded for another, nor sent as a token (H5)', async () => {
  const { server, tokens, ask } = await openDashboard();
  const jar = createCookieJar();
  await jar.signIn(server.url, tokens.operator);
  const session = jar.text().split('=')[1] ?? '';
  expect(await createCookieJar().signIn(server.url, session)).toBe(401);
  const headers = { Authorization: `Bearer ${session}` };
  expect((await ask('/api/me', { as: 'nobody', headers })).status).toBe(401);
});

test('a token that fits into no cookie is refused with a sentence (H3)', async () => {
  const { ask } = await openDashboard({ server: { authenticate: () => ok(LOCAL_OPERATOR) } });
  const answer = await ask('/api/session', { as: 'nobody', body: { token: 'a'.repeat(4_000) } });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([400, null]);
  expect(await answer.json()).toMatchObject({ failure_message: expect.stringContaining('too long for a cookie') });
});

test('whoever comes within a week stays, and nobody else (H5)', async () => {
  let at = Date.now();
  const { server, tokens, ask } = await openWith('one', () => new Date(at));
  const jar = createCookieJar();
  await jar.signIn(server.url, tokens.operator);
  const renewal = async () => (await jar.ask(`${server.url}/api/me`)).headers.get('set-cookie');
  expect(await renewal()).toBeNull();
  for (let week = 0; week < 3; week += 1) {
    at += 6 * DAY_MS;
    expect(await renewal()).toMatch(/=rps_[\w.-]+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=604800$/);
    expect(await renewal()).toBeNull();
  }
  expect((await ask('/api/me')).headers.get('set-cookie')).toBeNull();
  at += 7 * DAY_MS;
  expect((await jar.ask(`${server.url}/api/me`)).status).toBe(401);
});

test('a stream ends with the session that opened it (H5)', async () => {
  let at = Date.now();
  const { server, tokens } = await openWith('one', () => new Date(at));
  const jar = createCookieJar();
  await jar.signIn(server.url, tokens.reader);
  const stream = await jar.ask(`${server.url}/api/events`);
  expect(stream.status).toBe(200);
  at += 7 * DAY_MS;
  await stream.text();
});

/** Like another installation: with a secret of its own. */
function openWith(secret: string, now = () => new Date()): Promise<Dashboard> {
  const sessions = createDashboardSessions({ secret, now });
  return openDashboard({ api: { sessions }, server: { sessions, limits: { recheckMs: 20 } } });
}
