// Sign-in by OAuth, over a real server: each step in its right form beside what is refused (O1-O5).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BACK, challengeOf, OAuthWorld, OPERATOR, PASSWORD, VERIFIER } from '../../tests/support/oauth-world.ts';

const world = new OAuthWorld();
let client: string;
let other: string;

beforeAll(async () => {
  await world.start({ redirectSchemes: ['cursor'] });
  client = await world.register();
  other = await world.register({ client_name: 'Another' });
});
afterAll(() => world.close());

const errorOf = async (answer: Response) => [answer.status, ((await answer.json()) as { error: string }).error];
const backOf = (answer: Response) => new URL(answer.headers.get('location') ?? 'http://nowhere/').searchParams;

test('a 401 of /mcp points to metadata that names resource, server and scopes (O1)', async () => {
  const refused = await world.mcp(undefined);
  const challenge = refused.headers.get('www-authenticate') ?? '';
  expect([refused.status, challenge]).toEqual([
    401,
    `Bearer resource_metadata="${world.origin}/.well-known/oauth-protected-resource/mcp", scope="skills:read skills:invoke"`,
  ]);
  for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']) {
    const metadata = await (await world.ask(path)).json();
    expect(metadata).toMatchObject({
      resource: world.resource,
      authorization_servers: [world.origin],
      scopes_supported: [
        'skills:read',
        'skills:invoke',
        'log:read',
        'skills:propose',
        'skills:approve',
        'runs:approve',
      ],
    });
  }
});

