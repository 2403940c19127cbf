// Typed skills over the API: definitions, results, every status of H3, cancelling (X1, X2, X3).
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createSkillWorld } from '../../../catalog/fixtures/skill-world.ts';
import { agentCaller, type Caller, userCaller } from '../../../identity/caller.ts';
import { failure } from '../../../skills/define/failure.ts';
import { testSkill } from '../../../skills/fixtures/test-skill.ts';
import { type AskOptions, memoryStore, openApiWorld } from '../fixtures/api-world.ts';

const openEcho = (changes: object = {}) => openApiWorld(createSkillWorld(), { skills: [testSkill(changes)] });

const invoking = (body: unknown, rest: AskOptions = {}): AskOptions => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...rest,
});

const INVOKE = '/api/typed-skills/echo/invoke';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('definitions', () => {
  test('are those of X1, all or one (H2)', async () => {
    const { fetch } = await openEcho({ assignedTo: ['TaskAgent'], failureModes: ['NOT_FOUND'] });
    const one = await fetch('/api/typed-skills/echo');
    expect(one.json).toMatchObject({
      name: 'echo',
      description: 'Says what it was told.',
      category: 'execution',
      assigned_to: ['TaskAgent'],
      input_schema: { type: 'object', properties: { text: { type: 'string', maxLength: 100 } } },
      output_schema: { type: 'object' },
      success_criteria: [],
      failure_modes: ['NOT_FOUND'],
      timeout_seconds: 30,
    });
    expect((await fetch('/api/typed-skills')).json).toEqual({ skills: [one.json] });
  });

  test.each(['nope', 'ECHO', '__proto__'])('%s is 404 (H3)', async (name) => {
    const { fetch } = await openEcho();
    expect((await fetch(`/api/typed-skills/${name}`)).status).toBe(404);
    expect((await fetch(`/api/typed-skills/${name}/invoke`, invoking({}))).status).toBe(404);
  });
});

describe('a caller who may not invoke a skill', () => {
  const skills = [
    testSkill({ name: 'for_tasks', assignedTo: ['TaskAgent'], category: 'planning' }),
    testSkill({ name: 'for_logins', assignedTo: ['AuthAgent', 'UserAgent'], category: 'planning' }),
    testSkill({ name: 'for_all' }),
  ];
  const open = async () => {
    const world = await openApiWorld(createSkillWorld(), { skills });
    const names = async (target: string, caller?: Caller) => {
      const { json } = await world.fetch(target, caller && { caller });
      return json.skills.map(({ name }: { readonly name: string }) => name);
    };
    return { ...world, names };
  };

  test('is not shown it, and gets the answer of a name that no skill has (X10) (M8)', async () => {
    const { fetch, names } = await open();
    const caller = agentCaller('TaskAgent');
    expect(await names('/api/typed-skills')).toEqual(['for_tasks', 'for_logins', 'for_all']);
    expect(await names('/api/typed-skills', caller)).toEqual(['for_tasks', 'for_all']);
    expect(await names('/api/typed-skills', agentCaller('AuthAgent'))).toEqual(['for_logins', 'for_all']);
    const plain = (text: string, name: string) => text.replaceAll(name, '').replace(/"correlation_id":"[^"]+"/, '');
    const hidden = await fetch('/api/typed-skills/for_logins', { caller });
    const missing = await fetch('/api/typed-skills/for_nobody', { caller });
    expect([hidden.status, plain(hidden.text, 'for_logins')]).toEqual([404, plain(missing.text, 'for_nobody')]);
    expect((await fetch('/api/typed-skills/for_logins')).status).toBe(200);
  });

  test('is refused by it all the same, on record (X10) (X5)', async () => {
    const store = memoryStore();
    const { fetch } = await openApiWorld(createSkillWorld(), { skills, store });
    const answer = await fetch(
      '/api/typed-skills/for_logins/invoke',
      invoking({ text: 'hi' }, { caller: agentCaller('TaskAgent') }),
    );
    expect(answer.status).toBe(403);
    expect(answer.json.failure_code).toBe('UNAUTHORIZED');
    expect(answer.json.failure_message).toContain('AuthAgent, UserAgent');
    const { invocations } = await store.invocations.list({ limit: 10 });
    expect(invocations.map(({ invocation }) => invocation.skillName)).toEqual(['for_logins']);
  });

  test('may ask for one category, and for what one role may invoke (X10)', async () => {
    const { fetch, names } = await open();
    expect(await names('/api/typed-skills?category=planning')).toEqual(['for_tasks', 'for_logins']);
    expect(await names('/api/typed-skills?agent=UserAgent')).toEqual(['for_logins', 'for_all']);
    expect(await names('/api/typed-skills?agent=NopeRole')).toEqual(['for_all']);
    expect(await names('/api/typed-skills?agent=*')).toEqual(['for_tasks', 'for_logins', 'for_all']);
    expect(await names('/api/typed-skills?agent=UserAgent&category=planning')).toEqual(['for_logins']);
    expect(await names('/api/typed-skills?agent=UserAgent', agentCaller('TaskAgent'))).toEqual(['for_all']);
    const { status, json } = await fetch('/api/typed-skills?category=gardening');
    expect(status).toBe(400);
    expect(json.failure_message).toContain('category');
  });

  test('is never shown what was kept for another caller (X10)', async () => {
    const { names, fetch } = await open();
    const some = agentCaller('one', ['AuthAgent', 'TaskAgent']);
    for (const caller of [undefined, some, agentCaller('TaskAgent'), agentCaller('two', ['TaskAgent', 'AuthAgent'])]) {
      const twice = [await names('/api/typed-skills', caller), await names('/api/typed-skills', caller)];
      expect(twice[1]).toEqual(twice[0]);
      expect(twice[0]).toHaveLength(caller?.name === 'TaskAgent' ? 2 : 3);
      const { json } = await fetch('/api/openai/tools', caller && { caller });
      expect(json.tools).toHaveLength(caller?.name === 'TaskAgent' ? 4 : 5);
    }
  });
});

