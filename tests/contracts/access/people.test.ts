// People over the built program: granted roles and scopes, signed in with email and password or by a token, on both stores
// (N6, N7).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { askModern } from '../../support/http-mcp-client.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import {
  AccessWorld,
  type Answer,
  expectFailure,
  expectRefusedResult,
  type Fields,
  type User,
} from './access-world.ts';

/** What every user may invoke for themselves; a skill without roles is for agents. */
const OPEN_TO_USERS = [
  ...['task_creation', 'task_retrieval', 'task_update', 'task_deletion'],
  ...['ownership_validation', 'suggestion_generation'],
];

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  let world: AccessWorld;
  let [ada, bob] = [{} as User, {} as User]; // filled by beforeAll
  let cookie = '';

  beforeAll(async () => {
    const place =
      kind === 'sqlite' ? [] : ['--database-url', (await createDatabase({ url: inject('postgresUrl') })).url];
    world = new AccessWorld(place);
    await world.start();
    [ada, bob] = await Promise.all([world.addUser('ada'), world.addUser('bob')]);
    await world.command('user', 'grant', ada.email.toUpperCase(), '--role', 'UserAgent', '--scope', 'log:read');
    cookie = await world.signIn('ada');
  });
  afterAll(() => world.end());

  const asAda = (path: string, more: object = {}) => world.ask(path, { headers: { cookie }, ...more });
  const namesOf = (items: unknown, key = 'name') =>
    (items as readonly Fields[]).map((item) => String(item[key])).sort();

  test('who signs in is the person with what was granted, and the log is open with its scope (N6)', async () => {
    expect((await asAda('/api/me')).json).toMatchObject({
      ...{
        kind: 'user',
        name: ada.id,
        email: ada.email,
        display_name: null,
        roles: ['UserAgent'],
        scopes: ['log:read'],
      },
      ...{ may_read_log: true, is_operator: false, authentication: 'on' },
    });
    for (const path of [
      '/api/invocations',
      '/api/loads',
      '/api/stats',
      '/api/overview',
      '/api/activity',
      '/metrics',
      '/api/events',
    ])
      expect([path, (await asAda(path)).status]).toEqual([path, 200]);
    for (const path of ['/api/agents', '/api/users', '/api/connections'])
      expectFailure(await asAda(path), 403, 'UNAUTHORIZED');
  });

  test('rights are seen alike in lists, search, function tools and MCP tools (N6, X10)', async () => {
    const opened = [...OPEN_TO_USERS, 'user_creation', 'account_deletion'].sort();
    expect(namesOf((await asAda('/api/typed-skills')).json.skills)).toEqual(opened);
    expect((await asAda('/api/me')).json.may_invoke).toEqual(expect.arrayContaining(opened));
    const { text } = await asAda('/api/openai/tools');
    const listed = text.match(/"name":"(\w+)"/g)?.map((each) => each.slice(8, -1)) ?? [];
    for (const name of ['token_generation', 'workflow_coordination', 'task_sequencing'])
      expect(listed).not.toContain(name);
    for (const name of opened) expect(listed).toContain(name);
    const found = async (headers: object) =>
      namesOf((await world.ask('/api/search?q=create+a+user+account&limit=20', headers)).json.results).includes(
        'user_creation',
      );
    expect([await found({ headers: { cookie } }), await found({ token: bob.token })]).toEqual([true, false]);
    const tools = await askModern(world.mcp, 'tools/list', {}, { headers: { authorization: `Bearer ${ada.token}` } });
    const result = tools.messages[0]?.result as { readonly tools: readonly Fields[] }; // MCP
    const typed = namesOf(result.tools).filter((name) => name.includes('_') && !/skill/.test(name));
    expect(typed).toEqual(opened);
  });

  test('a role opens a skill for every id, as for an agent; without one it is for their own (N6)', async () => {
    const own = { user_id: bob.id };
    expect((await world.invoke(bob.token, 'task_retrieval', own)).status).toBe(200);
    expectRefusedResult(await world.invoke(ada.token, 'task_retrieval', own), 403, 'UNAUTHORIZED');
    await world.command('user', 'grant', ada.email, '--role', 'TaskAgent');
    await expect.poll(async () => (await world.invoke(ada.token, 'task_retrieval', own)).status).toBe(200);
    await world.command('user', 'ungrant', ada.email, '--role', 'TaskAgent');
    await expect.poll(async () => (await world.invoke(ada.token, 'task_retrieval', own)).status).toBe(403);
    const refused = await world.invoke(bob.token, 'user_creation', {});
    expectRefusedResult(refused, 403, 'UNAUTHORIZED');
    expect(refused.json.failure_message).toContain('it needs the role UserAgent');
  });

  test('scopes that token_generation writes into a token grant nothing (N6)', async () => {
    const scopes = ['log:read', 'skills:propose', 'skills:approve', 'runs:approve'];
    const made = await world.give('token_generation', { user_id: bob.id, email: bob.email, scopes });
    const token = String(made.access_token);
    expect((await world.ask('/api/me', { token })).json).toMatchObject({ roles: [], scopes: [], may_read_log: false });
    expectFailure(await world.ask('/api/invocations', { token }), 403, 'UNAUTHORIZED');
    expect(await world.give('token_validation', { token, required_scopes: scopes })).toMatchObject({
      valid: true,
      scopes,
    });
  });

  test('nobody grants more than they have: who may issue tokens gains nothing by one for a person with more (N6)', async () => {
    const issuer = await world.addAgent(`issuer`, '--role', 'AuthAgent', '--role', 'UserAgent');
    const { json } = await world.invoke(issuer, 'token_generation', { user_id: ada.id, email: ada.email });
    const token = String((json.output_payload as Fields).access_token);
    // The agent has the role itself, and not the scope.
    expect((await world.ask('/api/me', { token })).json).toMatchObject({ roles: ['UserAgent'], scopes: [] });
    expectFailure(await world.ask('/api/invocations', { token }), 403, 'UNAUTHORIZED');
    for (const caller of [issuer, ada.token, token])
      for (const path of ['/api/users/bob%40example.org/grant', '/api/agents'])
        expectFailure(
          await world.ask(path, { token: caller, body: { name: 'x', scopes: ['log:read'] } }),
          403,
          'UNAUTHORIZED',
        );
  });

  test('a version that was made with a token for another person is not approved by who issued the token (L2, N6)', async () => {
    const scopes = ['--scope', 'skills:propose', '--scope', 'skills:approve'];
    const author = await world.addAgent('author', '--role', 'AuthAgent', ...scopes);
    const judge = await world.addAgent('judge', ...scopes);
    const eli = await world.addUser('eli');
    await world.command('user', 'grant', eli.email, '--scope', 'skills:propose');
    const { json } = await world.invoke(author, 'token_generation', { user_id: eli.id, email: eli.email });
    const token = String((json.output_payload as Fields).access_token);
    await world.command('review', 'policy', 'on');
    const text = '---\nname: borrowed\ndescription: Made in the name of another.\n---\n# Steps\n';
    const body = { files: [{ path: 'SKILL.md', text }], message: 'first' };
    const made = await world.ask('/api/library/borrowed', { method: 'PUT', token, body });
    const { digest, author: by } = made.json.version as Fields;
    expect(by).toBe(`user:${eli.email}`);
    const approve = (as: string) =>
      world.ask(`/api/library/borrowed/versions/${digest}/approve`, { token: as, body: { message: '' } });
    expectFailure(await approve(author), 403, 'UNAUTHORIZED');
    expect((await approve(judge)).status).toBe(200);
    await world.command('review', 'policy', 'off');
  });

  test('a scope that is taken away ends the live events, and a deleted user the session (N6)', async () => {
    const eve = await world.addUser('eve');
    await world.command('user', 'grant', eve.email, '--scope', 'log:read');
    const own = await world.signIn('eve');
    const streamed = await fetch(`${world.server.url}/api/events`, { headers: { cookie: own } });
    expect(streamed.status).toBe(200);
    await world.command('user', 'ungrant', eve.email);
    // Ends by itself.
    await streamed.text();
    const status = async (path: string) => (await world.ask(path, { headers: { cookie: own } })).status;
    await expect.poll(() => status('/api/invocations')).toBe(403);
    expect(await status('/api/documents')).toBe(200);
    await world.give('account_deletion', { user_id: eve.id });
    await expect.poll(() => status('/api/documents')).toBe(401);
    expectFailure(
      await world.ask('/api/session', { body: { email: eve.email, password: 'correct horse eve' } }),
      401,
      'UNAUTHORIZED',
    );
  });

  test('users are listed with what they have, and those whose email has some letters alone (N6)', async () => {
    const listed = JSON.parse(await world.command('user', 'list', '--json'));
    expect(listed.users).toContainEqual({
      ...{ user_id: ada.id, email: ada.email, display_name: null, roles: ['UserAgent'], scopes: ['log:read'] },
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const { json } = await world.ask('/api/users?email=BOB&limit=1', { token: world.operator });
    expect(json).toMatchObject({ users: [{ email: bob.email, roles: [], scopes: [] }], next_cursor: null });
    expectFailure(await world.ask('/api/users?cursor=nonsense', { token: world.operator }), 400, 'VALIDATION_ERROR');
  });
});

