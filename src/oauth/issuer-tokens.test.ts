// Tokens of another issuer, with a real one on this machine: each fault beside a token that is good (O6).
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentCaller, callerKey, personKey } from '../identity/caller.ts';
import { createIssuerTokens } from './issuer-tokens.ts';

const own = await generateKeyPair('ES256', { extractable: true });
const stranger = await generateKeyPair('ES256');
let issuer = '';
const server = createServer(async (asked, answer) => {
  const metadata = { issuer, jwks_uri: `${issuer}/keys` };
  const keys = { keys: [{ ...(await exportJWK(own.publicKey)), alg: 'ES256', kid: 'one' }] };
  const found = asked.url === '/keys' ? keys : asked.url === '/.well-known/openid-configuration' ? metadata : undefined;
  answer
    .writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(found ?? {}));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const open = () => createIssuerTokens({ issuer, audience: 'skills', roleClaim: 'groups' });
const claims = { groups: ['TaskAgent', '*'], scope: 'openid skills:read log:read', client_id: 'a-host' };

const sign = (given: Record<string, unknown> = {}, key: CryptoKey = own.privateKey) => {
  const { aud = 'skills', iss = issuer, exp = '5m', sub = 'ada', ...more } = { ...claims, ...given };
  const token = new SignJWT(more).setProtectedHeader({ alg: 'ES256', kid: 'one' }).setIssuedAt();
  if (sub !== null) token.setSubject(String(sub));
  if (exp !== null) token.setExpirationTime(exp as string);
  return token.setIssuer(String(iss)).setAudience(String(aud)).sign(key);
};

test('a good one is an agent with the roles of the claim, without *, and its scopes restrict (O6)', async () => {
  expect(await open()(await sign())).toEqual({
    ok: true,
    value: {
      kind: 'agent',
      name: 'ada',
      roles: ['TaskAgent'],
      scopes: ['log:read'],
      via: { client: 'a-host', clientId: 'a-host', person: 'issuer:ada', scopes: ['skills:read', 'log:read'] },
    },
  });
  expect(await open()(await sign({ scope: 'openid' }))).toMatchObject({
    value: { scopes: [], via: { scopes: undefined } },
  });
});

test.each([
  ['another audience', { aud: 'elsewhere' }],
  ['another issuer', { iss: 'https://other.example' }],
  ['one that has expired', { exp: '-5m' }],
  ['one without an end', { exp: null }],
  ['one of no one', { sub: null }],
])('%s is refused (O6)', async (_what, given) => {
  expect(await open()(await sign(given))).toEqual({ ok: false, failure: 'bad' });
});

/** Claims as they stand, of whatever type. */
const signText = (payload: string) =>
  new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .sign(own.privateKey);

const inFiveMinutes = () => Math.floor(Date.now() / 1_000) + 300;

test.each([
  ['an object', '{"id":"ada"}'],
  ['a list', '["ada"]'],
  ['a number', '7'],
  ['more than 255 characters', JSON.stringify('a'.repeat(256))],
])('a subject that is %s is refused, one that is a text is not (O6)', async (_what, sub) => {
  const signed = (subject: string) =>
    signText(`{"iss":"${issuer}","aud":"skills","sub":${subject},"exp":${inFiveMinutes()}}`);
  expect(await open()(await signed(sub))).toEqual({ ok: false, failure: 'bad' });
  expect(await open()(await signed('"ada"'))).toMatchObject({ ok: true });
});

test.each(['1e999', '"2999"', '[9999999999]'])('an end of %s is refused, one that comes is not (O6)', async (exp) => {
  const signed = (end: string) => signText(`{"iss":"${issuer}","aud":"skills","sub":"ada","exp":${end}}`);
  expect(await open()(await signed(exp))).toEqual({ ok: false, failure: 'bad' });
  expect(await open()(await signed(String(inFiveMinutes())))).toMatchObject({ ok: true });
});

test('people whose long subjects begin alike, and clients with long names, are told apart (O6)', async () => {
  const verify = open();
  const long = 'spiffe://example.com/'.padEnd(100, 'x');
  const ofTwo = [`${long}1`, `${long}2`].map(async (each) => verify(await sign({ sub: each, client_id: each })));
  const [one, two] = await Promise.all(ofTwo);
  if (!one?.ok || !two?.ok) throw new Error('Both are good');
  expect(one.value.name).not.toBe(two.value.name);
  expect(personKey(one.value)).not.toBe(personKey(two.value));
  expect(one.value.via?.clientId).not.toBe(two.value.via?.clientId);
});

test('people of an issuer are counted apart from agents of ours with their names (O6)', async () => {
  const given = await open()(await sign());
  expect(given.ok && callerKey(given.value)).toBe('client:issuer:ada');
  expect(callerKey(agentCaller('ada'))).toBe('agent:ada');
});

test('an issuer whose keys cannot be had is told from a store that is away (O6)', async () => {
  const verify = createIssuerTokens({ issuer: 'http://127.0.0.1:9', audience: 'skills', roleClaim: 'groups' });
  expect(await verify(await sign())).toEqual({ ok: false, failure: 'issuer-away' });
});

test('another key, a shared secret and no signature are refused (O6)', async () => {
  const secret = new TextEncoder().encode('s'.repeat(64));
  const shared = new SignJWT({ ...claims, sub: 'ada', iss: issuer, aud: 'skills' }).setProtectedHeader({
    alg: 'HS512',
    kid: 'one',
  });
  const [, payload] = (await sign()).split('.');
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.${'A'.repeat(86)}`;
  for (const token of [await sign({}, stranger.privateKey), await shared.setExpirationTime('5m').sign(secret), none])
    expect(await open()(token)).toEqual({ ok: false, failure: 'bad' });
});

test('the public key as a shared secret, and a key that is not published, are refused beside a good token (O6)', async () => {
  const publicText = new TextEncoder().encode(JSON.stringify(await exportJWK(own.publicKey)));
  const claimed = { ...claims, sub: 'ada', iss: issuer, aud: 'skills' };
  const signed = (header: { alg: string; kid: string }, key: CryptoKey | Uint8Array) =>
    new SignJWT(claimed).setProtectedHeader(header).setExpirationTime('5m').sign(key);
  const verify = open();
  expect(await verify(await signed({ alg: 'HS256', kid: 'one' }, publicText))).toEqual({ ok: false, failure: 'bad' });
  expect(await verify(await signed({ alg: 'ES256', kid: 'two' }, own.privateKey))).toEqual({
    ok: false,
    failure: 'bad',
  });
  expect(await verify(await sign())).toMatchObject({ ok: true });
});
