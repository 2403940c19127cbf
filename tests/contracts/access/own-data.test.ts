// A user reaches their own data and nobody else's, an agent what its roles allow: over HTTP and over MCP.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../../support/http-mcp-client.ts';
import { AccessWorld, expectRefusedResult, type Fields, type User } from './access-world.ts';

const world = new AccessWorld();
let ada: User;
let bob: User;
let bobsTask = '';
const agents: Record<string, string> = {};

/** docs/builtin-skills.md: which agents may invoke it, and whether users may. */
const skills: Record<string, { readonly agents: readonly string[]; readonly users: boolean }> = {
  user_creation: { agents: ['UserAgent'], users: false },
  credential_validation: { agents: ['AuthAgent'], users: false },
  token_generation: { agents: ['AuthAgent'], users: false },
  token_validation: { agents: ['AuthAgent'], users: false },
  task_creation: { agents: ['TaskAgent'], users: true },
  task_retrieval: { agents: ['TaskAgent'], users: true },
  task_update: { agents: ['TaskAgent'], users: true },
  ownership_validation: { agents: ['TaskAgent', 'UserAgent'], users: true },
  suggestion_generation: { agents: ['AIAgent'], users: true },
  goal_decomposition: { agents: ['PlannerAgent'], users: false },
  task_sequencing: { agents: ['PlannerAgent'], users: false },
  request_routing: { agents: ['OrchestratorAgent'], users: false },
  workflow_coordination: { agents: ['OrchestratorAgent'], users: false },
  task_execution: { agents: ['TaskExecutorAgent'], users: false },
  task_deletion: { agents: ['TaskAgent'], users: true },
  account_deletion: { agents: ['UserAgent'], users: false },
};

/** What each skill that is open to users wants beside `user_id`. */
const openSkills: Record<string, (taskId: string) => Fields> = {
  task_creation: () => ({ title: 'Planted' }),
  task_retrieval: (task_id) => ({ task_id }),
  task_update: (task_id) => ({ task_id, title: 'Changed', status: 'cancelled' }),
  task_deletion: (task_id) => ({ task_id }),
  ownership_validation: (resource_id) => ({ resource_type: 'task', resource_id }),
  suggestion_generation: () => ({ count: 1 }),
};

beforeAll(async () => {
  await world.start();
  const roles = ['OrchestratorAgent', 'AuthAgent', 'TaskAgent', 'UserAgent', 'AIAgent', 'PlannerAgent'];
  const several = ['--role', 'OrchestratorAgent', '--role', 'TaskAgent'];
  const add = async (name: string, ...options: readonly string[]) => {
    agents[name] = await world.addAgent(name, ...options);
  };
  await Promise.all([
    ...[...roles, 'TaskExecutorAgent', 'idle'].map((name) => add(name)),
    add('several', ...several),
    add('reader', '--scope', 'log:read'),
  ]);
  [ada, bob] = await Promise.all([world.addUser('ada'), world.addUser('bob')]);
  bobsTask = await world.addTask(bob, 'Belongs to Bob');
});

afterAll(() => world.end());

/** Everything that there is of Bob, as the operator sees it. */
const bobsRows = () => world.give('task_retrieval', { user_id: bob.id });

async function expectUntouched(act: () => Promise<unknown>): Promise<void> {
  const before = await bobsRows();
  await act();
  expect(await bobsRows()).toEqual(before);
}

/** An answer without what differs from call to call. */
function comparable({ json, status }: { readonly json: Fields; readonly status: number }, taskId: string): string {
  const { invocation_id, correlation_id, duration_ms, timestamp, ...rest } = json;
  return JSON.stringify({ status, ...rest }).replaceAll(taskId, 'TASK');
}

test('the table is complete: the server has these skills and no other (B4)', async () => {
  const { json } = await world.ask('/api/typed-skills', { token: world.operator });
  const served = (json.skills as readonly Fields[]).map(({ name }) => name).sort();
  expect(served).toEqual(Object.keys(skills).sort());
  const open = Object.keys(skills).filter((name) => skills[name]?.users);
  expect(open.sort()).toEqual(Object.keys(openSkills).sort());
});

