// Tasks: one suite for every store (B1).
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Task, TaskQuery } from '../../../src/builtin/ports/task-store.ts';
import { StoreUnavailable } from '../../../src/skills/record/invocation-log.ts';
import { fail, ok } from '../../../src/values/result.ts';
import { type Accounts, createAccounts, STORE_KINDS, taskOf, userOf } from './accounts-world.ts';
import { LOCK_WAITS, moment } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
const openAccounts = createAccounts(world);

describe.each(STORE_KINDS)('on %s', (kind) => {
  let accounts: Accounts;
  let userId: string;
  beforeEach(async () => {
    accounts = await openAccounts(kind);
    userId = await createUser();
  });

  const createUser = async () => {
    const user = userOf();
    await accounts.users.create(user);
    return user.id;
  };
  const created = async (given: Partial<Task> = {}) => {
    const task = taskOf(userId, given);
    expect(await accounts.tasks.create(task)).toBe(true);
    return task;
  };
  const list = (query: Partial<TaskQuery> = {}) =>
    accounts.tasks.list({ userId, status: undefined, limit: 100, offset: 0, ...query });

  test('a task is there afterwards, as it was, to the last of its limits (B1)', async () => {
    const plain = await created();
    const full = await created({
      title: '🌱'.repeat(200),
      description: '🌱'.repeat(2_000),
      status: 'cancelled',
      priority: 5,
      dueDate: new Date('9999-12-31T23:59:59.999Z'),
      createdAt: moment(1),
      updatedAt: moment(2),
    });
    const early = await created({
      description: '',
      dueDate: new Date('1970-01-01T00:00:00.001Z'),
      createdAt: moment(3),
    });
    for (const task of [plain, full, early]) expect(await accounts.tasks.find(userId, task.id)).toEqual(task);
    expect(await list()).toEqual({ tasks: [plain, full, early], totalCount: 3 });
  });

  test('no task is made for a user who is not there (B1)', async () => {
    const task = taskOf(randomUUID());
    expect(await accounts.tasks.create(task)).toBe(false);
    expect(await accounts.tasks.find(task.userId, task.id)).toBeUndefined();
  });

  test('of many made at once each is there, except those of unknown users (B1)', async () => {
    const tasks = Array.from({ length: 600 }, (_, index) => taskOf(index % 3 === 0 ? randomUUID() : userId));
    const made = await Promise.all(tasks.map((task) => accounts.tasks.create(task)));
    expect(made).toEqual(tasks.map((task) => task.userId === userId));
    const listed = await list({ limit: 1_000 });
    expect(listed?.totalCount).toBe(400);
    expect(new Set(listed?.tasks.map(({ id }) => id))).toEqual(
      new Set(tasks.filter((task) => task.userId === userId).map(({ id }) => id)),
    );
  });

  test('lists by creation and then by id, page by page, with the count of all (B1)', async () => {
    const tasks: Task[] = [];
    for (const second of [3, 1, 2, 2, 2]) tasks.push(await created({ createdAt: moment(second * 1_000) }));
    const sorted = [...tasks].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
    expect(await list()).toEqual({ tasks: sorted, totalCount: 5 });
    for (const offset of [0, 1, 2, 3, 4, 5, 6]) {
      expect(await list({ limit: 2, offset })).toEqual({ tasks: sorted.slice(offset, offset + 2), totalCount: 5 });
    }
    expect(await list({ offset: Number.MAX_SAFE_INTEGER })).toEqual({ tasks: [], totalCount: 5 });
  });

  test('lists those of one status, and counts only them (B1)', async () => {
    const [first, second] = [await created({ status: 'completed' }), await created({ createdAt: moment(1) })];
    expect(await list({ status: 'completed' })).toEqual({ tasks: [first], totalCount: 1 });
    expect(await list({ status: 'pending' })).toEqual({ tasks: [second], totalCount: 1 });
    expect(await list({ status: 'cancelled' })).toEqual({ tasks: [], totalCount: 0 });
    expect(await list({ userId: randomUUID() })).toBeUndefined();
  });

  test('an update changes what was decided, and nothing when nothing was', async () => {
    const task = await created({ description: 'Twice a week', dueDate: moment(9) });
    const update = (changed: object) => accounts.tasks.update(userId, task.id, () => ok(changed), moment(5));
    expect(await update({})).toEqual(ok({ task, changed: {} }));
    const change = { title: 'Water', description: null, dueDate: null, priority: 3, status: 'completed' as const };
    const changed = { ...task, ...change, updatedAt: moment(5) };
    expect(await update(change)).toEqual(ok({ task: changed, changed: change }));
    expect(await accounts.tasks.find(userId, task.id)).toEqual(changed);
    const refused = await accounts.tasks.update(userId, task.id, () => fail('no'), moment(6));
    expect(refused).toEqual(fail('no'));
    expect(await accounts.tasks.find(userId, task.id)).toEqual(changed);
  });

  test('of two decisions at once the second sees what the first has made', async () => {
    const task = await created();
    const raise = () =>
      accounts.tasks.update(userId, task.id, ({ priority }) => ok({ priority: priority + 1 }), moment(1));
    await Promise.all([raise(), raise(), raise(), raise()]);
    expect((await accounts.tasks.find(userId, task.id))?.priority).toBe(5);
  });

  test("another user's task is not found, changed, listed or deleted (B1)", async () => {
    const task = await created();
    const stranger = await createUser();
    let asked = 0;
    const decide = () => {
      asked += 1;
      return ok({ title: 'mine' });
    };
    expect(await accounts.tasks.find(stranger, task.id)).toBeUndefined();
    expect(await accounts.tasks.update(stranger, task.id, decide, moment(7))).toBeUndefined();
    expect(await accounts.tasks.delete(stranger, task.id)).toBe(false);
    expect(await list({ userId: stranger })).toEqual({ tasks: [], totalCount: 0 });
    expect(await accounts.tasks.find(userId, task.id)).toEqual(task);
    expect(asked).toBe(0);
  });

  test('a task is deleted once', async () => {
    const task = await created();
    expect(await accounts.tasks.delete(userId, task.id)).toBe(true);
    expect(await accounts.tasks.delete(userId, task.id)).toBe(false);
    expect(await accounts.tasks.find(userId, task.id)).toBeUndefined();
  });

  test('tasks that are made while their user goes are made or not, and never left behind (B4)', async () => {
    const tasks = Array.from({ length: 40 }, () => taskOf(userId));
    const making = Promise.all(tasks.map((task) => accounts.tasks.create(task)));
    const gone = accounts.users.delete(userId);
    await making;
    expect(await gone).toBe(true);
    for (const task of tasks) expect(await accounts.tasks.find(userId, task.id)).toBeUndefined();
  });
});

