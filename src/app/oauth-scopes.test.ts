// What the token of a client is good for, over every route and every method there is, and over a real server (O5).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OAuthWorld } from '../../tests/support/oauth-world.ts';
import { openTestCatalog } from '../catalog/fixtures/open-test-catalog.ts';
import { createRepertoire } from '../repertoire/repertoire.ts';
import { ROUTES } from '../surfaces/http/contract/routes.ts';
import { missingScopes, neededScopes } from '../surfaces/http/server/needed-scopes.ts';
import { createTasks } from '../surfaces/mcp/methods/tasks.ts';
import { createMethodTable } from '../surfaces/mcp/table.ts';

const world = new OAuthWorld();
let client: string;

beforeAll(async () => {
  await world.start();
  client = await world.register();
});
afterAll(() => world.close());

const NOTHING = () => false;

describe('each has an entry', () => {
  test.each([...ROUTES.values()].map(({ method, path, access }) => [method, path, access] as const))(
    '%s %s needs what its route asks for (O5)',
    (method, path, access) => {
      const asked = { method, path: path.replace(/\{\w+\}/g, 'x'), body: '{}' };
      const scopes = [access.scope, access.orScope].filter((scope) => scope !== undefined);
      expect(neededScopes(asked)).toBeDefined();
      if (access.who === 'operator') expect(missingScopes(asked, NOTHING)).toEqual(scopes.slice(0, 1));
      for (const scope of scopes) expect(missingScopes(asked, (each) => each === scope)).toEqual([]);
    },
  );

  test('of the methods of MCP, too (O5)', async () => {
    const table = createMethodTable({ repertoire: createRepertoire(await openTestCatalog([])), version: '0' });
    const tasks = createTasks({ runs: {} as never, ttlMs: null, agent: undefined });
    const methods = [...table.methods.keys(), ...tasks.methods.keys(), 'initialize', 'ping', 'server/discover'];
    const legacy = ['resources/subscribe', 'resources/unsubscribe'];
    for (const method of [...methods, ...legacy, 'subscriptions/listen', 'notifications/initialized']) {
      const body = JSON.stringify({ method });
      expect([method, neededScopes({ method: 'POST', path: '/mcp', body }) !== undefined]).toEqual([method, true]);
    }
    expect(neededScopes({ method: 'POST', path: '/mcp', body: '{"method":"new/one"}' })).toBeUndefined();
  });
});

test('what is no method is unknown, whatever the token is good for (O5, J4)', async () => {
  const unknown = ['tasks/list', 'tasks/result', 'resources/none', 'prompts/none', 'none'];
  for (const scope of ['skills:read', 'skills:invoke']) {
    const { access_token: token } = await world.tokens(client, { scope });
    for (const method of unknown) {
      const answer = await world.mcp(token, method);
      const { error } = (await answer.json()) as { error: { code: number } };
      expect([method, answer.status, error.code]).toEqual([method, 404, -32601]);
    }
  }
});

const challengeOf = (answer: Response) => answer.headers.get('www-authenticate');
const lacking = (scope: string) => expect.stringContaining(`error="insufficient_scope", scope="${scope}"`);

test.each([
  ['GET', '/api/runs', 'skills:invoke'],
  ['GET', '/api/runs/waiting', 'skills:invoke'],
  ['GET', '/api/library', 'skills:propose'],
  ['GET', '/api/library/none/versions', 'skills:propose'],
  ['GET', '/api/schedules', 'log:read'],
  ['GET', '/api/upkeep', 'log:read'],
])(
  '%s %s is 403 for a token that may only read, and says which scope it needs (O5, J2)',
  async (method, path, scope) => {
    const { access_token: token } = await world.tokens(client, { scope: 'skills:read' });
    const answer = await world.ask(path, { method, headers: { Authorization: `Bearer ${token}` } });
    expect([answer.status, challengeOf(answer)]).toEqual([403, lacking(scope)]);
  },
);

test('what is the operator’s alone is 403 without a scope to ask for (O5)', async () => {
  const { access_token: token } = await world.tokens(client, { scope: 'skills:invoke' });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  for (const [method, path] of [
    ['POST', '/api/sources/check'],
    ['GET', '/api/sources'],
    ['GET', '/api/agents'],
  ] as const) {
    const answer = await world.ask(path, { method, headers, ...(method === 'POST' && { body: '{}' }) });
    expect([path, answer.status, challengeOf(answer)]).toEqual([path, 403, null]);
  }
});

test('listening to tasks needs skills:invoke, listening to documents skills:read (O5, J4)', async () => {
  const listen = async (scope: string, notifications: object) => {
    const { access_token: token } = await world.tokens(client, { scope });
    const answer = await world.mcp(token, 'subscriptions/listen', { notifications });
    await answer.body?.cancel();
    return [answer.status, challengeOf(answer)];
  };
  const tasks = { taskIds: ['0b0b0b0b-0000-4000-8000-000000000000'] };
  const documents = { resourceSubscriptions: ['skill://sql-review/SKILL.md'] };
  expect(await listen('skills:read', tasks)).toEqual([403, lacking('skills:invoke')]);
  expect(await listen('skills:invoke', documents)).toEqual([403, lacking('skills:read')]);
  expect(await listen('skills:read', documents)).toEqual([200, null]);
  expect(await listen('skills:invoke', { toolsListChanged: true, resourceSubscriptions: [] })).toEqual([200, null]);
});

test('of a request that needs several, the challenge names all of them (O5)', async () => {
  const { access_token: token } = await world.tokens(client, { scope: 'skills:read' });
  const call = (name: string, id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
  const answer = await world.ask('/mcp', {
    method: 'POST',
    body: JSON.stringify([call('skill', 1), call('task_sequencing', 2)]),
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
  });
  expect([answer.status, challengeOf(answer)]).toEqual([403, lacking('skills:read skills:invoke')]);
});