describe('invoke', () => {
  test('answers the result with every key of X3 and the correlation id (H2, X3)', async () => {
    const { fetch } = await openEcho();
    const id = '0198F0AA-1111-4222-8333-444455556666';
    const { status, json } = await fetch(INVOKE, invoking({ text: 'hi' }, { headers: { 'X-Correlation-Id': id } }));
    expect(status).toBe(200);
    expect(json).toEqual({
      invocation_id: expect.stringMatching(UUID),
      success: true,
      output_payload: { text: 'hi' },
      failure_code: null,
      failure_message: null,
      failure_details: null,
      severity: null,
      suggested_action: null,
      duration_ms: expect.any(Number),
      timestamp: expect.any(String),
      correlation_id: id.toLowerCase(),
    });
  });

  test('is recorded under the name of the caller, whatever the caller claims (X2, H5)', async () => {
    const store = memoryStore();
    const { fetch } = await openApiWorld(createSkillWorld(), { skills: [testSkill()], store });
    const caller = agentCaller('TaskAgent');
    await fetch(INVOKE, invoking({ text: 'hi' }, { caller, headers: { 'X-Invoking-Agent': 'AuthAgent' } }));
    const { invocations } = await store.invocations.list({ limit: 10 });
    expect(invocations.map(({ invocation }) => invocation.invokingAgent)).toEqual(['TaskAgent']);
  });

  test.each([
    ['VALIDATION_ERROR', 400, { details: 'x' }],
    ['NOT_FOUND', 404, { resource: 'task 7' }],
    ['UNAUTHORIZED', 403, { reason: 'x' }],
    ['RATE_EXCEEDED', 429, { retry_after: 7 }],
    ['TIMEOUT', 504, { timeout: 1 }],
    ['PERSISTENCE_ERROR', 503, {}],
    ['EXTERNAL_SERVICE_ERROR', 502, {}],
    ['INTERNAL_ERROR', 500, {}],
  ] as const)('a skill that fails with %s is %i (H3, X4)', async (code, status, parameters) => {
    const declared = ['NOT_FOUND', 'PERSISTENCE_ERROR', 'EXTERNAL_SERVICE_ERROR'];
    const { fetch } = await openEcho({ failureModes: declared, run: () => failure(code, parameters as never) });
    const answer = await fetch(INVOKE, invoking({ text: 'hi' }));
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({
      success: false,
      output_payload: null,
      failure_code: code,
      failure_message: expect.any(String),
      severity: expect.stringMatching(/^(recoverable|fatal)$/),
      suggested_action: expect.any(String),
      correlation_id: expect.stringMatching(UUID),
    });
    expect(answer.headers['retry-after']).toBe(code === 'RATE_EXCEEDED' ? '7' : undefined);
  });

  test('a throw is 500 without its text (X4)', async () => {
    const run = () => {
      throw new Error('secret');
    };
    const { fetch } = await openEcho({ run });
    const { status, text } = await fetch(INVOKE, invoking({ text: 'hi' }));
    expect(status).toBe(500);
    expect(text).not.toContain('secret');
  });

  test('tells of all violations of the input at once (X5)', async () => {
    const { fetch } = await openEcho({ input: z.object({ text: z.string(), n: z.number() }) });
    const { status, json } = await fetch(INVOKE, invoking({ text: 1, other: 2 }));
    expect(status).toBe(400);
    for (const path of ['text: ', 'n: ', 'other: ']) expect(json.failure_message).toContain(path);
  });

  test.each(['{', '{"text":', 'hi', '{"text":"a"}x'])('%s is no JSON: 400, and not recorded (X2)', async (body) => {
    const store = memoryStore();
    const { fetch } = await openApiWorld(createSkillWorld(), { skills: [testSkill()], store });
    const { status, json } = await fetch(INVOKE, invoking(body));
    expect(status).toBe(400);
    expect(json.failure_message).toBe('Input validation failed: the body is not valid JSON');
    expect((await store.invocations.list({ limit: 10 })).invocations).toEqual([]);
  });

  test.each(['[]', '"text"', '7', 'null'])('%s is no input: 400, and recorded (X2)', async (body) => {
    const store = memoryStore();
    const { fetch } = await openApiWorld(createSkillWorld(), { skills: [testSkill()], store });
    expect((await fetch(INVOKE, invoking(body))).status).toBe(400);
    expect((await store.invocations.list({ limit: 10 })).invocations).toHaveLength(1);
  });

  test('nothing at all is an empty input', async () => {
    const { fetch } = await openEcho({ input: z.object({}), run: () => ({ text: 'none' }) });
    expect((await fetch(INVOKE, { method: 'POST' })).json.output_payload).toEqual({ text: 'none' });
  });

  test('a correlation id that is none is 400 (X2)', async () => {
    const { fetch } = await openEcho();
    const { status, json } = await fetch(
      INVOKE,
      invoking({ text: 'hi' }, { headers: { 'X-Correlation-Id': 'seven' } }),
    );
    expect(status).toBe(400);
    expect(json.failure_message).toContain('correlation_id: must be 8-4-4-4-12 hexadecimal digits');
    expect(json.correlation_id).toMatch(UUID);
  });

  test('who may not is 403 and recorded (X5, H5)', async () => {
    const { fetch } = await openEcho({ assignedTo: ['TaskAgent'] });
    expect((await fetch(INVOKE, invoking({ text: 'hi' }, { caller: agentCaller('AuthAgent') }))).status).toBe(403);
    expect((await fetch(INVOKE, invoking({ text: 'hi' }, { caller: userCaller('u') }))).status).toBe(403);
    expect((await fetch(INVOKE, invoking({ text: 'hi' }, { caller: agentCaller('TaskAgent') }))).status).toBe(200);
    expect((await fetch('/api/invocations?status=failed')).json.invocations).toHaveLength(2);
  });

  test('the database being away is 503 where the log is required (X7)', async () => {
    const { fetch } = await openEcho({ failureModes: ['PERSISTENCE_ERROR'], run: () => failure('PERSISTENCE_ERROR') });
    expect((await fetch(INVOKE, invoking({ text: 'x' }))).json.failure_message).toBe('Database operation failed');
  });

  test('a client that goes away cancels its call (X2)', async () => {
    let began: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const run = (_input: unknown, { signal }: { signal: AbortSignal }) => {
      began();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: 'late' })));
    };
    const store = memoryStore();
    const { port, runtime } = await openApiWorld(createSkillWorld(), { skills: [testSkill({ run })], store });
    const ended = new Promise((resolve) => runtime.subscribe((event) => event.type === 'end' && resolve(event)));
    const socket = connect(port, '127.0.0.1');
    const body = '{"text":"hi"}';
    socket.write(
      `POST ${INVOKE} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await begun;
    socket.destroy();
    await ended;
    const [logged] = (await store.invocations.list({ limit: 1 })).invocations;
    expect(logged?.invocation.status).toBe('failed');
    expect(logged?.result).toMatchObject({ failure: { code: 'INTERNAL_ERROR', details: { cancelled: true } } });
  });
});
