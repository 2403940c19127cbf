// Whose a run, a call, a session and a version is, when a person calls through clients and without one (J2, J3, J4, L2).
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OAuthWorld, OPERATOR, PASSWORD } from '../../tests/support/oauth-world.ts';
import { type Caller, LOCAL_OPERATOR, personKey, userCaller } from '../identity/caller.ts';
import { actorFor } from '../operations/library-json.ts';
import { runRights } from '../skills/durable/run-rights.ts';
import type { Run } from '../skills/durable/runs.ts';

const world = new OAuthWorld();
let person: { readonly email: string; readonly id: string };
let cookie: string;
/** Two clients of one person, which call themselves the same. */
let one: string;
let other: string;
let clients: readonly string[];

beforeAll(async () => {
  await world.start();
  clients = [await world.register(), await world.register()];
  person = await world.addPerson();
  const signIn = { email: person.email, password: PASSWORD };
  [one = '', other = ''] = await Promise.all(
    clients.map(async (id) => (await world.tokens(id, {}, signIn)).access_token),
  );
  const session = await world.ask('/api/session', {
    method: 'POST',
    body: JSON.stringify(signIn),
    headers: { 'Content-Type': 'application/json' },
  });
  cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
});
afterAll(() => world.close());

type Headers = Readonly<Record<string, string>>;
const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });

const ask = (path: string, headers: Headers, method = 'GET', body?: object) =>
  world.ask(path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

const create = (headers: Headers, title: string, userId = person.id) =>
  ask('/api/typed-skills/task_creation/invoke', headers, 'POST', { user_id: userId, title });

const idOf = async (answer: Response) => ((await answer.json()) as { invocation_id: string }).invocation_id;

const runsOf = async (headers: Headers) =>
  ((await (await ask('/api/runs', headers)).json()) as { runs: { id: string }[] }).runs.map(({ id }) => id);

test('a run is its client’s and the person’s, and no other client’s of that person (J2, J3)', async () => {
  const key = { 'Idempotency-Key': randomUUID() };
  const id = await idOf(await create({ ...bearer(one), ...key }, 'of one'));
  const path = `/api/invocations/${id}`;
  expect((await ask(path, bearer(one))).status).toBe(200);
  expect((await ask(path, bearer(other))).status).toBe(404);
  expect((await ask(path, bearer(other), 'DELETE')).status).toBe(404);
  expect((await ask(path, { cookie })).status).toBe(200);
  expect([await runsOf(bearer(one)), await runsOf(bearer(other)), await runsOf({ cookie })]).toEqual([[id], [], [id]]);
  // The same key of another client is another key.
  expect((await create({ ...bearer(other), ...key }, 'of the other')).status).toBe(200);
  expect((await create({ ...bearer(one), ...key }, 'with another input')).status).toBe(409);
});

describe('a call that is no run (J2)', () => {
  test('may be looked at by its client, and by the person', async () => {
    const id = await idOf(await create(bearer(one), 'a call'));
    const path = `/api/invocations/${id}`;
    expect((await ask(path, bearer(one))).status).toBe(200);
    expect((await ask(path, { cookie })).status).toBe(200);
    expect((await ask(path, bearer(one), 'DELETE')).status).toBe(200);
    const stranger = await world.addPerson();
    const theirs = await world.tokens(clients[0] ?? '', {}, { email: stranger.email, password: PASSWORD });
    expect((await ask(path, bearer(theirs.access_token))).status).toBe(404);
  });

  test('is not another client’s that calls itself the same (J2, N6)', async () => {
    const id = await idOf(await create(bearer(one), 'a call'));
    const path = `/api/invocations/${id}`;
    for (const method of ['GET', 'DELETE']) expect((await ask(path, bearer(other), method)).status).toBe(404);
    expect((await ask(path, bearer(one), 'DELETE')).status).toBe(200);
  });

  test('of the operator is not shown to a client of the operator', async () => {
    const id = await idOf(await create(bearer(OPERATOR), 'a call of the operator'));
    const { access_token: token } = await world.tokens(clients[0] ?? '', { scope: 'skills:invoke' });
    const path = `/api/invocations/${id}`;
    expect((await ask(path, bearer(token))).status).toBe(404);
    expect((await ask(path, bearer(token), 'DELETE')).status).toBe(404);
    const own = await idOf(await create(bearer(token), 'a call of the client'));
    expect((await ask(`/api/invocations/${own}`, bearer(token))).status).toBe(200);
  });
});

test('a session of 2025 is of the client that opened it (J4)', async () => {
  const said = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const opened = await ask('/mcp', { ...bearer(one), ...said }, 'POST', {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize', params },
  });
  const session = { ...said, 'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '' };
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
  expect((await ask('/mcp', { ...bearer(other), ...session }, 'POST', ping)).status).toBe(404);
  expect((await ask('/mcp', { ...bearer(one), ...session }, 'POST', ping)).status).toBe(200);
});

describe('with review on, authors do not approve their own, through whichever client (L2)', () => {
  const put = async (headers: Headers) => {
    const name = `made-${randomUUID().slice(0, 8)}`;
    const text = `---\nname: ${name}\ndescription: Says what it is for, and when.\n---\n\n# Steps\n`;
    const files = [{ path: 'SKILL.md', text }];
    const made = await ask(`/api/library/${name}`, headers, 'PUT', { files, message: 'new' });
    const { version } = (await made.json()) as { version: { digest: string } };
    return `/api/library/${name}/versions/${version.digest}/approve`;
  };
  const decide = async (path: string, headers: Headers) => (await ask(path, headers, 'POST', {})).status;

  test('the operator and a client of theirs are one author', async () => {
    await world.apps[0]?.typed.store?.library.setPolicy('on', actorFor(LOCAL_OPERATOR));
    const scope = 'skills:read skills:propose skills:approve';
    const { access_token: client } = await world.tokens(clients[0] ?? '', { scope });
    const reviewer = await world.addPerson(['skills:approve']);
    const signIn = { email: reviewer.email, password: PASSWORD };
    const { access_token: second } = await world.tokens(clients[1] ?? '', { scope }, signIn);
    for (const [author, same] of [
      [OPERATOR, client],
      [client, OPERATOR],
      [client, client],
    ] as const) {
      const path = await put(bearer(author));
      expect(await decide(path, bearer(same))).toBe(403);
      expect(await decide(path, bearer(second))).toBe(200);
    }
  });
});

test('a run is not decided on by who started it through another client; the operator may (J8)', () => {
  const via = (caller: Caller, clientId: string): Caller => ({
    ...caller,
    scopes: ['runs:approve'],
    via: { client: 'Host', clientId, person: personKey(caller), scopes: undefined },
  });
  const ada: Caller = userCaller('u-1', [], ['runs:approve']);
  const decides = (owner: Caller, caller: Caller) =>
    runRights({ owner, approval: { state: 'waiting' } } as unknown as Run, caller).mayDecide;
  expect(decides(via(ada, 'a'), via(ada, 'b'))).toBe(false);
  expect([decides(via(ada, 'a'), ada), decides(ada, via(ada, 'a'))]).toEqual([false, false]);
  const delegate = { ...via(LOCAL_OPERATOR, 'a'), kind: 'agent' as const };
  expect(decides(LOCAL_OPERATOR, delegate)).toBe(false);
  expect(decides(delegate, LOCAL_OPERATOR)).toBe(true);
  expect(decides(delegate, ada)).toBe(true);
});