test('the authorization server describes itself (O2)', async () => {
  expect(await (await world.ask('/.well-known/oauth-authorization-server')).json()).toMatchObject({
    issuer: world.origin,
    authorization_endpoint: `${world.origin}/oauth/authorize`,
    token_endpoint: `${world.origin}/oauth/token`,
    registration_endpoint: `${world.origin}/oauth/register`,
    revocation_endpoint: `${world.origin}/oauth/revoke`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
});

test('a client gets a code, tokens, an answer, new tokens (O2, O4, O5)', async () => {
  const back = await world.decide(await world.page(client), { token: OPERATOR });
  expect(back.status).toBe(303);
  expect(Object.fromEntries(backOf(back))).toEqual({
    code: expect.stringMatching(/^rpc_/),
    state: 'a state',
    iss: world.origin,
  });
  const traded = await world.trade(client, backOf(back).get('code') ?? '', { resource: world.resource });
  expect([traded.status, traded.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const tokens = (await traded.json()) as Record<string, string>;
  expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'skills:read skills:invoke' });
  expect(Number(tokens.expires_in)).toBeLessThanOrEqual(3_600);
  const called = await world.mcp(tokens.access_token, 'tools/call', {
    name: 'skill',
    arguments: { name: 'sql-review' },
  });
  expect([called.status, await called.text()]).toEqual([200, expect.stringContaining('Loading: sql-review')]);
  const refreshed = await world.refresh(client, tokens.refresh_token ?? '');
  const next = (await refreshed.json()) as Record<string, string>;
  expect(next.refresh_token).not.toBe(tokens.refresh_token);
  expect((await world.mcp(next.access_token)).status).toBe(200);
});

/** Nothing is sent back to an address that is not the client's. */
describe('what is wrong with client or address is shown, never sent there (O4)', () => {
  test.each([
    ['an unknown client', { client_id: 'b0b0b0b0-0000-4000-8000-000000000000' }],
    ['no client', { client_id: undefined }],
    ['no address', { redirect_uri: undefined }],
    ['another address', { redirect_uri: 'https://evil.example/callback' }],
    ['another path', { redirect_uri: `${BACK}/more` }],
    ['a query more', { redirect_uri: `${BACK}?next=evil` }],
    ['another letter case', { redirect_uri: BACK.replace('callback', 'Callback') }],
    ['another name of this machine', { redirect_uri: BACK.replace('127.0.0.1', 'localhost') }],
    ['a name that begins like it', { redirect_uri: BACK.replace('127.0.0.1', '127.0.0.1.evil.example') }],
    ['a user in it', { redirect_uri: BACK.replace('127.0.0.1', '127.0.0.1@evil.example') }],
    ['https in place of http', { redirect_uri: BACK.replace('http', 'https') }],
    ['a fragment', { redirect_uri: `${BACK}#part` }],
  ])('%s', async (_what, changes) => {
    const answer = await world.authorize(client, changes);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(answer.headers.get('content-type')).toContain('text/html');
  });

  test('while any port of this machine will do', async () => {
    const elsewhere = BACK.replace('9999', '40123');
    expect((await world.authorize(client, { redirect_uri: elsewhere })).status).toBe(200);
    const code = await world.code(client, { redirect_uri: elsewhere });
    expect(await errorOf(await world.trade(client, code))).toEqual([400, 'invalid_grant']);
    expect((await world.trade(client, code, { redirect_uri: elsewhere })).status).toBe(200);
  });
});

describe('what is wrong with a request is told to the client, with iss and state (O2, O4)', () => {
  test.each([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['PKCE without a method, which would be plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['PKCE by plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge that is no SHA-256', { code_challenge: 'short' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['the resource without its path', { resource: 'http://127.0.0.1' }, 'invalid_target'],
    ['scopes that are none', { scope: 'admin root' }, 'invalid_scope'],
    ['a request object', { request: 'eyJ' }, 'request_not_supported'],
    ['an answer without a page', { prompt: 'none' }, 'consent_required'],
    ['an answer in a fragment', { response_mode: 'fragment' }, 'invalid_request'],
  ])('%s', async (_what, changes, error) => {
    const answer = await world.authorize(client, changes);
    const back = backOf(answer);
    expect([answer.status, back.get('error'), back.get('state'), back.get('iss'), back.get('code')]).toEqual([
      303,
      error,
      'a state',
      world.origin,
      null,
    ]);
  });
});

describe('a code is good once, for its client, address, verifier and resource (O4)', () => {
  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(64) }, 'invalid_grant'],
    ['the challenge as the verifier', { code_verifier: challengeOf(VERIFIER) }, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 'invalid_request'],
    ['another address', { redirect_uri: 'http://127.0.0.1:9999/other' }, 'invalid_grant'],
    ['no address', { redirect_uri: undefined }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['another grant type', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ['a password grant', { grant_type: 'password', username: 'a', password: 'b' }, 'unsupported_grant_type'],
    ['no grant type', { grant_type: undefined }, 'invalid_request'],
    ['a code that is none', { code: `rpc_${'x'.repeat(43)}` }, 'invalid_grant'],
  ])('%s', async (_what, changes, error) => {
    const code = await world.code(client);
    expect(await errorOf(await world.trade(client, code, changes))).toEqual([400, error]);
    expect((await world.trade(client, code)).status).toBe(200);
  });

  test('another client', async () => {
    const code = await world.code(client);
    expect(await errorOf(await world.trade(other, code))).toEqual([400, 'invalid_grant']);
    expect(await errorOf(await world.trade('nobody', code))).toEqual([401, 'invalid_client']);
    expect((await world.trade(client, code)).status).toBe(200);
  });

  test('used twice, everything that came of it is revoked', async () => {
    const code = await world.code(client);
    const tokens = (await (await world.trade(client, code)).json()) as Record<string, string>;
    const next = (await (await world.refresh(client, tokens.refresh_token ?? '')).json()) as Record<string, string>;
    expect((await world.mcp(next.access_token)).status).toBe(200);
    expect(await errorOf(await world.trade(client, code))).toEqual([400, 'invalid_grant']);
    expect((await world.mcp(tokens.access_token)).status).toBe(401);
    expect((await world.mcp(next.access_token)).status).toBe(401);
    expect(await errorOf(await world.refresh(client, next.refresh_token ?? ''))).toEqual([400, 'invalid_grant']);
  });

  test('of many who send it at once, at most one gets tokens', async () => {
    const code = await world.code(client);
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.trade(client, code)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });
});

describe('refresh tokens rotate (O4)', () => {
  test('a used one revokes its family, access tokens included', async () => {
    const first = await world.tokens(client);
    const second = (await (await world.refresh(client, first.refresh_token)).json()) as Record<string, string>;
    expect(await errorOf(await world.refresh(client, first.refresh_token))).toEqual([400, 'invalid_grant']);
    expect((await world.mcp(second.access_token)).status).toBe(401);
    expect(await errorOf(await world.refresh(client, second.refresh_token ?? ''))).toEqual([400, 'invalid_grant']);
  });

  test.each([
    ['another client', () => other, {}, 'invalid_grant'],
    ['more scopes', () => client, { scope: 'skills:read log:read' }, 'invalid_scope'],
    ['a blank for scopes', () => client, { scope: ' ' }, 'invalid_scope'],
    ['another resource', () => client, { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ] as const)('%s is refused, and it stays good', async (_what, whose, changes, error) => {
    const { refresh_token: token } = await world.tokens(client);
    expect(await errorOf(await world.refresh(whose(), token, changes))).toEqual([400, error]);
    expect((await world.refresh(client, token, { scope: 'skills:read' })).status).toBe(200);
  });

  test('one that asks for less gets an access token for less, and may ask for all of it again (RFC 6749, 6)', async () => {
    const { refresh_token: token } = await world.tokens(client);
    const less = (await (await world.refresh(client, token, { scope: 'skills:read' })).json()) as Record<
      string,
      string
    >;
    expect(less.scope).toBe('skills:read');
    const invoke = { name: 'task_sequencing', arguments: {} };
    expect((await world.mcp(less.access_token, 'tools/call', invoke)).status).toBe(403);
    const all = (await (await world.refresh(client, less.refresh_token ?? '')).json()) as Record<string, string>;
    expect(all.scope).toBe('skills:read skills:invoke');
    expect((await world.mcp(all.access_token, 'tools/call', invoke)).status).toBe(200);
  });

  test('an access token is no refresh token, and the other way round', async () => {
    const { access_token: access, refresh_token: refresh } = await world.tokens(client);
    expect(await errorOf(await world.refresh(client, access))).toEqual([400, 'invalid_grant']);
    expect((await world.mcp(refresh)).status).toBe(401);
    expect((await world.mcp(access)).status).toBe(200);
  });
});

describe('a token comes in the Authorization header alone (O5)', () => {
  test('not in a query, and not for a session of the dashboard', async () => {
    const { access_token: token } = await world.tokens(client);
    expect((await world.ask(`/api/documents?access_token=${token}`)).status).toBe(401);
    const body = JSON.stringify({ token });
    const session = await world.ask('/api/session', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(session.status).toBe(401);
    expect((await world.ask('/api/documents', { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
  });
});

describe('a missing scope is 403, over MCP too (O5)', () => {
  const tool = (name: string) => ['tools/call', { name, arguments: { name: 'sql-review' } }] as const;

  test.each([
    ['skills:invoke', 'skills:read', ...tool('skill')],
    ['skills:invoke', 'skills:read', 'resources/list', {}],
    ['skills:read', 'skills:invoke', ...tool('task_sequencing')],
  ])('a token for %s lacks %s for %s', async (has, lacks, method, params) => {
    const { access_token: token } = await world.tokens(client, { scope: has });
    const answer = await world.mcp(token, method, params);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toMatch(
      new RegExp(`error="insufficient_scope", scope="${lacks}", resource_metadata="`),
    );
    const { access_token: both } = await world.tokens(client);
    expect((await world.mcp(both, method, params)).status).toBe(200);
  });

  test('over the API as well', async () => {
    const { access_token: token } = await world.tokens(client, { scope: 'skills:invoke' });
    const headers = { Authorization: `Bearer ${token}` };
    for (const [path, scope] of [
      ['/api/documents', 'skills:read'],
      ['/api/invocations', 'log:read'],
    ] as const) {
      const answer = await world.ask(path, { headers });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
        403,
        expect.stringContaining(`scope="${scope}"`),
      ]);
    }
  });

  test('a client of the operator gets nothing that only the operator may do', async () => {
    const scope = 'skills:read skills:invoke log:read skills:propose skills:approve runs:approve';
    const { access_token: token } = await world.tokens(client, { scope });
    const headers = { Authorization: `Bearer ${token}` };
    expect((await world.ask('/api/invocations', { headers })).status).toBe(200);
    expect((await world.ask('/api/agents', { headers })).status).toBe(403);
  });
});

describe('a person allows what they have (O3, O5)', () => {
  test('with email and password; scopes that they lack are not granted, and calls are recorded under both', async () => {
    const { email, id } = await world.addPerson();
    const signIn = { email, password: PASSWORD };
    const tokens = await world.tokens(client, { scope: 'skills:read skills:invoke log:read' }, signIn);
    expect(tokens.scope).toBe('skills:read skills:invoke');
    const called = await world.mcp(tokens.access_token, 'tools/call', {
      name: 'task_creation',
      arguments: { user_id: id, title: 'Buy paper' },
    });
    expect(await called.text()).toContain('task_id');
    const listed = (await world.operate('/api/invocations?skill=task_creation')) as {
      invocations: { invoking_agent: string }[];
    };
    expect(listed.invocations[0]?.invoking_agent).toBe(`${id} via Test client`);
  });

  test('a scope that is taken away from them is none of the token any more, which stays', async () => {
    const { email } = await world.addPerson(['log:read']);
    const tokens = await world.tokens(client, { scope: 'skills:read log:read' }, { email, password: PASSWORD });
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    expect((await world.ask('/api/invocations', { headers })).status).toBe(200);
    await world.operate(`/api/users/${encodeURIComponent(email)}/ungrant`, { scopes: ['log:read'] });
    await expect.poll(async () => (await world.ask('/api/invocations', { headers })).status).toBe(403);
    const lacking = await world.ask('/api/invocations', { headers });
    expect(lacking.headers.get('www-authenticate')).toMatch(/error="insufficient_scope", scope="log:read"/);
    expect((await world.ask('/api/documents', { headers })).status).toBe(200);
  });
});

describe('revocation by the client (O2, O4)', () => {
  test('a refresh token takes its access tokens along; one of another client stays', async () => {
    const { access_token: access, refresh_token: token } = await world.tokens(client);
    expect((await world.post('/oauth/revoke', { token, client_id: other })).status).toBe(200);
    expect((await world.mcp(access)).status).toBe(200);
    expect((await world.post('/oauth/revoke', { token, client_id: client })).status).toBe(200);
    expect((await world.mcp(access)).status).toBe(401);
  });

  test('an access token goes alone', async () => {
    const { access_token: token, refresh_token: refresh } = await world.tokens(client);
    expect((await world.post('/oauth/revoke', { token, client_id: client })).status).toBe(200);
    expect((await world.mcp(token)).status).toBe(401);
    expect((await world.refresh(client, refresh)).status).toBe(200);
  });

  test.each([
    ['no client', { token: 'x' }, 400],
    ['an unknown client', { token: 'x', client_id: 'nobody' }, 401],
    ['no token', { client_id: 'nobody' }, 400],
  ])('%s is refused', async (_what, form, status) => {
    expect((await world.post('/oauth/revoke', form)).status).toBe(status);
  });
});
