// The consent page and registration, over a real server: what is shown, what is refused, each beside its right form (O2, O3).
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BACK, OAuthWorld, OPERATOR, PASSWORD } from '../../tests/support/oauth-world.ts';

const world = new OAuthWorld();
let client: string;

beforeAll(async () => {
  await world.start({ redirectSchemes: ['cursor'] });
  client = await world.register({ client_name: '<img src=x onerror=alert(1)>' });
});
afterAll(() => world.close());

const backOf = (answer: Response) => new URL(answer.headers.get('location') ?? 'http://nowhere/').searchParams;

test('the page names client, destination and scopes in words, as text, without scripts, in no frame (O3)', async () => {
  const { answer, html } = await world.page(client, { scope: 'skills:read log:read' });
  expect(html).toContain('&#60;img src=x onerror=alert(1)&#62;');
  expect(html).toContain('127.0.0.1:9999');
  expect(html).toContain('Read the skills that you can see');
  expect(html).toContain('Read the log');
  expect(html).not.toContain('Run the typed skills');
  expect(html).not.toMatch(/<script|<img/);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("form-action 'self' http://127.0.0.1:9999 https:;");
  expect(answer.headers.get('x-frame-options')).toBe('DENY');
  expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax; Path=\/oauth;/);
});

test('a host that opens the page in a window of its own keeps hold of it (O3)', async () => {
  const { answer, ...shown } = await world.page(client);
  const back = await world.decide(shown, { token: OPERATOR });
  const fault = await world.authorize('nobody');
  for (const each of [answer, back, fault]) expect(each.headers.get('cross-origin-opener-policy')).toBe('unsafe-none');
  for (const each of [answer, fault]) expect(each.headers.get('x-frame-options')).toBe('DENY');
  const others = await Promise.all(['/', '/oauth/token', '/api/documents'].map((path) => world.ask(path)));
  for (const each of others) expect(each.headers.get('cross-origin-opener-policy')).toBe('same-origin');
});

describe('a form is taken from the browser that was shown the page, and from our own page alone (O3)', () => {
  test.each([
    ['another browser', { cookie: `repertoire_consent=${'x'.repeat(43)}` }, 400],
    ['no cookie', { cookie: '' }, 400],
    ['another origin', { Origin: 'https://evil.example' }, 403],
    ['a page without an origin', { Origin: 'null' }, 403],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['JSON', { 'Content-Type': 'application/json' }, 415],
    ['plain text, as a form of another site can send it', { 'Content-Type': 'text/plain' }, 415],
  ])('%s is refused', async (_what, headers, status) => {
    const shown = await world.page(client);
    const refused = await world.decide(shown, { token: OPERATOR }, headers);
    expect([refused.status, refused.headers.get('location')]).toEqual([status, null]);
    expect(backOf(await world.decide(shown, { token: OPERATOR })).get('code')).toMatch(/^rpc_/);
  });

  test('a ticket that was changed is none, nor is none', async () => {
    const shown = await world.page(client);
    const [text = '', signature = ''] = shown.ticket.split('.');
    const said = JSON.parse(Buffer.from(text, 'base64url').toString()) as { request: object };
    const forged = { ...said, request: { ...said.request, redirectUri: 'https://evil.example/' } };
    const tickets = [
      '',
      'x.y',
      `${text}.${'é'.repeat(signature.length)}`,
      `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`,
    ];
    for (const ticket of tickets)
      expect((await world.decide({ ...shown, ticket }, { token: OPERATOR })).status).toBe(400);
  });
});

