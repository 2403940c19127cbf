// Who may use which route: every operation that the API describes × every kind of caller. A new route needs a row here.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post } from '../../support/http-mcp-client.ts';
import {
  AccessWorld,
  type Answer,
  expectFailure,
  expectRefusedResult,
  type Fields,
  initialize,
  type User,
} from './access-world.ts';

const world = new AccessWorld();
const known = ['operator', 'taskAgent', 'logReader', 'ada', 'bob', 'person'] as const;
type Known = (typeof known)[number];
const tokens = {} as Record<Known, string>; // filled by beforeAll
const badTokens: Record<string, string> = {};
let operations: readonly string[] = [];
let publicOperations: readonly string[] = [];
let ada: User;
let tokenOfGoneUser = '';
let invocationId = '';

interface Row {
  readonly path: () => string;
  readonly body?: () => unknown;
  /** Who is let in; the others get 403, or what `others` says. */
  readonly for: readonly Known[] | 'everybody';
  /** What may not be seen does not exist. */
  readonly others?: 404;
  /** What they get who are let in; 200 unless it says so. */
  readonly status?: number;
  /** Refused by the skill, so the body is a result. */
  readonly result?: true;
}

/** `person`: a user with the role TaskAgent and the scope log:read (N6). */
const logReaders: readonly Known[] = ['operator', 'logReader', 'person'];

const NO_DIGEST = `sha256:${'0'.repeat(64)}`;
const ofVersion = (what: string) => `/api/library/none/versions/${NO_DIGEST}${what}`;

const rowsOfContract: Record<string, Row> = {
  'get /api/documents': { path: () => '/api/documents', for: known },
  'get /api/documents/{name}': { path: () => '/api/documents/release-notes', for: known },
  'get /api/documents/{name}/files/{path}': { path: () => '/api/documents/release-notes/files/SKILL.md', for: known },
  'get /.well-known/agent-skills/index.json': { path: () => '/.well-known/agent-skills/index.json', for: known },
  'get /.well-known/agent-skills/{name}/{file}': {
    path: () => '/.well-known/agent-skills/release-notes/release-notes.tar.gz',
    for: known,
  },
  'get /api/problems': { path: () => '/api/problems', for: known },
  'get /api/search': { path: () => '/api/search?q=release', for: known },
  'get /api/typed-skills': { path: () => '/api/typed-skills', for: known },
  'get /api/typed-skills/{name}': {
    path: () => '/api/typed-skills/task_creation',
    for: ['operator', 'taskAgent', 'ada', 'bob', 'person'],
    others: 404,
  },
  'post /api/typed-skills/{name}/invoke': {
    path: () => '/api/typed-skills/task_retrieval/invoke',
    body: () => ({ user_id: ada.id }),
    for: ['operator', 'taskAgent', 'ada', 'person'],
    result: true,
  },
  'get /api/sources': { path: () => '/api/sources', for: ['operator'] },
  'post /api/sources/check': { path: () => '/api/sources/check', body: () => ({}), for: ['operator'] },
  'get /api/upkeep': { path: () => '/api/upkeep', for: logReaders },
  'get /api/trail': { path: () => '/api/trail', for: ['operator'] },
  'get /api/library': { path: () => '/api/library', for: ['operator'] },
  'put /api/library/{name}': { path: () => '/api/library/none', body: () => ({}), for: ['operator'], status: 400 },
  'delete /api/library/{name}': { path: () => '/api/library/none', for: ['operator'], status: 404 },
  'get /api/library/{name}/versions': { path: () => '/api/library/none/versions', for: ['operator'], status: 404 },
  'get /api/library/{name}/versions/{digest}': { path: () => ofVersion(''), for: ['operator'], status: 404 },
  'get /api/library/{name}/diff': {
    path: () => `/api/library/none/diff?to=${NO_DIGEST}`,
    for: ['operator'],
    status: 404,
  },
  'post /api/library/{name}/versions/{digest}/approve': {
    path: () => ofVersion('/approve'),
    body: () => ({}),
    for: ['operator'],
    status: 404,
  },
  'post /api/library/{name}/versions/{digest}/reject': {
    path: () => ofVersion('/reject'),
    body: () => ({}),
    for: ['operator'],
    status: 404,
  },
  'post /api/library/{name}/rollback': {
    path: () => '/api/library/none/rollback',
    body: () => ({ to: NO_DIGEST }),
    for: ['operator'],
    status: 404,
  },
  'post /api/library/{name}/withdraw': {
    path: () => '/api/library/none/withdraw',
    body: () => ({}),
    for: ['operator'],
    status: 404,
  },
  'delete /api/library/{name}/versions/{digest}': { path: () => ofVersion(''), for: ['operator'], status: 404 },
  'post /api/library/{name}/check': {
    path: () => '/api/library/none/check',
    body: () => ({ files: [] }),
    for: ['operator'],
  },
  'post /api/review/policy': { path: () => '/api/review/policy', body: () => ({ review: 'off' }), for: ['operator'] },
  'get /api/invocations': { path: () => '/api/invocations', for: logReaders },
  'get /api/invocations/{id}': {
    path: () => `/api/invocations/${invocationId}`,
    for: logReaders,
    others: 404,
  },
  'get /api/runs': { path: () => '/api/runs', for: known },
  'get /api/runs/waiting': { path: () => '/api/runs/waiting', for: known },
  'get /api/schedules': { path: () => '/api/schedules', for: logReaders },
  'delete /api/invocations/{id}': { path: () => `/api/invocations/${invocationId}`, for: ['operator'], others: 404 },
  'post /api/invocations/{id}/approve': {
    path: () => `/api/invocations/${invocationId}/approve`,
    body: () => ({}),
    for: ['operator'],
    status: 404,
  },
  'post /api/invocations/{id}/reject': {
    path: () => `/api/invocations/${invocationId}/reject`,
    body: () => ({}),
    for: ['operator'],
    status: 404,
  },
  'get /api/loads': { path: () => '/api/loads', for: logReaders },
  'get /api/activity': { path: () => '/api/activity', for: logReaders },
  'get /api/activity/choices': { path: () => '/api/activity/choices', for: logReaders },
  'get /api/uses': { path: () => '/api/uses', for: logReaders },
  'get /api/uses/{name}': { path: () => '/api/uses/release-notes', for: logReaders },
  'get /api/stats': { path: () => '/api/stats', for: logReaders },
  'get /metrics': { path: () => '/metrics', for: logReaders },
  'get /api/openai/tools': { path: () => '/api/openai/tools', for: known },
  'post /api/openai/dispatch': {
    path: () => '/api/openai/dispatch',
    body: () => ({ id: 'call_1', type: 'function', function: { name: 'list_skills', arguments: '{}' } }),
    for: known,
  },
  'get /api/openapi.json': { path: () => '/api/openapi.json', for: known },
  'get /health': { path: () => '/health', for: 'everybody' },
  'get /ready': { path: () => '/ready', for: 'everybody' },
};