describe.each(Object.entries(openSkills))('a user and %s', (skill, rest) => {
  test('their own id works, in any letter case (B1, H5)', async () => {
    const own = await world.addTask(ada, `For ${skill}`);
    for (const user_id of [ada.id, ada.id.toUpperCase()]) {
      const answer = await world.invoke(ada.token, skill, { user_id, ...rest(own) });
      // The second deletion finds nothing any more.
      const expected = skill === 'task_deletion' && user_id !== ada.id ? 404 : 200;
      expect([user_id, answer.status]).toEqual([user_id, expected]);
    }
  });

  test("another user's id is refused over HTTP, however it is written (H5)", async () => {
    await expectUntouched(async () => {
      for (const user_id of [bob.id, bob.id.toUpperCase()])
        expectRefusedResult(await world.invoke(ada.token, skill, { user_id, ...rest(bobsTask) }), 403, 'UNAUTHORIZED');
      const rows = JSON.stringify(rest(bobsTask)).slice(1);
      const twice = `{"user_id":"${ada.id}","user_id":"${bob.id}",${rows}`;
      expect([400, 403]).toContain((await world.invoke(ada.token, skill, twice)).status);
    });
  });

  test('no user id, or one that is none, is refused (H5)', async () => {
    const odd = [
      undefined,
      null,
      '',
      0,
      true,
      [bob.id],
      [ada.id, bob.id],
      { $ne: '' },
      `${ada.id} `,
      '*',
      `' OR '1'='1`,
    ];
    await expectUntouched(async () => {
      for (const user_id of odd) {
        const { status } = await world.invoke(ada.token, skill, { user_id, ...rest(bobsTask) });
        expect([user_id, [400, 403].includes(status)]).toEqual([user_id, true]);
      }
      for (const alias of ['User_Id', 'userId', 'owner_id', '__proto__']) {
        const input = `{"user_id":"${ada.id}","${alias}":${JSON.stringify({ user_id: bob.id })}}`;
        expect((await world.invoke(ada.token, skill, input)).status).toBe(400);
      }
    });
  });

  test("another user's id is refused over MCP (H1, H5)", async () => {
    await expectUntouched(async () => {
      const reply = await world.callTool(ada.token, skill, { user_id: bob.id, ...rest(bobsTask) });
      expect(reply.result).toMatchObject({ isError: true });
      expect(JSON.stringify(reply.result)).toMatch(/UNAUTHORIZED/);
      expect(JSON.stringify(reply)).not.toContain('Belongs to Bob');
    });
  });

  test("another user's id is refused through function tools (T11, H5)", async () => {
    await expectUntouched(async () => {
      const input = JSON.stringify({ user_id: bob.id, ...rest(bobsTask) });
      const body = { id: 'call_1', type: 'function', function: { name: skill, arguments: input } };
      const { text, json } = await world.ask('/api/openai/dispatch', { token: ada.token, body });
      expect(JSON.parse(String(json.content))).toHaveProperty('error');
      expect(text).not.toContain('Belongs to Bob');
    });
  });
});

describe.each(['task_retrieval', 'task_update', 'task_deletion', 'ownership_validation'])('%s', (skill) => {
  const input = (taskId: string) => ({ user_id: ada.id, ...openSkills[skill]?.(taskId) });

  test("tells of another user's task what it tells of a missing one, over HTTP (B1)", async () => {
    const missing = randomUUID();
    await expectUntouched(async () => {
      const theirs = await world.invoke(ada.token, skill, input(bobsTask));
      const none = await world.invoke(ada.token, skill, input(missing));
      expect(comparable(theirs, bobsTask)).toBe(comparable(none, missing));
      if (skill === 'ownership_validation') expect(theirs.json.output_payload).toMatchObject({ is_owner: false });
      else expectRefusedResult(theirs, 404, 'NOT_FOUND');
    });
  });

  test("tells of another user's task what it tells of a missing one, over MCP (B1, H1)", async () => {
    const missing = randomUUID();
    await expectUntouched(async () => {
      const [theirs, none] = [
        await world.callTool(ada.token, skill, input(bobsTask)),
        await world.callTool(ada.token, skill, input(missing)),
      ];
      const said = (reply: Fields, id: string) =>
        JSON.stringify(withoutMeta(reply))
          .replace(/correlation id [0-9a-f-]+/, '')
          .replaceAll(id, 'TASK');
      expect(said(theirs, bobsTask)).toBe(said(none, missing));
    });
  });
});

