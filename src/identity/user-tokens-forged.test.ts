// Users' tokens: one algorithm, one key, and one answer to everything that is wrong (B2).
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { importSigningKey, issueUserToken, type SigningKey, verifyUserToken } from './user-tokens.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const SECONDS = NOW.getTime() / 1_000;
const USER = '550e8400-e29b-41d4-a716-446655440000';
const SECRET = 'correct horse battery staple 123';
const CLAIMS = { userId: USER, email: 'ada@example.org', scopes: ['tasks:read', 'tasks:write'] };

const keyOf = (secret = SECRET): Promise<SigningKey> => importSigningKey(secret);
const issue = async (seconds = 300, key?: SigningKey) =>
  (await issueUserToken(key ?? (await keyOf()), CLAIMS, { from: NOW, seconds })).token;
const verify = async (token: string, now = NOW) => verifyUserToken(await keyOf(), token, now);

const GOOD = {
  iss: 'repertoire',
  aud: 'repertoire',
  sub: USER,
  jti: 'a',
  iat: SECONDS,
  exp: SECONDS + 300,
  email: 'ada@example.org',
  scopes: [],
};
/** Signed with our own key: only what is in it is wrong. */
const signed = async (claims: object, header: object = {}) =>
  new SignJWT({ ...GOOD, ...claims }).setProtectedHeader({ alg: 'HS256', ...header }).sign(await keyOf());

test('a token is read back as it was issued, until it ends (B2)', async () => {
  const { token, expiresAt } = await issueUserToken(await keyOf(), CLAIMS, { from: NOW, seconds: 300 });
  expect(expiresAt).toEqual(new Date('2026-11-15T12:05:00Z'));
  expect(await verify(token)).toEqual({ ...CLAIMS, lends: { roles: [], scopes: [], issuers: [] }, expiresAt });
  expect(await verify(token, new Date(expiresAt.getTime() - 1_000))).toBeDefined();
  expect(await verify(token, expiresAt)).toBeUndefined();
});

test('holds issuer, audience, subject, times and an id of its own (B2)', async () => {
  const [header, claims] = (await issue()).split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(header ?? '')).toEqual({ alg: 'HS256', typ: 'JWT' });
  const { email, scopes, ...registered } = JSON.parse(claims ?? '');
  expect({ userId: registered.sub, email, scopes }).toEqual(CLAIMS);
  expect(registered).toEqual({ ...registered, iss: 'repertoire', aud: 'repertoire', iat: SECONDS, exp: SECONDS + 300 });
  expect(registered.jti).toMatch(/^[0-9a-f-]{36}$/);
  expect(await issue()).not.toBe(await issue());
});