/** Of the dashboard: they have to hold as soon as the API describes them. */
const rowsOfDashboard: Record<string, Row> = {
  'post /api/session': {
    path: () => '/api/session',
    body: () => ({ token: tokens.operator }),
    for: 'everybody',
    status: 204,
  },
  'delete /api/session': { path: () => '/api/session', for: 'everybody', status: 204 },
  'get /api/me': { path: () => '/api/me', for: known },
  'get /api/overview': { path: () => '/api/overview', for: logReaders },
  'get /api/events': { path: () => '/api/events', for: logReaders },
  'get /api/agents': { path: () => '/api/agents', for: ['operator'] },
  'get /api/hosts': { path: () => '/api/hosts?address=http://127.0.0.1:7337', for: ['operator'] },
  'get /api/connections': { path: () => '/api/connections', for: ['operator'] },
  'post /api/agents': {
    path: () => '/api/agents',
    body: () => ({ name: 'added-by-the-operator' }),
    for: ['operator'],
    status: 201,
  },
  'get /api/users': { path: () => '/api/users', for: ['operator'] },
  'post /api/users/{email}/grant': {
    path: () => `/api/users/${encodeURIComponent(ada.email)}/grant`,
    body: () => ({ roles: ['nothing-names-it'] }),
    for: ['operator'],
  },
  'post /api/users/{email}/ungrant': {
    path: () => `/api/users/${encodeURIComponent(ada.email)}/ungrant`,
    body: () => ({ roles: ['nothing-names-it'] }),
    for: ['operator'],
  },
  'get /api/clients': { path: () => '/api/clients', for: ['operator'] },
  'delete /api/clients/{id}': { path: () => '/api/clients/none-here', for: ['operator'], status: 404 },
  'delete /api/agents/{name}': { path: () => '/api/agents/nobody-here', for: ['operator'], status: 404 },
};

