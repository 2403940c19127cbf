// The token skills: limits on both sides, forged and broken tokens all with one answer, nothing in the log (B2).
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Builtin, KINDS, NOW, SIGNING_SECRET, useBuiltinWorld } from './builtin-world.ts';

const world = useBuiltinWorld();

const INVALID = { valid: false, user_id: null, email: null, scopes: [], expires_at: null };
const ISSUED = Date.UTC(2026, 10, 15, 10) / 1_000;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** The claims as they are in a good token of this user. */
const claimsOf = (userId: string, email: string) => ({
  email,
  scopes: ['tasks:read'],
  iss: 'repertoire',
  aud: 'repertoire',
  sub: userId,
  jti: randomUUID(),
  iat: ISSUED,
  exp: ISSUED + 3_600,
});

type Claims = Partial<ReturnType<typeof claimsOf>> & Record<string, unknown>;

const sign = (claims: Claims, key: Parameters<SignJWT['sign']>[0] = bytesOf(SIGNING_SECRET), alg = 'HS256') =>
  new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);

const without = (claims: Claims, name: string): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));

interface Good {
  readonly token: string;
  readonly claims: Claims;
}

const signRaw = (header: object, payload: string) => {
  const signed = `${encode(header)}.${payload}`;
  return `${signed}.${createHmac('sha256', SIGNING_SECRET).update(signed).digest('base64url')}`;
};

const partsOf = (token: string): readonly [string, string, string] => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return [header, payload, signature];
};

const FORGED: Readonly<Record<string, (good: Good) => string | Promise<string>>> = {
  empty: () => '',
  'one word': () => 'token',
  'only dots': () => '..',
  'two parts': ({ token }) => token.split('.').slice(0, 2).join('.'),
  'four parts': ({ token }) => `${token}.x`,
  'space around it': ({ token }) => ` ${token} `,
  'with its scheme': ({ token }) => `Bearer ${token}`,
  'algorithm none, no signature': ({ token }) => `${encode({ alg: 'none' })}.${token.split('.')[1]}.`,
  'algorithm none, the old signature': ({ token }) =>
    `${encode({ alg: 'none' })}.${token.split('.')[1]}.${token.split('.')[2]}`,
  'algorithm NoNe': ({ token }) => signRaw({ alg: 'NoNe' }, partsOf(token)[1]),
  HS384: ({ claims }) => sign(claims, bytesOf(SIGNING_SECRET), 'HS384'),
  HS512: ({ claims }) => sign(claims, bytesOf(SIGNING_SECRET), 'HS512'),
  RS256: ({ claims }) => sign(claims, generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey, 'RS256'),
  EdDSA: ({ claims }) => sign(claims, generateKeyPairSync('ed25519').privateKey, 'EdDSA'),
  'another key': ({ claims }) => sign(claims, bytesOf('another secret, also longer than 32 bytes')),
  'no signature': ({ token }) => `${partsOf(token)[0]}.${partsOf(token)[1]}.`,
  'a changed signature': ({ token }) => `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`,
  'a changed payload': ({ token }) => {
    const [header, payload, signature] = partsOf(token);
    return `${header}.${encode({ ...decode(payload), scopes: ['admin'] })}.${signature}`;
  },
  'a payload that is no JSON': () => signRaw({ alg: 'HS256' }, Buffer.from('no JSON').toString('base64url')),
  'a payload that is a list': () => signRaw({ alg: 'HS256' }, encode([1])),
  'an unknown critical header': ({ token }) => signRaw({ alg: 'HS256', crit: ['x'], x: 1 }, partsOf(token)[1]),
  expired: ({ claims }) => sign({ ...claims, exp: ISSUED - 1, iat: ISSUED - 3_600 }),
  'without exp': ({ claims }) => sign(without(claims, 'exp')),
  'exp as text': ({ claims }) => sign({ ...claims, exp: '9999999999' as never }),
  'without sub': ({ claims }) => sign(without(claims, 'sub')),
  'sub that is no id': ({ claims }) => sign({ ...claims, sub: 'admin' }),
  'sub of nobody': ({ claims }) => sign({ ...claims, sub: randomUUID() }),
  'without jti': ({ claims }) => sign(without(claims, 'jti')),
  'issued in the future': ({ claims }) => sign({ ...claims, iat: ISSUED + 3_000 }),
  'not valid yet': ({ claims }) => sign({ ...claims, nbf: ISSUED + 3_000 }),
  'another audience': ({ claims }) => sign({ ...claims, aud: 'elsewhere' }),
  'another issuer': ({ claims }) => sign({ ...claims, iss: 'elsewhere' }),
  'scopes that are no list': ({ claims }) => sign({ ...claims, scopes: 'admin' as never }),
  'without email': ({ claims }) => sign(without(claims, 'email')),
  huge: ({ claims }) => sign({ ...claims, padding: 'x'.repeat(500_000) }),
  "an agent's token": () => `rpa_${'A'.repeat(43)}`,
};

