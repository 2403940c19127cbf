// Whose a call is that is no run, over HTTP, on two servers of one store: not of those who are only called the same (J2, N6).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Server, startServer } from '../../src/server.ts';
import { defineSkill } from '../../src/skills/define/define-skill.ts';
import { makeServerPlace } from '../support/server-place.ts';
import { useStoreWorld } from './stores/use-store-world.ts';

const world = useStoreWorld();
const folder = mkdtempSync(join(tmpdir(), 'repertoire-owners-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

const ofUser = { category: 'execution', output: z.object({}), userField: 'user_id' } as const;
const input = z.object({ user_id: z.string() });
const note = defineSkill({ ...ofUser, name: 'note', description: 'Notes.', input, run: async () => ({}) });
const hold = defineSkill({
  ...ofUser,
  name: 'hold',
  description: 'Goes on until it is cancelled.',
  input,
  run: async (_given, { signal }) => {
    await untilAborted(signal);
    return {};
  },
});
/** Cancels reach the other servers where something is durable. */
const lasts = defineSkill({
  ...ofUser,
  name: 'lasts',
  description: 'Lasts.',
  input,
  durable: {},
  run: async () => ({}),
});

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function openServers() {
    const place = await world.place(kind);
    const at = await makeServerPlace(place, folder);
    const builtin = ['user_creation', 'token_generation'];
    const servers: Server[] = [];
    for (let n = 0; n < 2; n += 1) {
      const server = await startServer({ port: 0, roots: [], builtin, skills: [note, hold, lasts], ...at });
      closing.push(() => server.close());
      servers.push(server);
    }
    /** Each request goes to the next server. */
    let turn = 0;
    const ask = async (token: string, path: string, body?: object, method = body === undefined ? 'GET' : 'POST') => {
      const answer = await fetch(`${servers[turn++ % servers.length]?.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: the test says what must be there.
      return { status: answer.status, json: (await answer.json()) as any };
    };
    const operator = servers[0]?.operatorToken ?? '';
    const invoke = (token: string, skill: string, given: object) =>
      ask(token, `/api/typed-skills/${skill}/invoke`, given);
    const addAgent = async (name: string): Promise<string> =>
      (await ask(operator, '/api/agents', { name, roles: ['*'] })).json.token;
    const email = 'ada@example.com';
    const made = await invoke(operator, 'user_creation', { email, password: 'correct horse battery' });
    const userId: string = made.json.output_payload.user_id;
    const tokenFrom = async (issuer: string): Promise<string> =>
      (await invoke(issuer, 'token_generation', { user_id: userId, email })).json.output_payload.access_token;
    const underWay = async () => (await ask(operator, '/api/invocations?status=running')).json.invocations;
    return { ask, invoke, addAgent, tokenFrom, operator, userId, underWay, place };
  }

  type World = Awaited<ReturnType<typeof openServers>>;

  async function noteAs(token: string, { invoke, userId }: World): Promise<string> {
    const { status, json } = await invoke(token, 'note', { user_id: userId });
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(json)}`);
    return json.invocation_id;
  }

  /** What becomes of a GET and of a DELETE. */
  const tried = async (token: string, id: string, { ask }: World) => [
    (await ask(token, `/api/invocations/${id}`)).status,
    (await ask(token, `/api/invocations/${id}`, undefined, 'DELETE')).status,
  ];

  const OPEN = [200, 200];
  const NONE = [404, 404];

  test('a token that an agent issued opens no call of that person but those made with such a token (J2, N6)', async () => {
    const servers = await openServers();
    const { addAgent, tokenFrom, operator } = servers;
    const [login, other] = [await addAgent('login'), await addAgent('other')];
    const [own, issued, again] = [await tokenFrom(operator), await tokenFrom(login), await tokenFrom(login)];
    const [theirs, lent] = [await noteAs(own, servers), await noteAs(issued, servers)];
    expect(await tried(issued, theirs, servers)).toEqual(NONE);
    expect(await tried(own, theirs, servers)).toEqual(OPEN);
    expect(await tried(again, lent, servers)).toEqual(OPEN);
    expect(await tried(own, lent, servers)).toEqual(OPEN);
    for (const stranger of [await tokenFrom(other), login, other])
      expect(await tried(stranger, lent, servers)).toEqual(NONE);
    expect(await tried(operator, lent, servers)).toEqual(OPEN);
  });

  test('an agent that is called like a user has nothing of theirs, nor have they of the agent’s (J2)', async () => {
    const servers = await openServers();
    const { addAgent, tokenFrom, operator, userId } = servers;
    const [agent, person] = [await addAgent(userId), await tokenFrom(operator)];
    const [theirs, its] = [await noteAs(person, servers), await noteAs(agent, servers)];
    expect(await tried(agent, theirs, servers)).toEqual(NONE);
    expect(await tried(person, its, servers)).toEqual(NONE);
    expect([await tried(person, theirs, servers), await tried(agent, its, servers)]).toEqual([OPEN, OPEN]);
  });

  test('a call under way is cancelled by those alone whose it is, on whichever server it runs (J2, X2)', async () => {
    const servers = await openServers();
    const { ask, invoke, addAgent, tokenFrom, operator, userId, underWay } = servers;
    const [own, issued] = [await tokenFrom(operator), await tokenFrom(await addAgent('login'))];
    const namesake = await addAgent(userId);
    for (const by of [own, operator]) {
      const called = invoke(own, 'hold', { user_id: userId });
      await expect.poll(underWay).toHaveLength(1);
      const path = `/api/invocations/${(await underWay())[0].id}`;
      for (const stranger of [issued, namesake]) {
        expect((await ask(stranger, path)).status).toBe(404);
        // Once on each server.
        for (let n = 0; n < 2; n += 1) expect((await ask(stranger, path, undefined, 'DELETE')).status).toBe(404);
      }
      expect((await ask(own, path)).json).toMatchObject({ invocation: { status: 'running' }, result: null });
      expect((await ask(by, path, undefined, 'DELETE')).status).toBe(200);
      expect((await called).json).toMatchObject({ failure_details: { cancelled: true } });
    }
  });

  test('what an older version recorded is of those who are called so (J2)', async () => {
    const servers = await openServers();
    const { tokenFrom, addAgent, operator, place } = servers;
    const [own, other] = [await tokenFrom(operator), await addAgent('other')];
    const id = await noteAs(own, servers);
    await world.forgetOwners(place);
    expect(await tried(own, id, servers)).toEqual(OPEN);
    expect(await tried(other, id, servers)).toEqual(NONE);
    // What runs from now on says whose it is, beside that.
    const issued = await tokenFrom(await addAgent('login'));
    expect(await tried(issued, id, servers)).toEqual(OPEN);
    expect(await tried(issued, await noteAs(own, servers), servers)).toEqual(NONE);
  });

  test('the owner of a call is in no answer (J2)', async () => {
    const servers = await openServers();
    const { ask, tokenFrom, operator, addAgent } = servers;
    const issued = await tokenFrom(await addAgent('login'));
    const { json } = await ask(issued, `/api/invocations/${await noteAs(issued, servers)}`);
    const fields = ['id', 'skill_name', 'input_payload', 'invoking_agent', 'correlation_id', 'timestamp', 'status'];
    expect(Object.keys(json.invocation)).toEqual(fields);
    const listed = (await ask(operator, '/api/invocations?skill=note')).json.invocations[0];
    expect(Object.keys(listed)).toEqual([...fields, 'result']);
    const text = JSON.stringify([json, listed, (await ask(operator, '/api/activity')).json]);
    expect(text).not.toMatch(/owner|user:|agent:/i);
  });
});