const rows: Record<string, Row> = { ...rowsOfContract, ...rowsOfDashboard };
const isOfDashboard = (name: string) => name in rowsOfDashboard;
const isPublic = (name: string) => rows[name]?.for === 'everybody';

const methodOf = (name: string) => name.slice(0, name.indexOf(' ')).toUpperCase();

const ask = (name: string, { path, body }: Row, token: string | null, method = methodOf(name)) =>
  world.ask(path(), { token, method, ...(body && { body: body() }) });

beforeAll(async () => {
  await world.start();
  const [taskAgent, logReader, revoked] = await Promise.all([
    world.addAgent('TaskAgent'),
    world.addAgent('log-reader', '--scope', 'log:read'),
    world.addAgent('revoked', '--role', 'TaskAgent'),
  ]);
  await world.command('agent', 'revoke', 'revoked');
  const [first, bob, gone, person] = (await Promise.all(
    ['ada', 'bob', 'gone', 'person'].map((name) => world.addUser(name)),
  )) as [User, User, User, User]; // as many as names
  await world.command('user', 'grant', person.email, '--role', 'TaskAgent', '--scope', 'log:read');
  await world.give('account_deletion', { user_id: gone.id });
  ada = first;
  Object.assign(tokens, {
    ...{ operator: world.operator, taskAgent, logReader },
    ...{ ada: ada.token, bob: bob.token, person: person.token },
  });
  Object.assign(badTokens, forgeriesOf(ada.token), { revoked });
  tokenOfGoneUser = gone.token;
  const listed = await world.ask('/api/openapi.json', { token: world.operator });
  const described = operationsIn(listed.json);
  operations = described.map(([name]) => name);
  publicOperations = described.filter(([, { security }]) => isEmptyList(security)).map(([name]) => name);
  const ran = await world.invoke(world.operator, 'task_sequencing', { tasks: [{ id: 'a' }] });
  invocationId = String(ran.json.invocation_id);
});

afterAll(() => world.end());

test('every operation that the API describes has a row here, and every one of the contract is described (H2)', () => {
  expect(operations.filter((name) => !isOfDashboard(name)).sort()).toEqual(Object.keys(rowsOfContract).sort());
});

test('the API says which operations need no credential: those, and no other (H5)', () => {
  expect([...publicOperations].sort()).toEqual(operations.filter(isPublic).sort());
});

/** So many are let in within a minute before all others are told to wait: a server that was started again has counted none. */
const MOST_REFUSED = 500;
let refusedBefore = 0;

async function forgetRefusals(): Promise<void> {
  const refused = world.answers.filter(({ answer }) => answer.status === 401).length;
  if (refused - refusedBefore < MOST_REFUSED) return;
  refusedBefore = refused;
  await world.restart();
}

describe.each(Object.entries(rows))('%s', (name, row) => {
  beforeAll(forgetRefusals);

  test('lets in whom it should, and tells the others 403 (H2, H3, H5, N6, X10)', async () => {
    for (const caller of known) {
      const answer = await ask(name, row, tokens[caller]);
      if (row.for === 'everybody' || row.for.includes(caller))
        expect([caller, answer.status]).toEqual([caller, row.status ?? 200]);
      else if (row.result) expectRefusedResult(answer, 403, 'UNAUTHORIZED');
      else if (row.others === 404) expectFailure(answer, 404, 'NOT_FOUND');
      else expectFailure(answer, 403, 'UNAUTHORIZED');
    }
  });

  test('asks for a credential unless it is public (H3, H5)', async () => {
    const answer = await ask(name, row, null);
    if (isPublic(name)) expect(answer.status).toBe(row.status ?? 200);
    else expectFailure(answer, 401, 'UNAUTHORIZED');
  });

  if (!isPublic(name))
    test('tells every bad token the same (H3, H5)', async () => {
      const messages = new Set<unknown>();
      for (const [kind, token] of Object.entries(badTokens)) {
        const answer = await ask(name, row, token);
        expect([kind, answer.status]).toEqual([kind, 401]);
        expectFailure(answer, 401, 'UNAUTHORIZED');
        messages.add(answer.json.failure_message);
      }
      expect(messages.size).toBe(1);
    });

  if (methodOf(name) === 'GET')
    test('answers HEAD as GET, without a body (H2, H5)', async () => {
      for (const token of [...Object.values(tokens), null, badTokens['forged agent'] ?? null]) {
        const [head, get] = [await ask(name, row, token, 'HEAD'), await ask(name, row, token)];
        expect([head.status, head.text]).toEqual([get.status, '']);
      }
    });
});

