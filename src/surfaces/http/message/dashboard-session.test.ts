// The dashboard's cookie: one name for each server of a machine, and no other is looked at (H5).
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { findSession, hasSession, sessionCookie, signInRequestIn } from './dashboard-session.ts';

const requestTo = (host: string, headers = {}) => ({ headers: { host, ...headers } }) as unknown as IncomingMessage; // All that is read of it.

/** Which of the cookies is taken for a session, if only `mine` and `theirs` are some. */
function sessionIn(headers: IncomingMessage['headers']): string | undefined {
  const found = findSession(headers, (token) =>
    /^(mine|theirs)$/.test(token) ? { owner: token, isOld: false } : undefined,
  );
  if (found instanceof Promise) throw new Error('What is known at once is answered at once');
  return typeof found?.owner === 'string' ? found.owner : undefined;
}

const nameAt = (host: string) => sessionCookie(requestTo(host), 'x', 1).split('=')[0];

test.each([
  ['127.0.0.1:7337', 'repertoire_session_7337'],
  ['localhost:8000', 'repertoire_session_8000'],
  ['[::1]:7337', 'repertoire_session_7337'],
  ['[::1]', 'repertoire_session'],
  ['skills.example.com', 'repertoire_session'],
])('at %s it is called %s (H5)', (host, name) => {
  expect(nameAt(host)).toBe(name);
  expect(sessionIn({ host, cookie: `a=b; ${name}=mine; c=d` })).toBe('mine');
});

test.each([
  ['without a port', 'repertoire_session=mine'],
  ['of another port', 'repertoire_session_8000=mine'],
  ['of a port that begins so', 'repertoire_session_73370=mine'],
  ['that ends so', 'xrepertoire_session_7337=mine'],
  ['in the value of another', 'a=repertoire_session_7337=mine'],
  ['without a value', 'repertoire_session_7337=; repertoire_session_7337'],
])('a cookie %s is none (H5)', (_what, cookie) => {
  const host = '127.0.0.1:7337';
  expect(sessionIn({ host, cookie })).toBeUndefined();
  expect(hasSession({ host, cookie })).toBe(false);
  expect(sessionIn({ host, cookie: `${cookie};repertoire_session_7337=mine` })).toBe('mine');
});

test('of several the good one is taken, of two good ones of different people none (H5)', () => {
  const sent = (...values: readonly string[]) => ({
    host: 'h:1',
    cookie: values.map((each) => `repertoire_session_1=${each}`).join('; '),
  });
  expect(sessionIn(sent('bad', 'mine', 'bad'))).toBe('mine');
  expect(sessionIn(sent('mine', 'mine'))).toBe('mine');
  expect(sessionIn(sent('theirs', 'mine'))).toBeUndefined();
  expect(sessionIn(sent('bad', 'worse'))).toBeUndefined();
  expect(hasSession(sent('bad', 'worse'))).toBe(true);
});

test.each([
  ['a page of another port', { 'sec-fetch-site': 'same-site' }],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['whoever sends a token', { authorization: 'Bearer x' }],
])('the cookie of %s is not looked at (H5)', (_who, headers) => {
  const request = { host: 'h:1', cookie: 'repertoire_session_1=mine' };
  expect(sessionIn({ ...request, 'sec-fetch-site': 'same-origin' })).toBe('mine');
  expect(sessionIn({ ...request, ...headers })).toBeUndefined();
  expect(hasSession({ ...request, ...headers })).toBe(false);
});

test('it is written for this server alone (H5)', () => {
  const attributes = 'HttpOnly; SameSite=Strict; Path=/; Max-Age=9';
  expect(sessionCookie(requestTo('h:1'), 'v', 9)).toBe(`repertoire_session_1=v; ${attributes}`);
  for (const proto of ['https', 'HTTPS', 'https, http', 'https , http']) {
    const behindTls = requestTo('h', { 'x-forwarded-proto': proto });
    expect(sessionCookie(behindTls, 'v', 9)).toBe(`repertoire_session=v; ${attributes}; Secure`);
  }
});

test('of very many cookies of the name only the first few are opened (F10)', () => {
  const cookie = Array.from({ length: 130 }, (_, at) => `repertoire_session_7337=bad${at}`).join('; ');
  let opened = 0;
  const found = findSession({ host: '127.0.0.1:7337', cookie }, () => {
    opened += 1;
    return undefined;
  });
  expect(found).toBeUndefined();
  expect(opened).toBe(8);
});

const LONG = 'x'.repeat(4_097);

test.each([
  [{ token: 't' }, { kind: 'token', token: 't' }],
  [
    { email: 'a@b.c', password: 'p' },
    { kind: 'password', email: 'a@b.c', password: 'p' },
  ],
  [
    { email: 'a@b.c', password: 'e\u0301' },
    { kind: 'password', email: 'a@b.c', password: '\u00e9' },
  ],
  [{ token: 't', email: 'a@b.c', password: 'p' }, undefined],
  [{ token: 't', password: 'p' }, undefined],
  [{ email: 'a@b.c' }, undefined],
  [{ password: 'p' }, undefined],
  [{ email: 'a@b.c', password: 'p', remember: true }, undefined],
  [{ email: 'a@b.c', password: '' }, undefined],
  [{ email: '', password: 'p' }, undefined],
  [{ email: 'a\u0000@b.c', password: 'p' }, undefined],
  [{ email: 'a\ud800@b.c', password: 'p' }, undefined],
  [{ email: ['a@b.c'], password: 'p' }, undefined],
  [{ email: 'a@b.c', password: 5 }, undefined],
  [{ email: 'a@b.c', password: LONG }, undefined],
  [{ email: `${'x'.repeat(255)}`, password: 'p' }, undefined],
  [{ token: '' }, undefined],
  [{}, undefined],
  [[], undefined],
  [null, undefined],
])('a session is asked for with exactly one form: %j (N6)', (body, asked) => {
  expect(signInRequestIn(JSON.stringify(body))).toEqual(asked);
});

test('a session of a person is one with another of the same person, and with none of a token (N6)', () => {
  const at = (userId: string) => ({ owner: { userId, at: new Date(0) }, isOld: false });
  const sessions: Record<string, ReturnType<typeof at> | { owner: string; isOld: boolean }> = {
    one: at('u-1'),
    again: { ...at('u-1'), owner: { userId: 'u-1', at: new Date(1) } },
    other: at('u-2'),
    token: { owner: 'u-1', isOld: false },
  };
  const found = (...names: readonly string[]) =>
    findSession(
      { host: 'a:1', cookie: names.map((name) => `repertoire_session_1=${name}`).join('; ') },
      (value) => sessions[value],
    );
  expect(found('one', 'again')).toBe(sessions.one);
  expect(found('one', 'other')).toBeUndefined();
  expect(found('one', 'token')).toBeUndefined();
});