test('a user invokes nothing that is not open to users, over HTTP and over MCP (H5)', async () => {
  for (const [skill, { users }] of Object.entries(skills)) {
    if (users) continue;
    const input = { user_id: ada.id };
    expectRefusedResult(await world.invoke(ada.token, skill, input), 403, 'UNAUTHORIZED');
    expect(JSON.stringify(await world.callTool(ada.token, skill, input))).toMatch(/UNAUTHORIZED/);
  }
});

test('a header does not make a user or an agent somebody else (H5)', async () => {
  for (const name of ['local', 'UserAgent', 'operator']) {
    const correlationId = randomUUID();
    const headers = { 'x-invoking-agent': name, 'x-correlation-id': correlationId };
    expectRefusedResult(await world.invoke(ada.token, 'user_creation', {}, headers), 403, 'UNAUTHORIZED');
    expectRefusedResult(await world.invoke(agent('TaskAgent'), 'user_creation', {}, headers), 403, 'UNAUTHORIZED');
    expect(await world.logged(correlationId)).toEqual(
      [`user_creation by ${ada.id}: failed`, 'user_creation by TaskAgent: failed'].sort(),
    );
  }
});

test("a session of one caller is none for another: nothing runs in its owner's name (H1, H5)", async () => {
  const session = await openSession(world.mcp, '2025-11-25', bearer(bob.token));
  await expectUntouched(async () => {
    const params = { name: 'task_deletion', arguments: { user_id: bob.id, task_id: bobsTask } };
    const reply = await session.request(7, 'tools/call', params, bearer(ada.token));
    expect(reply.text).not.toContain('deleted_at');
    const gone = await fetch(world.mcp, {
      method: 'DELETE',
      headers: { ...bearer(ada.token), 'mcp-session-id': session.id },
    });
    expect(gone.status).toBeGreaterThanOrEqual(400);
  });
  expect((await session.request(8, 'tools/list')).status).toBe(200);
});

test('an agent invokes exactly what its roles are assigned to, over HTTP (X5, H5)', async () => {
  const allowed: Record<string, readonly string[]> = {};
  for (const [skill] of Object.entries(skills)) {
    // Nothing fits `{}`: whoever may is told what is wrong with it (X2: authorised first, then validated).
    const asked = Object.entries(agents).map(async ([name, token]) => {
      const { status } = await world.invoke(token, skill, {});
      expect([name, skill, [400, 403].includes(status)]).toEqual([name, skill, true]);
      return status === 400 ? [name] : [];
    });
    allowed[skill] = (await Promise.all(asked)).flat().sort();
  }
  const expected = Object.entries(skills).map(([skill, { agents: roles }]) => {
    const several = roles.includes('OrchestratorAgent') || roles.includes('TaskAgent') ? ['several'] : [];
    return [skill, [...roles, ...several].sort()];
  });
  expect(allowed).toEqual(Object.fromEntries(expected));
});

test('an agent invokes exactly what its roles are assigned to, over MCP (X5, X9, H1)', async () => {
  for (const [skill, { agents: roles }] of Object.entries(skills)) {
    for (const name of ['TaskAgent', 'UserAgent', 'idle']) {
      const said = JSON.stringify(await world.callTool(agent(name), skill, {}));
      expect([skill, name, said.includes('UNAUTHORIZED')]).toEqual([skill, name, !roles.includes(name)]);
    }
  }
});

const agent = (name: string) => agents[name] ?? '';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function withoutMeta(reply: Fields): Fields {
  const { _meta, ...result } = reply.result as Fields;
  return result;
}