test.each(['sqlite', 'postgres'] as const)('on %s the tables hold the limits themselves', async (kind) => {
  const { users, tasks } = await openAccounts(kind);
  const user = userOf();
  await users.create(user);
  for (const wrong of [
    { title: 'x'.repeat(201) },
    { description: 'x'.repeat(2_001) },
    { priority: 6 },
    { status: 'x' },
  ]) {
    await expect(tasks.create(taskOf(user.id, wrong as Partial<Task>))).rejects.toMatchObject({
      name: 'RecordRefused',
    });
  }
});

test('on postgres a task for a user who is just being deleted is not made (B4)', async () => {
  const place = await world.place('postgres');
  const { users, tasks } = world.open(place);
  const user = userOf();
  await users.create(user);
  const client = new pg.Client({ connectionString: place.kind === 'postgres' ? place.url : '' });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('DELETE FROM repertoire_users WHERE id = $1', [user.id]);
    const made = tasks.create(taskOf(user.id));
    // It has asked for the user, and waits for the end of the deletion.
    await expect.poll(async () => (await world.query(place, LOCK_WAITS)).length).toBe(1);
    await client.query('COMMIT');
    expect(await made).toBe(false);
  } finally {
    await client.end();
  }
});

test('tasks that wait to be written are written when the store closes (F11)', async () => {
  const place = await world.place('sqlite');
  const store = world.open(place);
  const user = userOf();
  await store.users.create(user);
  const made = Array.from({ length: 300 }, () => store.tasks.create(taskOf(user.id)));
  await store.close();
  expect(await Promise.all(made)).not.toContain(false);
  const query = { userId: user.id, status: undefined, limit: 1, offset: 0 };
  expect(await world.open(place).tasks.list(query)).toMatchObject({ totalCount: 300 });
});

test('with the database away every operation says so (F1)', async () => {
  const { tasks, users } = world.open({ kind: 'postgres', url: 'postgres://postgres@127.0.0.1:9/none' });
  const id = randomUUID();
  const query = { userId: id, status: undefined, limit: 1, offset: 0 };
  for (const work of [
    () => tasks.create(taskOf(id)),
    () => tasks.find(id, id),
    () => tasks.list(query),
    () => tasks.update(id, id, () => ok({}), moment()),
    () => tasks.delete(id, id),
    () => users.create(userOf()),
    () => users.find(id),
    () => users.findPassword('a@b.c'),
    () => users.delete(id),
  ]) {
    await expect(work()).rejects.toBeInstanceOf(StoreUnavailable);
  }
});
