// Descriptions of clients are fetched from the open net, or in tests from this machine: what lies, points inside or takes long
// is refused, beside one that is good (O9).
import type { lookup } from 'node:dns';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClientDocuments, documentIdFault } from './client-documents.ts';
import { isPublicAddress } from './public-address.ts';

type Answer = (response: ServerResponse, url: string) => void;
const answers = new Map<string, Answer>();
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const url = `${origin}${request.url}`;
  (answers.get(request.url ?? '') ?? ((other) => void other.writeHead(404).end()))(response, url);
});
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const json =
  (value: unknown): Answer =>
  (response) =>
    void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
const PEER = '203.0.113.9';
const redirect_uris = ['https://client.example/back'];

const open = (allowLoopback: boolean, resolve?: typeof lookup) =>
  createClientDocuments({
    schemes: [],
    allowLoopback,
    monotonicMs: () => performance.now(),
    ...(resolve && { resolve }),
  });

test('one that says its own address is a client (O9)', async () => {
  answers.set('/good.json', (response, url) =>
    json({ client_id: url, client_name: 'Good', redirect_uris })(response, url),
  );
  const id = `${origin}/good.json`;
  expect(await open(true)(id, PEER)).toEqual({ id, kind: 'document', name: 'Good', redirectUris: redirect_uris });
});

describe('one that is not as it must be is refused (O9)', () => {
  const cases: readonly (readonly [string, Answer])[] = [
    ['another client_id', json({ client_id: 'https://other.example/c', client_name: 'x', redirect_uris })],
    ['no client_id', json({ client_name: 'x', redirect_uris })],
    ['no addresses', (response, url) => json({ client_id: url, client_name: 'x' })(response, url)],
    ['a bad address', (response, url) => json({ client_id: url, redirect_uris: ['http://a.example/'] })(response, url)],
    [
      'a secret',
      (response, url) =>
        json({ client_id: url, redirect_uris, token_endpoint_auth_method: 'client_secret_post' })(response, url),
    ],
    [
      'a secret of its own',
      (response, url) => json({ client_id: url, redirect_uris, client_secret: 'x' })(response, url),
    ],
    ['a redirect', (response) => void response.writeHead(302, { Location: '/good.json' }).end()],
    ['no JSON', (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{')],
    ['another kind', (response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('{}')],
    ['too long', (response, url) => json({ client_id: url, redirect_uris, more: 'x'.repeat(70_000) })(response, url)],
    ['a list', json([])],
  ];
  test.each(cases)('%s', async (what, answer) => {
    const path = `/${what.replaceAll(' ', '-')}`;
    answers.set(path, answer);
    await expect(open(true)(`${origin}${path}`, PEER)).rejects.toMatchObject({ name: 'OAuthError' });
  });

  test('this machine, unless it is allowed: nothing is asked', async () => {
    const before = asked.length;
    await expect(open(false)(`${origin}/good.json`, PEER)).rejects.toMatchObject({ code: 'invalid_client' });
    expect(asked.length).toBe(before);
  });
});

test('who has many looked up at once waits for them, and keeps no one else waiting (O9)', async () => {
  const held: ServerResponse[] = [];
  answers.set('/good.json', (response, url) => json({ client_id: url, redirect_uris })(response, url));
  const find = open(true);
  const slow = Array.from({ length: 6 }, (_, index) => {
    answers.set(`/slow-${index}`, (response) => void held.push(response));
    return find(`${origin}/slow-${index}`, '203.0.113.1').catch((error: { code: string }) => error.code);
  });
  await expect.poll(() => held.length).toBe(4);
  expect(await find(`${origin}/good.json`, '203.0.113.2')).toMatchObject({ kind: 'document' });
  for (const response of held) response.writeHead(404).end();
  const codes = await Promise.all(slow);
  expect(codes.filter((code) => code === 'temporarily_unavailable').length).toBe(2);
  expect(await find(`${origin}/good.json?again`, '203.0.113.1').catch((error: { code: string }) => error.code)).toBe(
    'invalid_client',
  );
});

describe('an address must be https, in its plain spelling, with a path (O9)', () => {
  test.each([
    'http://client.example/c',
    'https://client.example/',
    'https://client.example',
    'https://client.example/a/../c',
    'https://CLIENT.example/c',
    'https://client.example/c#x',
    'https://a@client.example/c',
    'https://client.example:443/c',
    'http://127.0.0.1.client.example/c',
    'http://10.0.0.1/c',
    'ftp://client.example/c',
    'file:///etc/passwd',
  ])('%s', (id) => {
    expect(documentIdFault(id, true)).toEqual(expect.any(String));
    expect(documentIdFault('https://client.example/c', false)).toBeUndefined();
  });
});

/** As the system answers for a name. */
const resolving = (...addresses: readonly string[]) =>
  ((_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup; // The one form that is used.

test.each([['127.0.0.1'], ['93.184.216.34', '10.0.0.5'], ['::ffff:169.254.169.254']])(
  'a name that leads inside is refused after it was resolved: %s (O9)',
  async (...addresses) => {
    await expect(open(false, resolving(...addresses))('https://client.example/c', PEER)).rejects.toMatchObject({
      code: 'invalid_client',
    });
  },
);

test.each(['https://127.0.0.1/c', 'https://[::1]/c', 'https://169.254.169.254/c', 'https://[::ffff:a00:1]/c'])(
  'nor is %s asked (O9)',
  async (id) => {
    await expect(open(false)(id, PEER)).rejects.toMatchObject({ name: 'OAuthError' });
  },
);

test('addresses of the open net are told from all others (O9)', () => {
  const closed =
    '0.0.0.0 10.1.2.3 100.64.0.1 127.9.9.9 169.254.169.254 172.16.0.1 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 fe80::1 fc00::1 fd12::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1:: 2001:db8::1 ff02::1 nonsense';
  expect(closed.split(' ').filter(isPublicAddress)).toEqual([]);
  expect(
    ['93.184.216.34', '1.1.1.1', '2606:4700::1111', '172.32.0.1'].filter((each) => !isPublicAddress(each)),
  ).toEqual([]);
});