test('clocks of two machines may differ by a minute at its beginning (B2)', async () => {
  expect(await verify(await signed({ iat: SECONDS + 60, nbf: SECONDS + 59 }))).toBeDefined();
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const part = (token: string, index: number) => token.split('.')[index] ?? '';

/** The signature of `alg` over these parts, by whatever means. */
async function withHeader(header: object, hash = 'SHA-256', secret = SECRET): Promise<string> {
  const input = `${encode(header)}.${encode(GOOD)}`;
  const usage = { name: 'HMAC', hash };
  const key = await crypto.subtle.importKey('raw', Buffer.from(secret), usage, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}

/** Claims as text, for numbers that JSON.stringify does not write. */
async function signedText(claims: string): Promise<string> {
  const input = `${encode({ alg: 'HS256' })}.${Buffer.from(claims).toString('base64url')}`;
  const signature = await crypto.subtle.sign('HMAC', await keyOf(), Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}

const withNumber = (claim: string, number: string) =>
  signedText(JSON.stringify({ ...GOOD, [claim]: 0 }).replace(`"${claim}":0`, `"${claim}":${number}`));

const BROKEN: Readonly<Record<string, () => Promise<string> | string>> = {
  empty: () => '',
  'two dots': () => '..',
  'only two parts': async () => (await issue()).split('.').slice(0, 2).join('.'),
  'four parts': async () => `${await issue()}.x`,
  'no JSON in it': () => 'aaaa.bbbb.cccc',
  'a header that is no object': async () => `${encode(7)}.${part(await issue(), 1)}.${part(await issue(), 2)}`,
  'alg none without a signature': () => `${encode({ alg: 'none' })}.${encode(GOOD)}.`,
  'alg none with a signature': () => withHeader({ alg: 'none' }),
  'alg None in other letters': () => withHeader({ alg: 'nOnE' }),
  'no alg': () => withHeader({ typ: 'JWT' }),
  'alg HS512, signed so': () => withHeader({ alg: 'HS512' }, 'SHA-512'),
  'alg HS384, signed so': () => withHeader({ alg: 'HS384' }, 'SHA-384'),
  'alg RS256 over our key': () => withHeader({ alg: 'RS256' }),
  'an unknown critical header': () => withHeader({ alg: 'HS256', crit: ['x'], x: 1 }),
  'a key that it brings along': () =>
    withHeader(
      { alg: 'HS256', jwk: { kty: 'oct', k: encode('evil') } },
      'SHA-256',
      'evil evil evil evil evil evil evil',
    ),
  'another key': async () => issue(300, await keyOf(`${SECRET}!`)),
  'a changed claim': async () => {
    const [header, , signature] = (await issue()).split('.');
    return `${header}.${encode({ ...GOOD, sub: '550e8400-e29b-41d4-a716-446655440001' })}.${signature}`;
  },
  'a changed signature': async () => {
    const token = await issue();
    return token.slice(0, -10) + (token.at(-10) === 'A' ? 'B' : 'A') + token.slice(-9);
  },
  'an empty signature': async () => `${part(await issue(), 0)}.${part(await issue(), 1)}.`,
  expired: () => signed({ exp: SECONDS - 1 }),
  'no exp': () => signed({ exp: undefined }),
  'exp as text': () => signed({ exp: String(SECONDS + 300) }),
  'no sub': () => signed({ sub: undefined }),
  'a sub that is no uuid': () => signed({ sub: 'ada' }),
  'a list as sub (A14)': () => signed({ sub: [USER] }),
  'an object as sub (A14)': () => signed({ sub: { toString: 1, valueOf: 1 } }),
  'a number as sub (A14)': () => signed({ sub: 7 }),
  'exp without an end (A14)': () => withNumber('exp', '1e999'),
  'exp beyond any date (A14)': () => withNumber('exp', '1e14'),
  'iat before all time (A14)': () => withNumber('iat', '-1e999'),
  'a list as jti (A14)': () => signed({ jti: ['a'] }),
  'a list as email (A14)': () => signed({ email: ['ada@example.org'] }),
  'no jti': () => signed({ jti: undefined }),
  'an empty jti': () => signed({ jti: '' }),
  'no iat': () => signed({ iat: undefined }),
  'issued in the future': () => signed({ iat: SECONDS + 120 }),
  'not valid yet': () => signed({ nbf: SECONDS + 120 }),
  'another issuer': () => signed({ iss: 'somebody' }),
  'another audience': () => signed({ aud: 'somebody' }),
  'no audience': () => signed({ aud: undefined }),
  'no email': () => signed({ email: undefined }),
  'scopes that are no texts': () => signed({ scopes: [1] }),
  'scopes as one text': () => signed({ scopes: 'tasks:read' }),
  'longer than any of ours': () => signed({ email: 'a'.repeat(300_000) }),
  'padding and blanks': async () => ` ${await issue()}=`,
  'a NUL in it': async () => (await issue()).replace('.', '\0.'),
};

describe('a broken token is no token, whatever is wrong with it (B2)', () => {
  test.each(Object.entries(BROKEN))('%s', async (_what, make) => {
    expect(await verify(await make())).toBeUndefined();
  });

  test('and the same claims, unbroken, are one', async () => {
    expect(await verify(await signed({}))).toBeDefined();
    expect(await verify(await withHeader({ alg: 'HS256' }))).toBeDefined();
  });
});
