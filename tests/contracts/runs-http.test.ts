// Runs over HTTP, on two servers of one store: asked for without waiting, by a key, cancelled, approved, scheduled (J2, J3, J7, J8).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sleep } from '../../src/async/sleep.ts';
import { type Server, type ServerOptions, startServer } from '../../src/server.ts';
import { defineSkill } from '../../src/skills/define/define-skill.ts';
import { answerFaults } from '../../src/surfaces/http/fixtures/route-at.ts';
import { createRouter } from '../../src/surfaces/http/router.ts';
import { modernClient, TASKS } from '../../src/surfaces/mcp/fixtures/modern-client.ts';
import { askAgain } from '../support/ask-again.ts';
import { makeServerPlace } from '../support/server-place.ts';
import { useStoreWorld } from './stores/use-store-world.ts';

const world = useStoreWorld();
const folder = mkdtempSync(join(tmpdir(), 'repertoire-runs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const route = createRouter();
const text = z.object({ text: z.string() });

function workingSkill(name: string, ran: string[], more: object = {}, wait = async (_signal: AbortSignal) => {}) {
  return defineSkill({
    name,
    description: 'Works.',
    category: 'execution',
    input: text,
    output: text,
    durable: {},
    run: async (input, { signal }) => {
      ran.push(input.text);
      await wait(signal);
      return { text: input.text.toUpperCase() };
    },
    ...more,
  });
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the test says what must be there.
  readonly json: any;
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function openServers(options: ServerOptions, count = 1) {
    const at = await makeServerPlace(await world.place(kind), folder);
    const servers: Server[] = [];
    for (let n = 0; n < count; n += 1) {
      const server = await startServer({ port: 0, roots: [], builtin: [], ...at, ...options });
      closing.push(() => server.close());
      servers.push(server);
    }
    const [first] = servers;
    const ask = (path: string, asked: Asked = {}, at = 0) => askAgain(() => askOnce(path, asked, at));
    const askOnce = async (path: string, asked: Asked, at: number): Promise<Answer> => {
      const { method, body, token, headers } = asked;
      const answer = await fetch(`${servers[at]?.url}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          authorization: `Bearer ${token ?? first?.operatorToken}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const json = (await answer.json()) as Answer['json'];
      const found = route(method ?? (body === undefined ? 'GET' : 'POST'), path.split('?')[0] ?? '');
      // As the description of the API says (H2).
      if (found.kind === 'route') expect(answerFaults(found.id, answer.status, json)).toEqual([]);
      return { status: answer.status, headers: answer.headers, json };
    };
    const addAgent = async (name: string, scopes: readonly string[] = []): Promise<string> => {
      const { status, json } = await ask('/api/agents', { body: { name, roles: ['*'], scopes } });
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(json)}`);
      return json.token;
    };
    return { ask, addAgent, url: first?.url };
  }

  const ASYNC = { prefer: 'respond-async' };
  const WORK = '/api/typed-skills/work/invoke';

  test('Prefer: respond-async answers 202 with Location, and the run ends on some server (J2)', async () => {
    const ran: string[] = [];
    const { ask, addAgent } = await openServers({ skills: [workingSkill('work', ran)] }, 2);
    const token = await addAgent('billing');
    const accepted = await ask(WORK, { body: { text: 'hi' }, headers: ASYNC, token });
    expect(accepted).toMatchObject({ status: 202, json: { status: expect.stringMatching(/^(pending|running)$/) } });
    const { invocation_id: id, correlation_id } = accepted.json;
    expect(accepted.headers.get('location')).toBe(`/api/invocations/${id}`);
    expect(accepted.headers.get('preference-applied')).toBe('respond-async');
    const ended = async () => (await ask(`/api/invocations/${id}`, { token }, 1)).json;
    await expect.poll(async () => (await ended()).result?.output_payload).toEqual({ text: 'HI' });
    expect(await ended()).toMatchObject({
      invocation: { status: 'completed', correlation_id, invoking_agent: 'billing' },
      attempts: [{ attempt: 1, failure_code: null }],
      approval: null,
    });
    expect(ran).toEqual(['hi']);
    expect((await ask('/api/runs?state=finished', { token })).json.runs).toMatchObject([{ id, status: 'completed' }]);
  });

  test('with a wait, one that ends in time is answered as usual; what is not durable ignores the preference (J2)', async () => {
    const plain = workingSkill('plain', [], { durable: undefined });
    const { ask } = await openServers({ skills: [workingSkill('work', []), plain] });
    const waited = await ask(WORK, { body: { text: 'hi' }, headers: { prefer: 'respond-async, wait=30' } });
    expect(waited).toMatchObject({ status: 200, json: { success: true, output_payload: { text: 'HI' } } });
    const ordinary = await ask('/api/typed-skills/plain/invoke', { body: { text: 'a' }, headers: ASYNC });
    expect(ordinary).toMatchObject({ status: 200, json: { output_payload: { text: 'A' } } });
    const unasked = await ask(WORK, { body: { text: 'b' } });
    expect(unasked).toMatchObject({ status: 200, json: { output_payload: { text: 'B' } } });
    const wrong = await ask(WORK, { body: { text: 1 }, headers: ASYNC });
    expect(wrong).toMatchObject({ status: 400, json: { failure_code: 'VALIDATION_ERROR' } });
  });

  test('others’ invocations are 404 without log:read, own ones are found, of runs and of ordinary calls (J2)', async () => {
    const plain = workingSkill('plain', [], { durable: undefined });
    const { ask, addAgent } = await openServers({ skills: [workingSkill('work', []), plain] });
    const [own, other, reader] = [
      await addAgent('own'),
      await addAgent('other'),
      await addAgent('reader', ['log:read']),
    ];
    for (const path of [WORK, '/api/typed-skills/plain/invoke']) {
      const { json } = await ask(path, { body: { text: 'hi' }, token: own });
      const at = `/api/invocations/${json.invocation_id}`;
      expect((await ask(at, { token: own })).status).toBe(200);
      expect((await ask(at, { token: reader })).status).toBe(200);
      expect((await ask(at, { token: other })).status).toBe(404);
      expect((await ask(at, { token: other, method: 'DELETE' })).status).toBe(404);
      expect((await ask(at, { token: reader, method: 'DELETE' })).status).toBe(404);
    }
    expect((await ask('/api/runs', { token: other })).json.runs).toEqual([]);
    expect((await ask('/api/runs', { token: reader })).json.runs).toHaveLength(1);
  });

  test('DELETE cancels a run on whichever server it runs (J2)', async () => {
    const ran: string[] = [];
    const { ask, addAgent } = await openServers({ skills: [workingSkill('work', ran, {}, untilAborted)] }, 2);
    const token = await addAgent('billing');
    const { json } = await ask(WORK, { body: { text: 'hi' }, headers: ASYNC, token });
    const at = `/api/invocations/${json.invocation_id}`;
    await expect.poll(() => ran).toEqual(['hi']);
    expect((await ask(at, { method: 'DELETE', token }, 1)).status).toBe(200);
    const result = async () => (await ask(at, { token })).json.result;
    await expect.poll(result).toMatchObject({ failure_code: 'INTERNAL_ERROR', failure_details: { cancelled: true } });
  });

  test('the attempts of a run are those of its invocation; an ordinary call has none (J5)', async () => {
    const plain = workingSkill('plain', [], { durable: undefined });
    const { ask } = await openServers({ skills: [workingSkill('work', []), plain] });
    const found = async (path: string) => {
      const { json } = await ask(path, { body: { text: 'hi' } });
      return (await ask(`/api/invocations/${json.invocation_id}`)).json;
    };
    const run = await found(WORK);
    expect(run.invocation.attempts).toEqual([{ attempt: 1, started_at: expect.any(String), failure_code: null }]);
    expect(run.attempts).toEqual(run.invocation.attempts);
    expect((await found('/api/typed-skills/plain/invoke')).invocation).not.toHaveProperty('attempts');
  });

  test('DELETE cancels an ordinary call that is under way, of the caller alone, on whichever server it runs (J2, X2)', async () => {
    const ran: string[] = [];
    const plain = workingSkill('plain', ran, { durable: undefined }, untilAborted);
    const { ask, addAgent } = await openServers({ skills: [workingSkill('work', []), plain] }, 2);
    const [own, reader] = [await addAgent('own'), await addAgent('reader', ['log:read'])];
    const call = (token?: string) => ask('/api/typed-skills/plain/invoke', { body: { text: 'hi' }, token });
    const underWay = async () => (await ask('/api/invocations?status=running')).json.invocations;
    for (const [token, at] of [
      [own, 0],
      [own, 1],
      [undefined, 1],
    ] as const) {
      const called = call(token);
      await expect.poll(underWay).toHaveLength(1);
      const path = `/api/invocations/${(await underWay())[0].id}`;
      expect((await ask(path, { method: 'DELETE', token: reader }, at)).status).toBe(404);
      expect((await ask(path, { method: 'DELETE', token }, at)).status).toBe(200);
      expect(await called).toMatchObject({
        status: 500,
        json: { failure_code: 'INTERNAL_ERROR', failure_details: { cancelled: true } },
      });
      expect((await ask(path, { token })).json).toMatchObject({
        invocation: { status: 'failed' },
        result: { failure_details: { cancelled: true } },
      });
    }
  });

  test('a key gives the same invocation to however many calls at once, and refuses another input with 409 (J3)', async () => {
    const ran: string[] = [];
    const skills = [
      workingSkill('work', ran),
      workingSkill('plain', ran, {
        durable: undefined,
        input: z.object({ text: z.string(), more: z.number().optional() }),
      }),
    ];
    const { ask, addAgent } = await openServers({ skills }, 2);
    const [one, two] = [await addAgent('one'), await addAgent('two')];
    for (const name of ['work', 'plain']) {
      ran.length = 0;
      const path = `/api/typed-skills/${name}/invoke`;
      const headers = { 'idempotency-key': 'order-1' };
      const call = async (n: number): Promise<Answer> => {
        const answer = await ask(path, { body: { text: 'pay' }, headers, token: one }, n % 2);
        // Accepted, while the database was late with its end: the key gives that, too.
        return answer.status === 202 ? sleep(1_000).then(() => call(n)) : answer;
      };
      const answers = await Promise.all(Array.from({ length: 100 }, (_each, n) => call(n)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1);
      expect(ran).toEqual(['pay']);
      const conflict = await ask(path, { body: { text: 'other' }, headers, token: one });
      expect(conflict).toMatchObject({ status: 409, json: { failure_code: 'VALIDATION_ERROR' } });
      const others = await ask(path, { body: { text: 'other' }, headers, token: two });
      expect(others).toMatchObject({ status: 200, json: { output_payload: { text: 'OTHER' } } });
      const bad = await ask(path, {
        body: { text: 'pay' },
        headers: { 'idempotency-key': 'x'.repeat(256) },
        token: one,
      });
      expect(bad).toMatchObject({ status: 400, json: { failure_code: 'VALIDATION_ERROR' } });
    }
  });

  test('a key means one input as JSON, whatever the order of its fields; an output with secrets takes none (J3)', async () => {
    const ran: string[] = [];
    const secretive = { output: z.object({ text: z.string().meta({ format: 'password' }) }), durable: undefined };
    const fields = z.object({ text: z.string(), more: z.object({ a: z.string(), b: z.string() }).optional() });
    const named = { output: z.object({ access_token: z.string() }), durable: undefined };
    const skills = [
      workingSkill('work', ran, { input: fields }),
      workingSkill('secretive', ran, secretive),
      workingSkill('named', ran, named),
    ];
    const { ask } = await openServers({ skills });
    const headers = { 'idempotency-key': 'order-1' };
    const given = (more: object) => ask(WORK, { body: more, headers });
    const first = await given({ text: 'é', more: { a: '1', b: '2' } });
    expect(first.status).toBe(200);
    expect((await given({ more: { b: '2', a: '1' }, text: 'é' })).json).toEqual(first.json);
    // Another text, though it looks the same.
    expect((await given({ text: 'e\u0301', more: { a: '1', b: '2' } })).status).toBe(409);
    expect((await given({ text: 'é', more: { a: '1', b: '2' }, extra: undefined })).status).toBe(200);
    expect((await given({ text: 'é', more: { a: '2', b: '1' } })).status).toBe(409);
    for (const key of ['', 'a b', 'é', 'x'.repeat(256), 'tab\there']) {
      const refused = await ask(WORK, { body: { text: 'key' }, headers: { 'idempotency-key': key } });
      expect([key, refused.status, refused.json.failure_code]).toEqual([key, 400, 'VALIDATION_ERROR']);
    }
    for (const name of ['secretive', 'named']) {
      const refused = await ask(`/api/typed-skills/${name}/invoke`, { body: { text: 'a' }, headers });
      expect(refused).toMatchObject({ status: 400, json: { failure_code: 'VALIDATION_ERROR' } });
    }
    expect(ran).toEqual(['é']);
  });

  test.each([
    ['respond-async, wait=-1', 202],
    ['respond-async, wait=999999999', 200],
    ['respond-async, wait=99999999999999999999', 200],
    ['respond-async; wait=5', 202],
    ['wait=5', 200],
    ['RESPOND-ASYNC , respond-async, wait=x, wait=30', 202],
    ['handling=lenient, respond-async', 202],
    [';;==,,"', 200],
  ] as const)('Prefer: %s is answered with %i (J2)', async (prefer, status) => {
    const { ask } = await openServers({ skills: [workingSkill('work', [], {}, () => sleep(50))] });
    expect((await ask(WORK, { body: { text: 'a' }, headers: { prefer } })).status).toBe(status);
  });

  test('however many decide at once, on whichever server, one decision is made, and it is in the trail once (J8, L5)', async () => {
    const ran: string[] = [];
    const { ask, addAgent } = await openServers({ skills: [workingSkill('work', ran, { approval: 'required' })] }, 2);
    const [owner, judge] = [await addAgent('owner', ['runs:approve']), await addAgent('judge', ['runs:approve'])];
    const { json: run } = await ask(WORK, { body: { text: 'a' }, headers: ASYNC, token: owner });
    const path = `/api/invocations/${run.invocation_id}`;
    const decide = (n: number) =>
      ask(
        `${path}/${n % 2 === 0 ? 'approve' : 'reject'}`,
        { body: { message: `by ${n}` }, token: judge },
        (n >> 1) % 2,
      );
    expect((await ask(`${path}/approve`, { body: {}, token: owner }, 1)).status).toBe(403);
    const statuses = (await Promise.all(Array.from({ length: 16 }, (_each, n) => decide(n)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 15 }, () => 409)]);
    const found = async () => (await ask(path, { token: owner })).json;
    await expect.poll(async () => (await found()).result !== null).toBe(true);
    const { approval, result } = await found();
    expect([approval.state, ran.length, result.success]).toEqual(
      approval.state === 'approved' ? ['approved', 1, true] : ['rejected', 0, false],
    );
    const { entries } = (await ask('/api/trail')).json;
    const decisions = entries.filter(({ subject }: { subject: string }) => subject === run.invocation_id);
    expect(decisions).toMatchObject([{ action: approval.state === 'approved' ? 'run.approve' : 'run.reject' }]);
  });

  test('cancelling while it ends gives one end, and what has ended stays as it is (J2)', async () => {
    const { ask } = await openServers({ skills: [workingSkill('work', [], {}, () => sleep(5))] }, 2);
    const race = async (n: number) => {
      const { json } = await ask(WORK, { body: { text: 'a' }, headers: ASYNC });
      await sleep(n * 3);
      const path = `/api/invocations/${json.invocation_id}`;
      const cancels = await Promise.all([0, 1].map((at) => ask(path, { method: 'DELETE' }, at)));
      expect(cancels.map(({ status }) => status)).toEqual([200, 200]);
      await expect.poll(async () => (await ask(path)).json.result !== null).toBe(true);
      const { json: ended } = await ask(path, {}, 1);
      expect((await ask(path, { method: 'DELETE' })).json.result).toEqual(ended.result);
      return ended.result.success === true || ended.result.failure_details.cancelled === true;
    };
    expect(await Promise.all(Array.from({ length: 20 }, (_each, n) => race(n)))).not.toContain(false);
  });

  test('a run that needs approval waits, is decided on by another person, and a rejected one fails with the reason (J8)', async () => {
    const ran: string[] = [];
    const destroys = { durable: undefined, annotations: { destructive: true } };
    const { ask, addAgent } = await openServers({
      skills: [workingSkill('work', ran, { approval: 'required' }), workingSkill('destroy', ran, destroys)],
      approvalFor: ['destructive'],
    });
    const token = await addAgent('billing', ['runs:approve']);
    const [judge, stranger] = [await addAgent('judge', ['runs:approve']), await addAgent('stranger')];
    const begin = async (name: string) =>
      (await ask(`/api/typed-skills/${name}/invoke`, { body: { text: name }, headers: ASYNC, token })).json
        .invocation_id as string;
    const decide = (id: string, verdict: string, by: string | undefined, body: object = {}) =>
      ask(`/api/invocations/${id}/${verdict}`, { body, token: by });
    const [first, second] = [await begin('work'), await begin('destroy')];
    expect((await ask(`/api/invocations/${first}`, { token })).json).toMatchObject({
      invocation: { status: 'pending' },
      approval: { state: 'waiting', decided_by: null },
    });
    expect((await ask('/api/runs?state=waiting', { token: judge })).json.runs).toHaveLength(2);
    expect((await decide(first, 'approve', token)).status).toBe(403);
    expect((await decide(first, 'approve', stranger)).status).toBe(403);
    expect((await decide('5f0c3a52-9d1e-4b7a-8c66-2e1f0d9b7a34', 'approve', judge)).status).toBe(404);
    expect((await decide(first, 'approve', judge)).status).toBe(200);
    expect((await decide(first, 'reject', judge)).status).toBe(409);
    expect((await decide(second, 'reject', undefined, { message: 'not today' })).status).toBe(200);
    const found = async (id: string) => (await ask(`/api/invocations/${id}`, { token })).json;
    await expect.poll(() => found(first)).toMatchObject({ result: { output_payload: { text: 'WORK' } } });
    expect(await found(second)).toMatchObject({
      invocation: { status: 'failed' },
      result: { failure_code: 'UNAUTHORIZED', failure_message: expect.stringContaining('not today') },
      approval: { state: 'rejected', message: 'not today' },
    });
    expect(ran).toEqual(['work']);
  });

  test('what looks like a credential in a reason is redacted wherever it is kept (J8, T9)', async () => {
    const secret = `rpa_${'A'.repeat(43)}`;
    const { ask } = await openServers({ skills: [workingSkill('work', [], { approval: 'required' })] });
    const { invocation_id: id } = (await ask(WORK, { body: { text: 'a' }, headers: ASYNC })).json;
    const decided = await ask(`/api/invocations/${id}/reject`, { body: { message: `use ${secret} instead` } });
    expect(decided.json).toMatchObject({ approval: { message: 'use [redacted] instead' } });
    expect(JSON.stringify([decided.json, (await ask('/api/trail')).json])).not.toContain(secret);
  });

  test('who may not decide is refused, and each try is a line of the log (J8)', async () => {
    const lines: object[] = [];
    const { ask, addAgent } = await openServers({
      skills: [workingSkill('work', [], { approval: 'required' })],
      log: (line) => lines.push(line),
    });
    const [owner, stranger] = [await addAgent('owner', ['runs:approve']), await addAgent('stranger')];
    const { invocation_id: id } = (await ask(WORK, { body: { text: 'a' }, headers: ASYNC, token: owner })).json;
    const path = `/api/invocations/${id}/approve`;
    for (const token of [owner, stranger]) expect((await ask(path, { body: {}, token })).status).toBe(403);
    expect(lines).toEqual(
      expect.arrayContaining(
        ['agent:owner', 'agent:stranger'].map((actor) => expect.objectContaining({ level: 'warn', actor, path })),
      ),
    );
  });

  test('a look at others’ runs, and at ids that were guessed, is a line of the log, over HTTP and over MCP (J2, J4)', async () => {
    const lines: object[] = [];
    const { ask, addAgent, url } = await openServers({
      skills: [workingSkill('work', [])],
      log: (line) => lines.push(line),
    });
    const [owner, stranger] = [await addAgent('owner'), await addAgent('stranger')];
    const { invocation_id: id } = (await ask(WORK, { body: { text: 'a' }, headers: ASYNC, token: owner })).json;
    expect((await ask(`/api/invocations/${id}`, { token: stranger })).status).toBe(404);
    const client = modernClient(`${url}/mcp`, stranger, TASKS);
    await client.ask('tasks/get', { taskId: id });
    await client.ask('tasks/cancel', { taskId: id });
    await client.ask('tools/call', { name: 'run_result', arguments: { invocation_id: id } });
    const noted = (method: string) =>
      expect.objectContaining({
        level: 'warn',
        actor: 'agent:stranger',
        method,
        resource: expect.stringContaining(id),
      });
    expect(lines).toEqual(expect.arrayContaining(['GET', 'tasks/get', 'tasks/cancel', 'run_result'].map(noted)));
  });

  test('a model’s function of a skill that survives makes a run, waits for a person, and gives its end (J1, J8, T11)', async () => {
    const ran: string[] = [];
    const skills = [workingSkill('work', ran), workingSkill('ask_first', ran, { approval: 'required' })];
    const { ask, addAgent } = await openServers({ skills });
    const [token, other] = [await addAgent('model'), await addAgent('other')];
    const call = async (name: string, input: object, by = token): Promise<unknown> => {
      const called = { id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } };
      return JSON.parse((await ask('/api/openai/dispatch', { body: called, token: by })).json.content);
    };
    expect(await call('work', { text: 'a' })).toEqual({ text: 'A' });
    const { invocations } = (await ask('/api/invocations')).json;
    expect((await ask(`/api/invocations/${invocations[0].id}`)).json.attempts).toHaveLength(1);
    const waiting = call('ask_first', { text: 'b' });
    const runs = async () => (await ask('/api/runs?state=waiting')).json.runs;
    await expect.poll(runs).toHaveLength(1);
    const [{ id }] = await runs();
    expect(await call('run_result', { invocation_id: id }, other)).toEqual({
      error: expect.stringMatching(/^NOT_FOUND/),
    });
    await ask(`/api/invocations/${id}/approve`, { body: {} });
    expect(await waiting).toEqual({ text: 'B' });
    expect(await call('run_result', { invocation_id: id })).toEqual({ text: 'B' });
  });

  test('who decided on a run sees its input and how it went, without its output; others see nothing (J2, J8)', async () => {
    const { ask, addAgent } = await openServers({ skills: [workingSkill('work', [], { approval: 'required' })] });
    const token = await addAgent('billing');
    const [judge, other] = [await addAgent('judge', ['runs:approve']), await addAgent('other', ['runs:approve'])];
    const decided = async (verdict: string) => {
      const begun = await ask(WORK, { body: { text: 'hi' }, headers: ASYNC, token });
      const path = `/api/invocations/${begun.json.invocation_id}`;
      expect((await ask(path, { token: judge })).status).toBe(404);
      expect((await ask(`${path}/${verdict}`, { body: { message: 'as I say' }, token: judge })).status).toBe(200);
      await expect.poll(async () => (await ask(path, { token: judge })).json.result).not.toBe(null);
      expect((await ask(path, { token: other })).status).toBe(404);
      expect((await ask(path, { method: 'DELETE', token: judge })).status).toBe(404);
      return (await ask(path, { token: judge })).json;
    };
    expect(await decided('approve')).toMatchObject({
      invocation: { status: 'completed', input_payload: { text: 'hi' } },
      result: { success: true, output_payload: { redacted: true } },
      approval: { state: 'approved', decided_by: 'agent:judge', message: 'as I say' },
    });
    expect(await decided('reject')).toMatchObject({
      invocation: { status: 'failed', input_payload: { text: 'hi' } },
      result: { failure_code: 'UNAUTHORIZED', failure_message: expect.stringContaining('as I say') },
    });
  });

  test('a caller is told how many runs wait for them, and of each what they may do with it (J2, J8)', async () => {
    const { ask, addAgent } = await openServers({ skills: [workingSkill('work', [], { approval: 'required' })] });
    const own = await addAgent('billing', ['runs:approve']);
    const judge = await addAgent('judge', ['runs:approve']);
    const [plain, reader] = [await addAgent('plain'), await addAgent('reader', ['log:read'])];
    const begun = await ask(WORK, { body: { text: 'hi' }, headers: ASYNC, token: own });
    const id = String(begun.json.invocation_id);
    const waitingFor = async (token?: string) => (await ask('/api/runs/waiting', { token })).json.count;
    expect([await waitingFor(own), await waitingFor(judge), await waitingFor(plain)]).toEqual([0, 1, 0]);
    expect([await waitingFor(reader), await waitingFor()]).toEqual([0, 1]);
    const listed = async (token?: string) =>
      (await ask(`/api/runs?state=waiting&id=${id}`, { token })).json.runs.map(
        ({ may_cancel, may_decide }: Record<string, boolean>) => [may_cancel, may_decide],
      );
    expect([await listed(own), await listed(judge), await listed(plain)]).toEqual([
      [[true, false]],
      [[false, true]],
      [],
    ]);
    expect([await listed(reader), await listed()]).toEqual([[[false, false]], [[true, true]]]);
    expect((await ask('/api/runs?id=x', { token: judge })).json.runs).toEqual([]);
    // Others' runs are 404 without log:read, also for those who decide.
    expect((await ask(`/api/invocations/${id}`, { token: judge })).status).toBe(404);
    expect((await ask(`/api/invocations/${id}`, { token: own })).json).toMatchObject({
      may_cancel: true,
      may_decide: false,
    });
    await ask(`/api/invocations/${id}/reject`, { body: {}, token: judge });
    expect([await waitingFor(judge), await listed(judge)]).toEqual([0, []]);
    expect((await ask(`/api/invocations/${id}`)).json).toMatchObject({ may_cancel: false, may_decide: false });
  });

  test('a run that was started with a token for another person is not decided on by who issued the token (J8, N6)', async () => {
    const opened = { skills: [workingSkill('work', [], { approval: 'required' })] };
    const { ask, addAgent } = await openServers({ ...opened, builtin: ['user_creation', 'token_generation'] });
    const scopes = ['runs:approve'];
    const [issuer, judge] = [await addAgent('issuer', scopes), await addAgent('judge', scopes)];
    const give = async (skill: string, body: object, token?: string) =>
      (await ask(`/api/typed-skills/${skill}/invoke`, { body, token })).json.output_payload;
    const email = 'ada@example.org';
    const { user_id } = await give('user_creation', { email, password: 'correct horse' });
    await ask('/api/users/ada%40example.org/grant', { body: { roles: ['*'] } });
    const tokenBy = async (by: string): Promise<string> =>
      (await give('token_generation', { user_id, email }, by)).access_token;
    const first = await tokenBy(issuer);
    // Also by a token that was asked for with the first one.
    for (const token of [first, await tokenBy(first)]) {
      const { json } = await ask(WORK, { body: { text: 'hi' }, headers: ASYNC, token });
      const waiting = async (by: string) => (await ask('/api/runs/waiting', { token: by })).json.count;
      expect([await waiting(issuer), await waiting(judge)]).toEqual([0, 1]);
      const approve = async (by: string) =>
        (await ask(`/api/invocations/${json.invocation_id}/approve`, { body: {}, token: by })).status;
      expect([await approve(issuer), await approve(first), await approve(judge)]).toEqual([403, 403, 200]);
    }
  });

  test('schedules are listed with their next time, and a bad one by name with what is wrong (J7)', async () => {
    const { ask } = await openServers({
      skills: [workingSkill('work', [])],
      schedules: [
        { name: 'nightly', skill: 'work', input: { text: 'hi' }, cron: '0 3 * * *', timezone: 'Europe/Berlin' },
        { name: 'odd', skill: 'nothing', cron: '* * * * *' },
      ],
    });
    expect((await ask('/api/schedules')).json.schedules).toMatchObject([
      { name: 'nightly', problem: null, next_at: expect.any(String), last_at: null },
      { name: 'odd', next_at: null, problem: expect.stringContaining('"odd": there is no typed skill "nothing"') },
    ]);
  });

  test('without a log durable definitions and keys are refused with a sentence (X7)', async () => {
    const plain = workingSkill('plain', [], { durable: undefined });
    const { ask } = await openServers({ skills: [workingSkill('work', []), plain], record: false });
    expect((await ask(WORK, { body: { text: 'hi' } })).status).toBe(404);
    const path = '/api/typed-skills/plain/invoke';
    const keyed = await ask(path, { body: { text: 'hi' }, headers: { 'idempotency-key': 'k' } });
    expect(keyed).toMatchObject({ status: 400, json: { failure_message: expect.stringContaining('--no-log') } });
    expect((await ask('/api/runs')).status).toBe(404);
  });
});
