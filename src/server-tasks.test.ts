// Durable skills over MCP: tasks for clients that know them, waiting and run_result for all others (J4), keys (J3).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createLatch } from '../tests/support/latch.ts';
import { type Server, type ServerOptions, startServer } from './server.ts';
import { type AnySkill, defineSkill } from './skills/define/define-skill.ts';
import { failure } from './skills/define/failure.ts';
import { modernClient, type RawAnswer, TASKS } from './surfaces/mcp/fixtures/modern-client.ts';
import type { JsonObject } from './values/json-object.ts';

let folder = '';
let servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-tasks-'));
});
afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
  rmSync(folder, { recursive: true, force: true });
});

/** A second one with the same data is another replica. */
async function start(skills: readonly AnySkill[], options: ServerOptions = {}) {
  const server = await startServer({ skills, data: join(folder, 'data'), port: 0, builtin: [], ...options });
  servers.push(server);
  const url = `${server.url}/mcp`;
  const addAgent = async (name: string, more: JsonObject = {}): Promise<string> => {
    const response = await fetch(`${server.url}/api/agents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, roles: ['*'], ...more }),
    });
    expect(response.status).toBe(201);
    return ((await response.json()) as { token: string }).token;
  };
  const client = (token: string | undefined = server.operatorToken, capabilities: JsonObject = TASKS) =>
    modernClient(url, token, capabilities);
  return { server, url, client, addAgent };
}

const answer = z.object({ text: z.string() });
const base = { description: 'Works.', category: 'execution', output: answer, durable: {} } as const;

/** Holds until it is let go, or cancelled. */
function heldSkill(given: Partial<AnySkill> = {}) {
  const held = createLatch();
  let runs = 0;
  const skill = defineSkill({
    ...base,
    name: 'work',
    input: z.object({ text: z.string() }),
    run: async ({ text }, { signal, progress }) => {
      runs += 1;
      progress(1, 3, 'halfway\nthere');
      await Promise.race([held.opened, new Promise((_, reject) => signal.addEventListener('abort', reject))]);
      return { text: text.toUpperCase() };
    },
    ...(given as object),
  });
  return { skill, release: held.open, runs: () => runs };
}

const failing = defineSkill({
  ...base,
  name: 'fail_it',
  input: z.object({}),
  failureModes: ['NOT_FOUND'],
  run: async () => failure('NOT_FOUND', { resource: 'it' }),
});

const throwing = defineSkill({
  ...base,
  name: 'throw_it',
  input: z.object({}),
  run: async (): Promise<{ text: string }> => {
    throw new Error('a secret of ours');
  },
});

const call = (name: string, input: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  name,
  arguments: input,
  ...more,
});

const untilEnded = async (client: ReturnType<typeof modernClient>, taskId: string): Promise<RawAnswer['result']> =>
  vi.waitUntil(
    async () => {
      const { result } = await client.ask('tasks/get', { taskId });
      return result?.status === 'working' ? undefined : result;
    },
    { timeout: 30_000, interval: 50 },
  );

test('a durable skill answers a task, which is stored and found at once on every replica, and its result at the end (J4)', async () => {
  const { skill, release } = heldSkill();
  const { client } = await start([skill]);
  const other = await start([skill]);
  const { status, result: task } = await client().ask('tools/call', call('work', { text: 'hi' }));
  expect(status).toBe(200);
  expect(task).toEqual({
    resultType: 'task',
    taskId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    status: 'working',
    statusMessage: expect.any(String),
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    lastUpdatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    ttlMs: 30 * 86_400_000,
    pollIntervalMs: 1_000,
    _meta: expect.objectContaining({ 'repertoire/invocation_id': task.taskId }),
  });
  const { taskId } = task;
  const found = await other.client().ask('tasks/get', { taskId });
  expect(found.result).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
  expect(Object.keys(found.result)).not.toEqual(expect.arrayContaining(['result', 'error', 'task']));
  await vi.waitFor(async () => {
    const { result } = await other.client().ask('tasks/get', { taskId });
    expect(result.statusMessage).toBe('1 of 3: halfway there');
  }, 30_000);
  release();
  expect(await untilEnded(other.client(), taskId)).toMatchObject({
    resultType: 'complete',
    status: 'completed',
    result: { structuredContent: { text: 'HI' }, content: [{ type: 'text', text: '{"text":"HI"}' }] },
  });
});

test.each([
  ['fail_it', /^NOT_FOUND/],
  ['throw_it', /^INTERNAL_ERROR/],
])('%s: the failure of a skill is a completed task with isError (J4)', async (name, text) => {
  const { client } = await start([failing, throwing]);
  const { result: task } = await client().ask('tools/call', call(name));
  const ended = await untilEnded(client(), task.taskId);
  expect(ended).toMatchObject({ status: 'completed', result: { isError: true } });
  expect(ended.result.content[0].text).toMatch(text);
  expect(ended.result.structuredContent).toBeUndefined();
  expect(ended.error).toBeUndefined();
  expect(JSON.stringify(ended)).not.toContain('a secret of ours');
});

test('a call that is refused is answered at once, without a task (J1, J4)', async () => {
  const { skill } = heldSkill();
  const { client } = await start([skill]);
  const { result } = await client().ask('tools/call', call('work', { text: 1 }));
  expect(result).toMatchObject({ resultType: 'complete', isError: true });
  expect(result.content[0].text).toMatch(/^VALIDATION_ERROR/);
  expect(result.taskId).toBeUndefined();
});

test('tasks/cancel is acknowledged, also when it has ended; on another replica the task ends as cancelled (J4)', async () => {
  const { skill } = heldSkill();
  const { client } = await start([skill]);
  const other = await start([skill]);
  const { result: task } = await client().ask('tools/call', call('work', { text: 'hi' }));
  const acknowledged = { resultType: 'complete', _meta: expect.anything() };
  expect((await other.client().ask('tasks/cancel', { taskId: task.taskId })).result).toEqual(acknowledged);
  const ended = await untilEnded(client(), task.taskId);
  expect(ended).toMatchObject({ status: 'cancelled' });
  expect(ended.result).toBeUndefined();
  expect((await client().ask('tasks/cancel', { taskId: task.taskId })).result).toEqual(acknowledged);
  const update = { taskId: task.taskId, inputResponses: { unknown: { ignored: true } } };
  expect((await client().ask('tasks/update', update)).result).toEqual(acknowledged);
  expect((await client().ask('tasks/update', { taskId: task.taskId })).error.code).toBe(-32602);
});

test("tasks belong to their caller: another's, a plain invocation's and an unknown id are unknown, for those who read the log, too (J4)", async () => {
  const { skill, runs } = heldSkill();
  const { client, addAgent } = await start([skill]);
  const [ada, eve] = [await addAgent('ada'), await addAgent('eve', { scopes: ['log:read'] })];
  const { result: task } = await client(ada).ask('tools/call', call('work', { text: 'hi' }));
  await vi.waitUntil(() => runs() === 1, { timeout: 30_000 });
  const ids = [task.taskId, '3f0e6a52-8f07-4a2f-9b58-2f1b7c6a1d10', 'no-id', '__proto__', ''];
  for (const taskId of ids) {
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const { error } = await client(eve).ask(
        method,
        { taskId, inputResponses: {} },
        { 'mcp-name': taskId || '=?base64??=' },
      );
      expect(error.code).toBe(-32602);
    }
    const { result } = await client(eve, {}).ask('tools/call', call('run_result', { invocation_id: taskId }));
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toMatch(/^NOT_FOUND/);
  }
  expect((await client(ada).ask('tasks/get', { taskId: task.taskId })).result.status).toBe('working');
  expect((await client(ada).ask('tasks/get', {})).error.code).toBe(-32602);
});

test('clients that do not declare tasks get none, and may not ask for them: -32021, 400 (J4)', async () => {
  const { skill, release } = heldSkill();
  release();
  const { client, server } = await start([skill]);
  const plain = client(server.operatorToken, {});
  const { result } = await plain.ask('tools/call', call('work', { text: 'hi' }, { task: { ttl: 60_000 } }));
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { text: 'HI' } });
  expect(result._meta).toMatchObject({
    'repertoire/invocation_id': expect.any(String),
    'repertoire/correlation_id': expect.any(String),
    'repertoire/duration_ms': expect.any(Number),
  });
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const refused = await plain.ask(method, { taskId: 'x', inputResponses: {} });
    expect(refused.status).toBe(400);
    expect(refused.error).toMatchObject({ code: -32021, data: { requiredCapabilities: TASKS } });
  }
});

test('what the headers must say, and what is no method any more (J4)', async () => {
  const { skill } = heldSkill();
  const { client, server } = await start([skill]);
  const wrong = await client().ask('tasks/get', { taskId: 'one' }, { 'mcp-name': 'another' });
  expect(wrong).toMatchObject({ status: 400, error: { code: -32020 } });
  const missing = await client().ask('tasks/cancel', { taskId: 'one' }, { 'mcp-name': '' });
  expect(missing).toMatchObject({ status: 400, error: { code: -32020 } });
  for (const method of ['tasks/result', 'tasks/list']) {
    const gone = await client(server.operatorToken, {}).ask(method, { taskId: 'one' }, { 'mcp-method': 'other' });
    expect(gone).toMatchObject({ status: 404, error: { code: -32601 } });
    // Also without anything that such a request would need.
    const bare = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.operatorToken}`,
        'content-type': 'application/json',
        accept: 'text/html',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
    });
    expect(bare.status).toBe(404);
    expect(await bare.json()).toMatchObject({ id: 1, error: { code: -32601 } });
  }
  const { result } = await client().ask('server/discover');
  expect(result.capabilities.extensions['io.modelcontextprotocol/tasks']).toEqual({});
  expect(result.capabilities.tasks).toBeUndefined();
});