describe('who decides signs in afresh (O3)', () => {
  test.each([
    ['a wrong token', { token: `rpo_${'w'.repeat(43)}` }, 401],
    ['a wrong password', { email: 'nobody@example.com', password: 'not the one' }, 401],
    ['nothing', {}, 400],
    ['an email without a password', { email: 'nobody@example.com' }, 400],
  ])('%s is not enough', async (_what, fields, status) => {
    const answer = await world.decide(await world.page(client), fields);
    expect([answer.status, answer.headers.get('location')]).toEqual([status, null]);
    expect(await answer.text()).toContain('name="ticket"');
  });

  test("neither the dashboard's session nor the token of an agent or of a client counts", async () => {
    const json = { 'Content-Type': 'application/json' };
    const opened = await world.ask('/api/session', {
      method: 'POST',
      body: JSON.stringify({ token: OPERATOR }),
      headers: json,
    });
    const session = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const shown = await world.page(client);
    const both = { ...shown, cookie: `${shown.cookie}; ${session}` };
    expect((await world.decide(both, {})).status).toBe(400);
    const { token } = (await world.operate('/api/agents', { name: 'helper', roles: ['*'] })) as { token: string };
    expect((await world.decide(shown, { token })).status).toBe(401);
    const { access_token: own } = await world.tokens(client);
    expect((await world.decide(shown, { token: own })).status).toBe(401);
    expect((await world.decide(both, { token: OPERATOR })).status).toBe(303);
  });

  test('Deny needs no sign-in, and tells the client', async () => {
    const back = await world.decide(await world.page(client), { decision: 'deny' });
    expect([backOf(back).get('error'), backOf(back).get('iss'), backOf(back).get('code')]).toEqual([
      'access_denied',
      world.origin,
      null,
    ]);
    expect((await world.decide(await world.page(client), { decision: undefined, token: OPERATOR })).status).toBe(400);
  });

  test('tries at a password are limited, with those at the dashboard', async () => {
    const { email } = await world.addPerson();
    const shown = await world.page(client);
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1)
      statuses.push((await world.decide(shown, { email, password: 'wrong' })).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.slice(10)).toEqual([429, 429]);
    const session = await world.ask('/api/session', {
      method: 'POST',
      body: JSON.stringify({ email, password: PASSWORD }),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(session.status).toBe(429);
  });

  test('who tried too many tokens is told on the page to wait, and may go on there (O3)', async () => {
    const apart = await new OAuthWorld().start();
    try {
      const shown = await apart.page(await apart.register());
      const tryIt = (token: string) => apart.decide(shown, { token }, { 'X-Forwarded-For': '192.0.2.7' });
      for (let count = 0; count < 60; count += 1) expect((await tryIt(`rpo_${'w'.repeat(43)}`)).status).toBe(401);
      const refused = await tryIt(`rpo_${'w'.repeat(43)}`);
      expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(refused.headers.get('x-frame-options')).toBe('DENY');
      const html = await refused.text();
      expect(html).toContain(`Wait ${seconds} seconds`);
      expect(html).toContain('name="ticket"');
      expect((await tryIt(OPERATOR)).status).toBe(303);
    } finally {
      await apart.close();
    }
  });
});

/** `fetch` writes these headers itself. */
const statusOf = (url: string, headers: Record<string, string>) =>
  new Promise((resolve, reject) => {
    get(url, { headers }, (answer) => resolve(answer.resume().statusCode)).once('error', reject);
  });

describe('another site may lead to the page, and nowhere else (O3)', () => {
  const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  test('a link opens it, a frame or a script does not', async () => {
    const { url } = await world.authorize(client);
    expect(await statusOf(url, link)).toBe(200);
    expect(await statusOf(url, { ...link, 'Sec-Fetch-Dest': 'iframe' })).toBe(403);
    expect(await statusOf(url, { ...link, 'Sec-Fetch-Mode': 'no-cors' })).toBe(403);
  });

  test.each(['/oauth/token', '/oauth/revoke', '/oauth/register', '/api/documents', '/mcp'])(
    '%s stays closed',
    async (path) => {
      expect(
        (await world.ask(path, { method: 'POST', headers: { ...link, Origin: 'https://evil.example' } })).status,
      ).toBe(403);
    },
  );

  test('every other route takes JSON alone', async () => {
    for (const path of ['/api/session', '/mcp', '/oauth/register'])
      expect((await world.post(path, { token: OPERATOR })).status).toBe(415);
  });
});

describe('registration (O2)', () => {
  const register = (metadata: unknown) =>
    apart.ask('/oauth/register', {
      method: 'POST',
      body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
      headers: { 'Content-Type': 'application/json' },
    });
  const apart = new OAuthWorld();
  beforeAll(async () => void (await apart.start({ redirectSchemes: ['cursor'] })));
  afterAll(() => apart.close());

  test.each([
    ['http elsewhere', { redirect_uris: ['http://example.com/back'] }],
    ['a scheme that is not listed', { redirect_uris: ['vscode://back'] }],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['data', { redirect_uris: ['data:text/html,x'] }],
    ['a fragment', { redirect_uris: ['https://example.com/back#x'] }],
    ['a user', { redirect_uris: ['https://a:b@example.com/back'] }],
    ['many hosts', { redirect_uris: ['https://*.example.com/back'] }],
    ['a path in place of a host', { redirect_uris: ['https:///example.com/back'] }],
    ['no slashes', { redirect_uris: ['https:example.com/back'] }],
    ['a good one and a bad one', { redirect_uris: [BACK, 'http://example.com/'] }],
    ['no address', { redirect_uris: [] }],
    ['no list', { redirect_uris: BACK }],
    ['no fields', []],
    ['no JSON', '{'],
    ['a grant that is not offered', { redirect_uris: [BACK], grant_types: ['client_credentials'] }],
    ['a name that is none', { redirect_uris: [BACK], client_name: { a: 1 } }],
  ])('%s is refused', async (_what, metadata) => {
    const answer = await register(metadata);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: string }).error).toMatch(/^invalid_(?:redirect_uri|client_metadata)$/);
  });

  test('https, this machine and listed schemes are taken, ten an hour from one address, then 429', async () => {
    const good = { redirect_uris: ['https://example.com/back', BACK, 'http://localhost/x', 'cursor://anysphere/back'] };
    const answers = await Promise.all(Array.from({ length: 12 }, () => register(good)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(201), 429, 429]);
    const [first] = answers.filter(({ status }) => status === 201);
    expect(await first?.json()).toMatchObject({
      token_endpoint_auth_method: 'none',
      redirect_uris: good.redirect_uris,
    });
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('3600');
  });
});