describe.each(KINDS)('on %s', (kind) => {
  let builtin: Builtin;
  let email: string;
  let user_id: string;
  beforeAll(async () => {
    builtin = await world.open(kind);
  });
  beforeEach(async () => {
    builtin.clock.now = NOW;
    email = `${randomUUID()}@Example.org`;
    user_id = await builtin.createUser(email);
  });
  afterAll(() => world.closeAll());

  const generate = (given: object = {}) => builtin.output('token_generation', { user_id, email, ...given });
  const tokenFor = async (given: object = {}) => String((await generate(given)).access_token);
  const validate = (token: string, given: object = {}) => builtin.output('token_validation', { token, ...given });

  test('a token is a JWT with one algorithm, and valid for an hour unless told (B2)', async () => {
    const made = await generate();
    expect(made).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_at: '2026-11-15T11:00:00.000Z',
    });
    const [header, payload] = String(made.access_token)
      .split('.')
      .map((part, index) => (index < 2 ? decode(part) : {}));
    expect(header).toMatchObject({ alg: 'HS256' });
    expect(payload).toMatchObject({ iss: 'repertoire', aud: 'repertoire', sub: user_id, exp: ISSUED + 3_600, email });
    expect(payload?.jti).toBeTruthy();
    expect(await validate(String(made.access_token))).toEqual({
      valid: true,
      user_id,
      email,
      scopes: [],
      expires_at: '2026-11-15T11:00:00.000Z',
    });
  });

  test.each([
    ['300 seconds', { expires_in_seconds: 300 }, '2026-11-15T10:05:00.000Z'],
    ['a day', { expires_in_seconds: 86_400 }, '2026-11-16T10:00:00.000Z'],
    ['null, which means an hour', { expires_in_seconds: null, scopes: null }, '2026-11-15T11:00:00.000Z'],
    ['the email in another letter case', { email: 'upper' }, '2026-11-15T11:00:00.000Z'],
    ['256 scopes', { scopes: scopesOf(256, 3) }, '2026-11-15T11:00:00.000Z'],
    ['a scope of 256', { scopes: ['🌱'.repeat(256)] }, '2026-11-15T11:00:00.000Z'],
    ['scopes in any words', { scopes: ['read tasks', ' ', '"a"\\b', 'タスクを読む'] }, '2026-11-15T11:00:00.000Z'],
  ])('token_generation takes %s (B2)', async (_what, given, expires_at) => {
    const input = 'email' in given ? { email: email.toUpperCase() } : given;
    const made = await generate(input);
    expect(made).toMatchObject({ expires_at });
    const scopes = 'scopes' in given ? (given.scopes ?? []) : [];
    expect(await validate(String(made.access_token))).toEqual({ valid: true, user_id, email, scopes, expires_at });
  });

  test.each([
    ['299 seconds', { expires_in_seconds: 299 }, 'expires_in_seconds: '],
    ['86401 seconds', { expires_in_seconds: 86_401 }, 'expires_in_seconds: '],
    ['half a second', { expires_in_seconds: 300.5 }, 'expires_in_seconds: '],
    ['a scope that is no text', { scopes: [1] }, 'scopes[0]: '],
    ['an empty scope', { scopes: [''] }, 'scopes[0]: '],
    ['a scope with a line break', { scopes: ['a\nb'] }, 'scopes[0]: must not have control characters'],
    ['a scope with U+0085', { scopes: ['a\u0085'] }, 'scopes[0]: must not have control characters'],
    ['a scope of 257', { scopes: ['🌱'.repeat(257)] }, 'scopes[0]: must have at most 256 characters'],
    ['257 scopes', { scopes: scopesOf(257, 3) }, 'scopes: must have at most 256 entries'],
    ['no email', { email: undefined }, 'email: is required'],
    ['no user', { user_id: undefined }, 'user_id: is required'],
  ])('token_generation refuses %s (B2)', async (_what, given, complaint) => {
    const said = await builtin.failure('token_generation', { user_id, email, ...given });
    expect(said).toMatch(/^VALIDATION_ERROR /);
    expect(said).toContain(complaint);
  });

  test('the longest email and the most scopes still make a token that is taken (B2)', async () => {
    const longest = `${randomUUID()}@${'🌱'.repeat(215)}.x`;
    const id = await builtin.createUser(longest);
    const scopes = Array.from({ length: 256 }, (_, index) => `${'🌱'.repeat(253)}${String(index).padStart(3, '0')}`);
    const token = await tokenFor({ user_id: id, email: longest, scopes });
    expect(await validate(token, { required_scopes: scopes })).toMatchObject({ valid: true, email: longest, scopes });
  });

  test('token_generation wants a user who is there, and their own email; one answer for both (B2)', async () => {
    const stranger = randomUUID();
    const otherEmail = `${randomUUID()}@example.org`;
    await builtin.createUser(otherEmail);
    const notFound = (id: string) => `NOT_FOUND Resource not found: user ${id} with this email`;
    expect(await builtin.failure('token_generation', { user_id: stranger, email })).toBe(notFound(stranger));
    for (const wrong of [otherEmail, 'nobody@example.org', ' ']) {
      expect(await builtin.failure('token_generation', { user_id, email: wrong })).toBe(notFound(user_id));
    }
  });

  test.each(Object.keys(FORGED))(
    'token_validation of a token that is bad (%s): one answer for all (B2)',
    async (how) => {
      const claims = claimsOf(user_id, email);
      const token = await sign(claims);
      expect(await validate(token)).toMatchObject({ valid: true });
      const forged = await FORGED[how]?.({ token, claims });
      expect(await validate(forged ?? 'no such case')).toEqual(INVALID);
    },
  );

  test('scopes: all that are required must be there, each once (B2)', async () => {
    const token = await tokenFor({ scopes: ['tasks:read', 'tasks:write', 'tasks:read'] });
    const scopes = ['tasks:read', 'tasks:write'];
    expect(await validate(token)).toMatchObject({ valid: true, scopes });
    expect(await validate(token, { required_scopes: null })).toMatchObject({ valid: true });
    expect(await validate(token, { required_scopes: scopes })).toMatchObject({ valid: true, scopes });
    for (const required of [['admin'], ['tasks:read', 'admin'], ['TASKS:READ'], ['tasks:read ']]) {
      expect(await validate(token, { required_scopes: required })).toEqual(INVALID);
    }
  });

  test('a token ends at its end, and with its user (B2)', async () => {
    const [token, other] = [await tokenFor({ expires_in_seconds: 300 }), await tokenFor()];
    builtin.clock.now = new Date('2026-11-15T10:04:59Z');
    expect(await validate(token)).toMatchObject({ valid: true });
    builtin.clock.now = new Date('2026-11-15T10:05:00Z');
    expect(await validate(token)).toEqual(INVALID);
    expect(await validate(other)).toMatchObject({ valid: true });
    await builtin.output('account_deletion', { user_id });
    expect(await validate(other)).toEqual(INVALID);
  });

  test.each([
    ['no token', {}, 'token: is required'],
    ['a token that is no text', { token: 5 }, 'token: '],
    ['scopes that are no list', { token: 'x', required_scopes: 'admin' }, 'required_scopes: '],
    ['an empty scope', { token: 'x', required_scopes: [''] }, 'required_scopes[0]: '],
    ['a scope of 257', { token: 'x', required_scopes: ['x'.repeat(257)] }, 'required_scopes[0]: '],
    ['257 scopes', { token: 'x', required_scopes: scopesOf(257, 3) }, 'required_scopes: must have at most 256 entries'],
  ])('token_validation refuses %s (B2)', async (_what, input, complaint) => {
    const said = await builtin.failure('token_validation', input);
    expect(said).toMatch(/^VALIDATION_ERROR /);
    expect(said).toContain(complaint);
  });

  test('a token is in the answer of token_generation alone (B2)', async () => {
    const token = await tokenFor();
    await validate(token);
    await validate(`${token}x`);
    await builtin.invoke('token_validation', { token: 'x', tokken: token });
    await builtin.invoke('token_validation', { token: 'x', required_scopes: [token] });
    await builtin.invoke('task_creation', { title: token, user_id });
    const seen = JSON.stringify([builtin.log.begun, builtin.log.ended, builtin.lines]);
    expect(seen).not.toContain(token.split('.')[2]);
    expect(seen).not.toContain(token.split('.')[1]);
    expect(seen).toContain('"access_token":"[redacted]"');
  });
});

function scopesOf(count: number, length: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => String(index).padStart(length, 'x'));
}