test('durable tools publish no output schema; run_result is offered to those who may invoke one (J4)', async () => {
  const { skill } = heldSkill({ assignedTo: ['TaskAgent'] });
  const greet = defineSkill({
    name: 'greet',
    description: 'Greets.',
    category: 'execution',
    input: z.object({}),
    output: answer,
    run: async () => ({ text: 'hi' }),
  });
  const { client, addAgent } = await start([skill, greet]);
  const toolsOf = async (token?: string) => {
    const { result } = await client(token).ask('tools/list');
    return new Map<string, JsonObject>(result.tools.map((tool: { name: string }) => [tool.name, tool]));
  };
  const tools = await toolsOf();
  expect(tools.get('work')).not.toHaveProperty('outputSchema');
  expect(tools.get('greet')).toHaveProperty('outputSchema');
  expect(tools.get('run_result')).toMatchObject({ inputSchema: { required: ['invocation_id'] } });
  expect((await toolsOf(await addAgent('worker', { roles: ['TaskAgent'] }))).has('run_result')).toBe(true);
  expect((await toolsOf(await addAgent('guest', { roles: ['UserAgent'] }))).has('run_result')).toBe(false);
});

test('a key gives the same task, and another input is a conflict (J3, J4)', async () => {
  const { skill, release, runs } = heldSkill();
  const { client, server } = await start([skill]);
  const keyed = (text: string) => call('work', { text }, { _meta: { 'repertoire/idempotency_key': 'k-1' } });
  const [one, two] = await Promise.all([
    client().ask('tools/call', keyed('a')),
    client().ask('tools/call', keyed('a')),
  ]);
  expect(one?.result.taskId).toBe(two?.result.taskId);
  const { result: conflict } = await client().ask('tools/call', keyed('b'));
  expect(conflict).toMatchObject({ isError: true });
  expect(conflict.content[0].text).toMatch(/^VALIDATION_ERROR/);
  release();
  expect(await untilEnded(client(), one?.result.taskId)).toMatchObject({
    result: { structuredContent: { text: 'A' } },
  });
  const again = await client(server.operatorToken, {}).ask('tools/call', keyed('a'));
  expect(again.result).toMatchObject({ structuredContent: { text: 'A' } });
  expect(again.result._meta['repertoire/invocation_id']).toBe(one?.result.taskId);
  expect(runs()).toBe(1);
  const bad = call('work', { text: 'a' }, { _meta: { 'repertoire/idempotency_key': 7 } });
  expect((await client().ask('tools/call', bad)).result.content[0].text).toMatch(/^VALIDATION_ERROR/);
});

