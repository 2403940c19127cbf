// Two users × every task operation × every way to name the other's task: as if it were not there, and untouched (B1).
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { agentCaller, type Caller, LOCAL_OPERATOR, userCaller } from '../../../src/identity/caller.ts';
import { type Builtin, KINDS, useBuiltinWorld } from './builtin-world.ts';

const world = useBuiltinWorld();

const OPERATIONS = {
  'task_retrieval by id': ['task_retrieval', {}],
  'task_retrieval by id and status': ['task_retrieval', { status_filter: 'pending' }],
  'task_retrieval by id and page': ['task_retrieval', { limit: 1, offset: 1 }],
  'task_update of the title': ['task_update', { title: 'mine now' }],
  'task_update of the status': ['task_update', { status: 'completed' }],
  'task_update to another status': ['task_update', { status: 'in_progress' }],
  'task_update that clears': ['task_update', { description: null, due_date: null }],
  'task_update of everything': [
    'task_update',
    { title: 'x', description: 'y', status: 'cancelled', priority: 5, due_date: '2030-01-01T00:00:00Z' },
  ],
  task_deletion: ['task_deletion', {}],
} as const;

const SPELLINGS: Readonly<Record<string, (id: string) => string>> = {
  'as it is': (id) => id,
  'in upper case': (id) => id.toUpperCase(),
  'in mixed case': (id) => id.slice(0, 18).toUpperCase() + id.slice(18),
};

const CALLERS: Readonly<Record<string, (userId: string) => Caller>> = {
  'the operator': () => LOCAL_OPERATOR,
  'a TaskAgent': () => agentCaller('TaskAgent'),
  'the other user': (userId) => userCaller(userId),
};

/** Each spelling by each caller. */
const WAYS = Object.keys(SPELLINGS).flatMap((spelling) =>
  Object.keys(CALLERS).map((caller) => [spelling, caller] as const),
);

describe.each(KINDS)('on %s', (kind) => {
  let builtin: Builtin;
  let owner: string;
  let other: string;
  let task_id: string;
  beforeAll(async () => {
    builtin = await world.open(kind);
  });
  beforeEach(async () => {
    [owner, other] = await Promise.all([builtin.createUser(), builtin.createUser()]);
    const given = { description: 'Twice a week', priority: 3, due_date: '2026-12-01T00:00:00Z' };
    task_id = await builtin.createTask(owner, given);
  });
  afterAll(() => world.closeAll());

  test.each(Object.entries(OPERATIONS))(
    '%s, however the id is written, whoever asks (B1)',
    async (_, [skill, given]) => {
      const before = await builtin.tasks.find(owner, task_id);
      const missing = randomUUID();
      for (const [spelling, caller] of WAYS) {
        const ask = (id: string) => {
          const input = { user_id: other, task_id: SPELLINGS[spelling]?.(id), ...given };
          return builtin.invoke(skill, input, CALLERS[caller]?.(other));
        };
        const [foreign, unknown] = [await ask(task_id), await ask(missing)];
        expect(shapeOf(foreign, task_id)).toEqual(shapeOf(unknown, missing));
        expect(foreign, `${spelling}, ${caller}`).toMatchObject({
          success: false,
          failure: { code: 'NOT_FOUND', message: `Resource not found: task ${task_id}` },
        });
      }
      expect(await builtin.tasks.find(owner, task_id)).toEqual(before);
    },
  );

  test('a list shows nothing of the other, whatever is asked for (B1)', async () => {
    for (const given of [{}, { status_filter: 'pending' }, { limit: 1_000 }, { offset: 1 }]) {
      const listed = await builtin.output('task_retrieval', { user_id: other, ...given });
      expect(listed).toEqual({ tasks: [], total_count: 0, has_more: false });
    }
  });

  test('a user cannot act in the name of another (H5)', async () => {
    for (const [skill, given] of Object.values(OPERATIONS)) {
      const answer = await builtin.invoke(skill, { user_id: owner, task_id, ...given }, userCaller(other));
      expect(answer).toMatchObject({ success: false, failure: { code: 'UNAUTHORIZED' } });
    }
    const made = await builtin.invoke('task_creation', { user_id: owner, title: 'x' }, userCaller(other));
    expect(made).toMatchObject({ success: false, failure: { code: 'UNAUTHORIZED' } });
    expect(await builtin.output('task_retrieval', { user_id: owner })).toMatchObject({ total_count: 1 });
  });

  test('ownership_validation is false for it, as for one that is missing (B1)', async () => {
    const ask = (resource_id: string) =>
      builtin.output('ownership_validation', { user_id: other, resource_type: 'task', resource_id });
    const missing = randomUUID();
    expect(await ask(task_id)).toEqual({ is_owner: false, resource_type: 'task', resource_id: task_id });
    expect(await ask(missing)).toEqual({ is_owner: false, resource_type: 'task', resource_id: missing });
  });
});

/** All of an answer that does not differ from call to call, the task's id blotted out. */
function shapeOf(answer: object, id: string): unknown {
  const {
    invocationId: _i,
    correlationId: _c,
    durationMs: _d,
    timestamp: _t,
    ...rest
  } = answer as Record<string, unknown>;
  return JSON.parse(JSON.stringify(rest).replaceAll(id, 'ID'));
}
