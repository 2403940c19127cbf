// task_execution: a skill run for a task, and what becomes of the task (B4, B1, X5).
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { TaskStore } from '../../../src/builtin/ports/task-store.ts';
import { agentCaller } from '../../../src/identity/caller.ts';
import { defineSkill } from '../../../src/skills/define/define-skill.ts';
import { failure } from '../../../src/skills/define/failure.ts';
import { StoreUnavailable } from '../../../src/skills/record/invocation-log.ts';
import { createLatch } from '../../support/latch.ts';
import { openPlanning, type Planning } from './planning-world.ts';

let planning: Planning;
let user_id: string;
let task_id: string;
let runs = 0;
/** What happens while the skill runs. */
let meanwhile: () => Promise<unknown>;
let isStoreAway: (call: number) => boolean;

const work = defineSkill({
  name: 'work',
  description: 'Does the work.',
  category: 'execution',
  assignedTo: ['TaskExecutorAgent'],
  input: z.object({ fail: z.boolean().optional() }),
  output: z.object({ done: z.string() }),
  failureModes: ['EXTERNAL_SERVICE_ERROR'],
  async run({ fail }) {
    runs += 1;
    await meanwhile();
    return fail ? failure('EXTERNAL_SERVICE_ERROR') : { done: 'all of it' };
  },
});
const guarded = defineSkill({ ...work, name: 'guarded', assignedTo: ['AuthAgent'] });

beforeEach(async () => {
  runs = 0;
  meanwhile = async () => {};
  isStoreAway = () => false;
  let calls = 0;
  const tasks = (stored: TaskStore): TaskStore => ({
    ...stored,
    update: async (...asked) => {
      calls += 1;
      if (isStoreAway(calls)) throw new StoreUnavailable('it is away');
      return await stored.update(...asked);
    },
  });
  planning = openPlanning({ skills: [work, guarded], tasks });
  user_id = await planning.createUser();
  task_id = await planning.createTask(user_id);
});
afterEach(() => planning.runtime.close());

const input = (given: object = {}) => ({ task_id, user_id, skill_name: 'work', input: {}, ...given });
const execute = (given?: object) => planning.output('task_execution', input(given));
const failing = (given?: object) => planning.failure('task_execution', input(given));
const status = async () => (await planning.tasks.find(user_id, task_id))?.status;

test('the task is in progress while the skill runs, and completed afterwards (B4)', async () => {
  let during: string | undefined;
  meanwhile = async () => {
    during = await status();
  };
  expect(await execute()).toEqual({ task_id, status: 'completed', skill_name: 'work', output: { done: 'all of it' } });
  expect([during, await status()]).toEqual(['in_progress', 'completed']);
});

test('where the skill fails the task is pending again, and the failure says with what (B4)', async () => {
  expect(await failing({ input: { fail: true } })).toEqual({
    code: 'EXTERNAL_SERVICE_ERROR',
    message: 'External service unavailable',
    details: {
      task_id,
      status: 'pending',
      failed: { skill_name: 'work', code: 'EXTERNAL_SERVICE_ERROR', message: 'External service unavailable' },
    },
  });
  expect(await status()).toBe('pending');
  expect(await execute()).toMatchObject({ status: 'completed' });
});

test('a wrong input of the skill is told with its field, and the task waits (X5)', async () => {
  expect(await failing({ input: { fail: 'yes' } })).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'Input validation failed: skill work: fail: must be true or false',
  });
  expect([await status(), runs]).toEqual(['pending', 0]);
});

test('the skill runs with the authority of the caller, not more (X5)', async () => {
  const caller = agentCaller('TaskExecutorAgent');
  const as = (skill_name: string) => planning.invoke('task_execution', input({ skill_name }), { caller });
  expect(await as('guarded')).toMatchObject({ failure: { code: 'UNAUTHORIZED', details: { status: 'pending' } } });
  expect([await status(), runs]).toEqual(['pending', 0]);
  expect(await as('work')).toMatchObject({ success: true });
});