test('what waits for a person is working and says so; rejected, it is completed with isError (J4, J8)', async () => {
  const { skill, runs } = heldSkill({ approval: 'required' });
  const { client, server } = await start([skill]);
  const { result: task } = await client().ask('tools/call', call('work', { text: 'hi' }));
  const { result } = await client().ask('tasks/get', { taskId: task.taskId });
  expect(result).toMatchObject({ status: 'working', statusMessage: expect.stringMatching(/^Waiting for approval/) });
  const rejected = await fetch(`${server.url}/api/invocations/${task.taskId}/reject`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'not today' }),
  });
  expect(rejected.status).toBe(200);
  const ended = await untilEnded(client(), task.taskId);
  expect(ended).toMatchObject({ status: 'completed', result: { isError: true } });
  expect(ended.result.content[0].text).toMatch(/^UNAUTHORIZED/);
  expect(runs()).toBe(0);
});

const asking = defineSkill({
  ...base,
  name: 'remove',
  input: z.object({ file: z.string() }),
  run: async ({ file }, { ask }) => {
    const replies = await ask({
      confirm: { message: `Remove ${file}?`, schema: z.object({ confirm: z.boolean() }) },
      reason: { message: 'Why?', schema: z.object({ reason: z.string().min(2) }) },
    });
    return { text: JSON.stringify(replies) };
  },
});

