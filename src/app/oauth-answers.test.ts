// How the paths of the authorization server answer what they do not take: in OAuth's words to programs, with a page to people,
// and never kept by anyone on the way (O2, O3, H3).
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BACK, OAuthWorld } from '../../tests/support/oauth-world.ts';

const world = new OAuthWorld();
let client: string;

beforeAll(async () => {
  await world.start();
  client = await world.register();
});
afterAll(() => world.close());

const PROGRAMS = ['/oauth/token', '/oauth/revoke', '/oauth/register'] as const;
const FORM = 'application/x-www-form-urlencoded';

const post = (path: string, type: string, body: string) =>
  world.ask(path, { method: 'POST', body, headers: { 'Content-Type': type } });

/** RFC 6749, 5.2, and the fields that every error here has (H3). */
const ofOAuth = (error: string, failure: string) =>
  expect.objectContaining({ error, error_description: expect.any(String), failure_code: failure });

test.each(PROGRAMS)('%s tells a program in the words of OAuth what it does not take (O2, H3)', async (path) => {
  const isForm = path !== '/oauth/register';
  const [right, wrong] = isForm ? [FORM, 'application/json'] : ['application/json', FORM];
  const refused = [
    [await post(path, wrong, 'x=1'), 415],
    [await post(path, right, 'x'.repeat(70_000)), 413],
    [await world.ask(path, { method: 'PUT' }), 405],
  ] as const;
  for (const [answer, status] of refused) {
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store']);
    expect(await answer.json()).toEqual(ofOAuth('invalid_request', 'VALIDATION_ERROR'));
  }
  expect((await post(path, right, isForm ? 'x=1' : '{}')).status).toBe(400);
});

test.each([`${FORM};charset=utf8`, `${FORM}; charset="UTF-8"`, `${FORM.toUpperCase()};`])(
  'a form that is sent as %s is one (O3)',
  async (type) => {
    expect((await post('/oauth/token', type, 'x=1')).status).toBe(400);
    expect((await post('/oauth/token', `${FORM};charset=latin1`, 'x=1')).status).toBe(415);
  },
);

test('a page of another origin is told so in the words of OAuth (O3)', async () => {
  const headers = { 'Content-Type': FORM, Origin: 'https://evil.example' };
  const answer = await world.ask('/oauth/token', { method: 'POST', body: 'grant_type=refresh_token', headers });
  expect([answer.status, await answer.json()]).toEqual([403, ofOAuth('access_denied', 'UNAUTHORIZED')]);
});

describe.each([
  ...PROGRAMS.map((path) => [path, 'POST'] as const),
  ['/oauth/authorize', 'GET, HEAD'] as const,
  ['/.well-known/oauth-authorization-server', 'GET, HEAD'] as const,
])('%s takes %s', (path, allowed) => {
  test.each(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('or says so: %s (O2)', async (method) => {
    const answer = await world.ask(path, { method });
    const isTaken = allowed.split(', ').includes(method);
    expect([answer.status === 405, answer.headers.get('allow')]).toEqual([!isTaken, isTaken ? null : allowed]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

test('a link of another site to what is no page is refused before anything else is said (O3)', async () => {
  const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  for (const path of [...PROGRAMS, '/oauth/consent'])
    expect([path, await statusOf(world.origin + path, link)]).toEqual([path, 403]);
});

/** `fetch` writes these headers itself. */
const statusOf = (url: string, headers: Record<string, string>) =>
  new Promise((resolve, reject) => {
    get(url, { headers }, (answer) => resolve(answer.resume().statusCode)).once('error', reject);
  });

test('who opens the address of the consent form is shown a page, not JSON (O3)', async () => {
  const answer = await world.ask('/oauth/consent');
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await answer.text()).toContain('connect again from the client');
});

describe('what cannot go on is told to the person in one sentence (O3)', () => {
  const faultOn = async (changes: Readonly<Record<string, string>>) => {
    const html = await (await world.authorize(client, changes)).text();
    return /<p class="fault"[^>]*>([^<]*)<\/p>/.exec(html)?.[1];
  };
  test.each([
    [{ client_id: 'https://127.0.0.1/a/../c' }, /^Cannot sign in: client_id must be an address in its plain spelling/],
    [{ redirect_uri: `${BACK}x` }, /^Cannot sign in: redirect_uri is none of those/],
    [{ client_id: 'nobody' }, /^Cannot sign in: this server does not know the client/],
  ])('%o', async (changes, sentence) => {
    expect(await faultOn(changes)).toMatch(sentence);
    expect(await faultOn({})).toBeUndefined();
  });
});

describe('who a client is comes with every request for tokens (O4)', () => {
  const errorOf = async (answer: Response) => ((await answer.json()) as { error: string }).error;

  test('one without a client_id is no request, and leaves the code good', async () => {
    const code = await world.code(client);
    expect(await errorOf(await world.trade(client, code, { client_id: undefined }))).toBe('invalid_request');
    expect((await world.trade(client, code)).status).toBe(200);
  });

  test('a client that is not known from its Authorization header is told how to say it (RFC 6749, 5.2)', async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    const basic = (id: string) => ({ Authorization: `Basic ${Buffer.from(`${id}:`).toString('base64')}` });
    const unknown = await world.post('/oauth/token', form, basic('nobody'));
    expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Repertoire"']);
    expect(await errorOf(await world.post('/oauth/token', form, basic(client)))).toBe('invalid_grant');
  });
});