test('both calls are in the log under one correlation id (X6)', async () => {
  await execute();
  const logged = planning.log.ended.map(({ invocation }) => invocation);
  expect(logged.map(({ skillName }) => skillName)).toEqual(['work', 'task_execution']);
  expect(new Set(logged.map(({ correlationId }) => correlationId)).size).toBe(1);
});

describe('a task that cannot be executed', () => {
  test("another user's task answers like a missing one, and stays as it is (B1)", async () => {
    const other = await planning.createUser();
    const missing = randomUUID();
    expect(await failing({ user_id: other })).toMatchObject({
      code: 'NOT_FOUND',
      message: `Resource not found: task ${task_id}`,
    });
    expect(await failing({ task_id: missing })).toMatchObject({ message: `Resource not found: task ${missing}` });
    expect([await status(), runs]).toEqual(['pending', 0]);
  });

  test.each(['in_progress', 'completed', 'cancelled'] as const)(
    'one that is %s is refused with a sentence',
    async (given) => {
      task_id = await planning.createTask(user_id, { status: given });
      expect(await failing()).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: `Input validation failed: task_id: the task is ${given}; only one that is pending can be executed`,
      });
      expect([await status(), runs]).toEqual([given, 0]);
    },
  );

  test('an unknown skill is NOT_FOUND, and the task stays as it is', async () => {
    expect(await failing({ skill_name: 'nope' })).toMatchObject({ message: 'Resource not found: skill "nope"' });
    expect(await status()).toBe('pending');
  });

  test('of ten calls at once one runs the skill', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => planning.invoke('task_execution', input())));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(runs).toBe(1);
  });

  test('a task that executes itself is refused inside', async () => {
    const inner = input();
    expect(await failing({ skill_name: 'task_execution', input: inner })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect([await status(), runs]).toEqual(['pending', 0]);
  });
});

describe('what happens meanwhile', () => {
  test('a task that its owner calls off stays so', async () => {
    meanwhile = () =>
      planning.tasks.update(user_id, task_id, () => ({ ok: true, value: { status: 'cancelled' } }), new Date());
    expect(await execute()).toMatchObject({ status: 'cancelled', output: { done: 'all of it' } });
    expect(await status()).toBe('cancelled');
  });

  test('a task that is deleted: NOT_FOUND, and that the skill has run', async () => {
    meanwhile = () => planning.tasks.delete(user_id, task_id);
    expect(await failing()).toMatchObject({ code: 'NOT_FOUND', details: { executed: true } });
  });

  test('a client that cancels: the task is pending again', async () => {
    const client = new AbortController();
    const held = createLatch();
    meanwhile = () => {
      client.abort();
      return held.opened;
    };
    const answer = await planning.invoke('task_execution', input(), { signal: client.signal });
    expect(answer).toMatchObject({ failure: { details: { cancelled: true } } });
    await expect.poll(status).toBe('pending');
    held.open();
  });

  test('a store that is away before: PERSISTENCE_ERROR, nothing has run (X4)', async () => {
    isStoreAway = () => true;
    expect(await failing()).toEqual({
      code: 'PERSISTENCE_ERROR',
      message: 'Database operation failed',
      details: undefined,
    });
    expect(runs).toBe(0);
  });

  test('a store that is away afterwards: PERSISTENCE_ERROR, and that the skill has run (X4)', async () => {
    isStoreAway = (call) => call > 1;
    expect(await failing()).toMatchObject({ code: 'PERSISTENCE_ERROR', details: { executed: true } });
    expect(runs).toBe(1);
  });

  test('a store that is away after a failure: the failure counts, the status is not known', async () => {
    isStoreAway = (call) => call > 1;
    expect(await failing({ input: { fail: true } })).toMatchObject({
      code: 'EXTERNAL_SERVICE_ERROR',
      details: { status: null },
    });
  });
});

test('passwords in the input of the skill stay out of the log (B2)', async () => {
  const account = { email: 'ada@example.org', password: 'a password of mine' };
  expect(await execute({ skill_name: 'user_creation', input: account })).toMatchObject({ status: 'completed' });
  expect(planning.said()).not.toContain('a password of mine');
  expect(planning.said()).toContain('ada@example.org');
});
