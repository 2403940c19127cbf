// The keys of another issuer, with a stand-in on this machine that can change its answers: what is found, and how often it is asked.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { stopClock } from '../surfaces/http/fixtures/stop-clock.ts';
import { createIssuerTokens } from './issuer-tokens.ts';

const [one, two] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
const RFC_8414 = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';
const BAD = { ok: false, failure: 'bad' };
const AWAY = { ok: false, failure: 'issuer-away' };

let issuer = '';
let published: readonly object[] = [];
let answers: Record<string, (answer: ServerResponse) => void> = {};
let asked: string[] = [];
const send = (value: object) => (answer: ServerResponse) =>
  void answer.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
const none = (answer: ServerResponse) => void answer.writeHead(404).end();
const server = createServer(({ url = '' }, answer) => {
  asked.push(url);
  (answers[url] ?? none)(answer);
});

const described = async (pair: typeof one, kid?: string) => ({
  ...(await exportJWK(pair.publicKey)),
  alg: 'ES256',
  ...(kid && { kid }),
});
const sign = (pair: typeof one, kid?: string) =>
  new SignJWT({ sub: 'ada', iss: issuer, aud: 'skills' })
    .setProtectedHeader({ alg: 'ES256', ...(kid && { kid }) })
    .setExpirationTime('5m')
    .sign(pair.privateKey);
const open = () => createIssuerTokens({ issuer, audience: 'skills', roleClaim: 'roles' });

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(async () => {
  published = [await described(one, 'one')];
  asked = [];
  answers = {
    [OPENID]: (answer) => send({ issuer, jwks_uri: `${issuer}/keys` })(answer),
    '/keys': (answer) => send({ keys: published })(answer),
  };
});
afterEach(() => void vi.unstubAllGlobals());

test('a key that was rotated is good at once, and the old one no longer (O6)', async () => {
  const verify = open();
  expect(await verify(await sign(one, 'one'))).toMatchObject({ ok: true });
  published = [await described(two, 'two')];
  expect(await verify(await sign(two, 'two'))).toMatchObject({ ok: true });
  expect(await verify(await sign(one, 'one'))).toEqual(BAD);
});

test('a key that the issuer withdraws is none ten minutes later, also where the clock is set back meanwhile (O6, F12)', async () => {
  const goOn = stopClock();
  const verify = open();
  const token = await sign(one, 'one');
  expect(await verify(token)).toMatchObject({ ok: true });
  published = [await described(two, 'two')];
  goOn(599);
  expect(await verify(token)).toMatchObject({ ok: true });
  goOn(600);
  expect(await verify(token)).toEqual(BAD);
});

test('keys that the issuer publishes at another address from now on are found there (O6)', async () => {
  const verify = open();
  const token = await sign(one, 'one');
  expect(await verify(token)).toMatchObject({ ok: true });
  // The old ones stay where they were.
  const next = [await described(two, 'two')];
  answers['/moved'] = (answer) => send({ keys: next })(answer);
  answers[OPENID] = send({ issuer, jwks_uri: `${issuer}/moved` });
  expect(await verify(await sign(two, 'two'))).toMatchObject({ ok: true });
  expect(await verify(token)).toEqual(BAD);
});

test('tokens with made-up keys make us ask the issuer a few times, and the good ones stay good (O6)', async () => {
  const verify = open();
  for (let count = 0; count < 40; count += 1) expect(await verify(await sign(two, `made up ${count}`))).toEqual(BAD);
  expect(asked.filter((path) => path === '/keys').length).toBeLessThan(10);
  expect(await verify(await sign(one, 'one'))).toMatchObject({ ok: true });
});