test('the correlation id of a failure is the one that was sent, and stands in the header too (H3)', async () => {
  const id = randomUUID();
  const answer = await world.ask('/api/typed-skills/no_such_skill/invoke', {
    token: world.operator,
    body: {},
    headers: { 'x-correlation-id': id },
  });
  expectFailure(answer, 404, 'NOT_FOUND');
  expect([answer.json.correlation_id, answer.headers['x-correlation-id']]).toEqual([id, id]);
});

test('the token of a deleted user opens no route: it is worth nothing (B4, H5)', async () => {
  const statuses = Object.entries(rows)
    .filter(([name]) => operations.includes(name) && !isPublic(name))
    .map(async ([name, row]) => [name, (await ask(name, row, tokenOfGoneUser)).status] as const);
  const open = (await Promise.all(statuses)).filter(([, status]) => status !== 401);
  expect(open).toEqual([]);
});

test('the public pages need no credential (H5)', async () => {
  for (const path of ['/', '/health', '/ready', '/.well-known/oauth-protected-resource'])
    expect([path, (await world.ask(path)).status]).toEqual([path, 200]);
  expectFailure(await world.ask('/.well-known/no-such-thing'), 404, 'NOT_FOUND');
});

test('POST /api/session gives nobody a session without a good token (H5)', async () => {
  for (const body of [{}, { token: '' }, { token: badTokens['forged operator'] }, { token: badTokens['alg none'] }]) {
    const answer = await world.ask('/api/session', { body });
    expect([400, 401]).toContain(answer.status);
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
});

test('/mcp lets in everybody who is known, and answers the others in its own shape (H1, H5)', async () => {
  const hello = { jsonrpc: '2.0', id: 1, method: 'ping' };
  for (const token of [null, ...Object.values(badTokens)]) {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    const reply = await post(world.mcp, hello, headers);
    expect([reply.status, reply.messages[0]?.error?.message]).toEqual([401, expect.stringMatching(/^Access denied: /)]);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
    for (const method of ['GET', 'DELETE']) expectMcpRefusal(await world.ask('/mcp', { method, token }));
  }
  for (const caller of known) {
    const reply = await openHello(tokens[caller]);
    expect([caller, reply.status]).toEqual([caller, 200]);
  }
});

test('no answer grants another origin anything (H4)', () => {
  const granting = world.answers.filter(({ answer }) => /access-control-/i.test(Object.keys(answer.headers).join()));
  expect(granting.map(({ asked }) => asked)).toEqual([]);
});

const openHello = (token: string) => post(world.mcp, initialize, { authorization: `Bearer ${token}` });

function expectMcpRefusal(answer: Answer): void {
  expect([answer.status, answer.json.jsonrpc]).toEqual([401, '2.0']);
  expect(answer.headers['www-authenticate']).toMatch(/^Bearer\b/);
}

function operationsIn(description: Fields): readonly (readonly [string, Fields])[] {
  const paths = description.paths as Record<string, Record<string, Fields>>; // OpenAPI
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  );
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** What somebody can make who has seen a token, and knows everything but the key. */
function forgeriesOf(jwt: string): Record<string, string> {
  const [header = '', claims = '', signature = ''] = jwt.split('.');
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  const otherKey = createHmac('sha256', randomBytes(32)).update(`${header}.${claims}`).digest('base64url');
  const changed = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const longer = Buffer.from(JSON.stringify({ ...changed, exp: changed.exp + 1000 })).toString('base64url');
  return {
    'forged operator': `rpo_${randomBytes(32).toString('base64url')}`,
    'forged agent': `rpa_${randomBytes(32).toString('base64url')}`,
    words: 'let-me-in',
    'alg none': `${none}.${claims}.`,
    'alg none with a signature': `${none}.${claims}.${signature}`,
    'no signature': `${header}.${claims}.`,
    'another key': `${header}.${claims}.${otherKey}`,
    'a later end': `${header}.${longer}.${signature}`,
    'too long': `${header}.${claims}.${'A'.repeat(5000)}`,
  };
}
