// The dashboard's cookie: one name for each server of a machine, and no other is looked at (H5).
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { sessionCookie, sessionIn } from './session-cookie.ts';

const requestTo = (host: string, headers = {}) => ({ headers: { host, ...headers } }) as unknown as IncomingMessage; // All that is read of it.

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
  ['without a port', 'repertoire_session=other'],
  ['of another port', 'repertoire_session_8000=other'],
  ['of a port that begins so', 'repertoire_session_73370=other'],
  ['that ends so', 'xrepertoire_session_7337=other'],
  ['in the value of another', 'a=repertoire_session_7337=other'],
  ['without a value', 'repertoire_session_7337=; repertoire_session_7337'],
])('a cookie %s is none (H5)', (_what, cookie) => {
  expect(sessionIn({ host: '127.0.0.1:7337', cookie })).toBeUndefined();
  expect(sessionIn({ host: '127.0.0.1:7337', cookie: `${cookie};repertoire_session_7337=mine` })).toBe('mine');
});

test('it is written for this server alone (H5)', () => {
  const attributes = 'HttpOnly; SameSite=Strict; Path=/; Max-Age=9';
  expect(sessionCookie(requestTo('h:1'), 'v', 9)).toBe(`repertoire_session_1=v; ${attributes}`);
  const behindTls = requestTo('h', { 'x-forwarded-proto': 'https' });
  expect(sessionCookie(behindTls, 'v', 9)).toBe(`repertoire_session=v; ${attributes}; Secure`);
});