const FORMS = { ...TASKS, elicitation: {} };

test('a run asks the person at its client: what is asked, replied to one by one, ignored, and asked no more (J4)', async () => {
  const { client, server } = await start([asking]);
  const other = await start([asking]);
  const here = client(server.operatorToken, FORMS);
  const there = other.client(server.operatorToken, FORMS);
  const { result: task } = await here.ask('tools/call', call('remove', { file: 'a.txt' }));
  const { taskId } = task;
  const get = async () => (await there.ask('tasks/get', { taskId })).result;
  await vi.waitUntil(async () => Object.keys((await get()).inputRequests ?? {}).length === 2, { timeout: 30_000 });
  expect(await get()).toMatchObject({
    status: 'input_required',
    inputRequests: {
      confirm: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Remove a.txt?',
          requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
        },
      },
    },
  });
  // A client that can show no form is told so.
  const blind = await client().ask('tasks/get', { taskId });
  expect(blind.result).toMatchObject({ status: 'working', statusMessage: expect.stringContaining('elicitation') });
  expect(blind.result.inputRequests).toBeUndefined();
  const reply = (inputResponses: JsonObject) => there.ask('tasks/update', { taskId, inputResponses });
  await reply({ confirm: { action: 'accept', content: { confirm: 'yes' } }, reason: 7, unknown: null });
  expect(Object.keys((await get()).inputRequests)).toEqual(['confirm', 'reason']);
  await reply({ confirm: { action: 'accept', content: { confirm: true, more: 1 } } });
  expect(Object.keys((await get()).inputRequests)).toEqual(['reason']);
  await reply({ confirm: { action: 'decline' }, reason: { action: 'decline' } });
  const ended = await untilEnded(there, taskId);
  expect(ended.status).toBe('completed');
  expect(JSON.parse(ended.result.structuredContent.text)).toEqual({
    confirm: { action: 'accept', content: { confirm: true } },
    reason: { action: 'decline' },
  });
});

/** The messages of a stream of events, until one is the last that was waited for. */
async function messagesUntil(response: Response, isLast: (message: RawAnswer['body']) => boolean) {
  const messages: RawAnswer['body'][] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    const events = rest.split('\n\n');
    rest = events.pop() ?? '';
    for (const data of events.flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? [])) {
      messages.push(JSON.parse(data));
      if (isLast(messages.at(-1))) return messages;
    }
  }
  return messages;
}

test('a client that listens to its tasks is told of each state; those of others are not accepted (J4)', async () => {
  const { skill, release } = heldSkill();
  const { client, url, server, addAgent } = await start([skill]);
  const own = (await client().ask('tools/call', call('work', { text: 'hi' }))).result.taskId;
  const foreign = (await client(await addAgent('ada')).ask('tools/call', call('work', { text: 'x' }))).result.taskId;
  const listen = (capabilities: JsonObject) =>
    fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.operatorToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method: 'subscriptions/listen',
        params: {
          notifications: { taskIds: [own, foreign, 'none'] },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': capabilities,
          },
        },
      }),
    });
  const refused = await listen({});
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ id: 7, error: { code: -32021, data: { requiredCapabilities: TASKS } } });
  const stream = await listen(TASKS);
  const heard = messagesUntil(stream, ({ params }) => params?.status === 'completed');
  release();
  const [acknowledged, ...told] = await heard;
  expect(acknowledged).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { taskIds: [own] } },
  });
  const _meta = { 'io.modelcontextprotocol/subscriptionId': 7 };
  expect(told.at(-1)).toMatchObject({
    method: 'notifications/tasks',
    params: { taskId: own, status: 'completed', result: { structuredContent: { text: 'HI' } }, _meta },
  });
  expect(told.every(({ params }) => params.taskId === own)).toBe(true);
});