describe('signing in', () => {
  const world = new AccessWorld();
  beforeAll(async () => {
    await world.start();
    await world.addUser('zoe');
  });
  afterAll(() => world.end());

  const RIGHT = { email: 'zoe@example.org', password: 'correct horse zoe' };
  const signIn = (body: unknown, headers: object = {}) => world.ask('/api/session', { body, headers: { ...headers } });

  test.each([
    ['both forms', { ...RIGHT, token: 'x' }],
    ['half of one', { email: RIGHT.email }],
    ['another field', { ...RIGHT, remember: true }],
    ['a password that is no text', { ...RIGHT, password: ['correct horse zoe'] }],
    ['nothing', {}],
    ['a text', '"zoe"'],
  ])('with %s is 400, and sets no cookie (N6)', async (_what, body) => {
    const answer = await signIn(body);
    expectFailure(answer, 400, 'VALIDATION_ERROR');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.text).not.toContain('horse');
  });

  test('with a wrong password and with an unknown email gets one answer (N6)', async () => {
    const answers = [
      await signIn({ ...RIGHT, password: 'wrong horse' }),
      await signIn({ ...RIGHT, email: 'none@example.org' }),
    ];
    for (const answer of answers) expectFailure(answer, 401, 'UNAUTHORIZED');
    expect(new Set(answers.map(({ json }) => json.failure_message)).size).toBe(1);
  });

  test('from a page of another origin or site, or as a form, is refused (N6, H4)', async () => {
    expect((await signIn(RIGHT, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await signIn(RIGHT, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await signIn(RIGHT, { 'content-type': 'text/plain' })).status).toBe(415);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await signIn('email=zoe%40example.org&password=x', form)).status).toBe(415);
  });

  test('ten tries a minute and email count, together with those of credential_validation (N6, B4)', async () => {
    await world.addUser('tried');
    const email = 'tried@example.org';
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await signIn({ email, password: 'wrong' })).status).toBe(401);
      await world.give('credential_validation', { email: email.toUpperCase(), password: 'wrong' });
    }
    const late = await signIn({ email, password: 'correct horse tried' });
    expectFailure(late, 429, 'RATE_EXCEEDED');
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
    expect((await world.invoke(world.operator, 'credential_validation', { email, password: 'x' })).status).toBe(429);
    // Another email is not held back.
    expect((await signIn(RIGHT)).status).toBe(204);
  });

  test('leaves no password behind, on the disk or in what the server says (N6, B2)', async () => {
    await signIn({ ...RIGHT, password: 'a-wrong-one-9f3' });
    const folder = join(world.folder, 'data');
    const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    for (const text of [...kept, world.server.stderr()])
      for (const secret of [RIGHT.password, 'a-wrong-one-9f3']) expect(text).not.toContain(secret);
  });
});

test('with --no-log people sign in, too (N6, X7)', async () => {
  const world = new AccessWorld();
  try {
    await world.start([...world.dataOptions, '--no-log']);
    const max = await world.addUser('max');
    await world.command('user', 'grant', max.email, '--role', 'UserAgent');
    const me: Answer = await world.ask('/api/me', { headers: { cookie: await world.signIn('max') } });
    expect(me.json).toMatchObject({ email: max.email, roles: ['UserAgent'] });
  } finally {
    await world.end();
  }
});

test('while the database is away signing in answers 503 (N7)', async () => {
  const world = new AccessWorld();
  try {
    await world.start(['--data', join(world.folder, 'data'), '--database-url', 'postgres://127.0.0.1:1/none']);
    const answer = await world.ask('/api/session', { body: { email: 'a@b.example', password: 'correct horse' } });
    expectFailure(answer, 503, 'PERSISTENCE_ERROR');
    expect((await world.ask('/api/documents', { token: world.operator })).status).toBe(200);
  } finally {
    await world.end();
  }
});