test('a key that is rotated while made-up keys come in crowds is good within five seconds (O6)', async () => {
  const goOn = stopClock();
  const verify = open();
  expect(await verify(await sign(one, 'one'))).toMatchObject({ ok: true });
  const crowd = () =>
    Promise.all(Array.from({ length: 50 }, async (_, index) => verify(await sign(two, `made-up-${index}`))));
  for (let times = 0; times < 20; times += 1) await crowd();
  published = [await described(two, 'two')];
  const fetched = () => asked.filter((path) => path === '/keys').length;
  const before = fetched();
  goOn(5);
  expect(await verify(await sign(two, 'two'))).toMatchObject({ ok: true });
  expect(fetched() - before).toBe(1);
  expect(fetched()).toBeLessThan(9);
});

test('an issuer that is away is not asked for each of the tokens that anyone sends meanwhile (O6)', async () => {
  const goOn = stopClock();
  const description = answers[OPENID] ?? none;
  answers[OPENID] = none;
  const verify = open();
  const token = await sign(one, 'one');
  for (let times = 0; times < 50; times += 1) expect(await verify(token)).toEqual(AWAY);
  expect(asked).toHaveLength(2);
  answers[OPENID] = description;
  goOn(1);
  expect(await verify(token)).toMatchObject({ ok: true });
});

test('while its keys are none it is not asked for each token, and good again a second after they are some (O6)', async () => {
  const goOn = stopClock();
  const keys = answers['/keys'] ?? none;
  answers['/keys'] = send({ keys: 'none' });
  const verify = open();
  const token = await sign(one, 'one');
  for (let times = 0; times < 50; times += 1) expect(await verify(token)).toEqual(AWAY);
  expect(asked.filter((path) => path === '/keys')).toHaveLength(1);
  answers['/keys'] = keys;
  goOn(1);
  expect(await verify(token)).toMatchObject({ ok: true });
});

test('a token that names no key is tried with each that fits (O6)', async () => {
  const stranger = await generateKeyPair('ES256');
  published = [await described(two, 'two'), await described(one, 'one')];
  const verify = open();
  expect(await verify(await sign(one))).toMatchObject({ ok: true });
  expect(await verify(await sign(stranger))).toEqual(BAD);
});

test('keys that are none are the fault of the issuer, not of the token (O6)', async () => {
  const goOn = stopClock();
  answers['/keys'] = send({ error: 'out of order' });
  const verify = open();
  expect(await verify(await sign(one, 'one'))).toEqual(AWAY);
  answers['/keys'] = (answer) => send({ keys: published })(answer);
  goOn(1);
  expect(await verify(await sign(one, 'one'))).toMatchObject({ ok: true });
});

test.each([
  ['a page', (answer: ServerResponse) => void answer.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Hello')],
  ['a redirect', (answer: ServerResponse) => void answer.writeHead(302, { Location: '/login' }).end()],
  ['another issuer', send({ issuer: 'https://other.example', jwks_uri: 'https://other.example/keys' })],
])('one that answers %s where RFC 8414 looks is found where OpenID Connect looks (O6)', async (_what, answer) => {
  answers[RFC_8414] = answer;
  expect(await open()(await sign(one, 'one'))).toMatchObject({ ok: true });
  expect(asked).toContain(RFC_8414);
});

test('an issuer with TLS has its keys behind TLS (O6)', async () => {
  const fetched: string[] = [];
  const secure = 'https://login.example';
  const from = (scheme: string) => async (input: unknown) => {
    fetched.push(String(input));
    return Response.json(
      String(input).endsWith('/keys')
        ? { keys: published }
        : { issuer: secure, jwks_uri: `${scheme}://login.example/keys` },
    );
  };
  const token = await new SignJWT({ sub: 'ada', iss: secure, aud: 'skills' })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setExpirationTime('5m')
    .sign(one.privateKey);
  const verify = () => createIssuerTokens({ issuer: secure, audience: 'skills', roleClaim: 'roles' })(token);
  vi.stubGlobal('fetch', from('http'));
  expect(await verify()).toEqual(AWAY);
  expect(fetched).not.toContain('http://login.example/keys');
  vi.stubGlobal('fetch', from('https'));
  expect(await verify()).toMatchObject({ ok: true });
});
