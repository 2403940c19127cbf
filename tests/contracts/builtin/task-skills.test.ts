// The task skills: every limit on both sides, defaults, what they give, on every store (B1, B5).
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NOW as BEGIN, type Builtin, KINDS, useBuiltinWorld } from './builtin-world.ts';

const world = useBuiltinWorld();

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NOW = BEGIN.toISOString();
const SEEDLING = '🌱';

describe.each(KINDS)('on %s', (kind) => {
  let builtin: Builtin;
  let user_id: string;
  beforeAll(async () => {
    builtin = await world.open(kind);
  });
  beforeEach(async () => {
    builtin.clock.now = BEGIN;
    user_id = await builtin.createUser();
  });
  afterAll(() => world.closeAll());

  const create = (given: object) => builtin.invoke('task_creation', { title: 'x', user_id, ...given });
  const retrieve = (given: object = {}) => builtin.output('task_retrieval', { user_id, ...given });
  const only = async () => ((await retrieve()).tasks as readonly Record<string, unknown>[])[0];

  test('task_creation with the least there is: the defaults (B1)', async () => {
    const made = await builtin.output('task_creation', { title: 'Buy groceries', user_id });
    expect(made).toEqual({ task_id: expect.stringMatching(UUID), title: 'Buy groceries', created_at: NOW });
    expect(await retrieve()).toEqual({
      tasks: [
        {
          task_id: made.task_id,
          title: 'Buy groceries',
          description: null,
          status: 'pending',
          priority: 1,
          due_date: null,
          created_at: NOW,
          updated_at: NOW,
        },
      ],
      total_count: 1,
      has_more: false,
    });
  });

  test.each([
    ['a title of 1', { title: 'x' }, { title: 'x' }],
    ['a title of 200 code points', { title: SEEDLING.repeat(200) }, { title: SEEDLING.repeat(200) }],
    ['a title with space around it', { title: '  \t x y \n' }, { title: 'x y' }],
    ['a title of 200 with its space', { title: ` ${'x'.repeat(199)}` }, { title: 'x'.repeat(199) }],
    ['a description of 0', { description: '' }, { description: '' }],
    ['a description of 2000', { description: SEEDLING.repeat(2_000) }, { description: SEEDLING.repeat(2_000) }],
    ['a description that is not trimmed', { description: ' x ' }, { description: ' x ' }],
    ['no description', { description: null }, { description: null }],
    ['priority 1', { priority: 1 }, { priority: 1 }],
    ['priority 5', { priority: 5 }, { priority: 5 }],
    ['priority null', { priority: null }, { priority: 1 }],
    ['a date in UTC', { due_date: '2026-12-01T09:30:00Z' }, { due_date: '2026-12-01T09:30:00.000Z' }],
    ['a date with an offset', { due_date: '2026-12-01T09:30:00+05:30' }, { due_date: '2026-12-01T04:00:00.000Z' }],
    ['the last date', { due_date: '9999-12-31T23:59:59.999Z' }, { due_date: '9999-12-31T23:59:59.999Z' }],
    ['a date of null', { due_date: null }, { due_date: null }],
  ])('task_creation takes %s (B5)', async (_what, given, stored) => {
    expect(await create(given)).toMatchObject({ success: true });
    expect(await only()).toMatchObject(stored);
  });

  test.each([
    ['no title', { title: undefined }, 'title: is required'],
    ['a title of null', { title: null }, 'title: '],
    ['an empty title', { title: '' }, 'title: must have at least 1 character'],
    ['a blank title', { title: ' \t\n\u3000' }, 'title: must not be blank'],
    ['a title of 201 code points', { title: SEEDLING.repeat(201) }, 'title: must have at most 200'],
    ['a title of 201 with its space', { title: ` ${'x'.repeat(200)}` }, 'title: must have at most 200'],
    ['a description of 2001', { description: 'x'.repeat(2_001) }, 'description: must have at most 2000'],
    ['priority 0', { priority: 0 }, 'priority: '],
    ['priority 6', { priority: 6 }, 'priority: '],
    ['priority 1.5', { priority: 1.5 }, 'priority: '],
    ['priority as text', { priority: '1' }, 'priority: '],
    ['a date without a zone', { due_date: '2026-12-01T09:30:00' }, 'due_date: must be a date and time with a zone'],
    ['a day', { due_date: '2026-12-01' }, 'due_date: '],
    ['a date that there is not', { due_date: '2026-02-30T00:00:00Z' }, 'due_date: '],
    ['a date before the year 1', { due_date: '0001-01-01T00:00:00+00:01' }, 'due_date: must be in'],
    ['a date after the year 9999', { due_date: '9999-12-31T23:59:59-00:01' }, 'due_date: must be in'],
    ['no user', { user_id: undefined }, 'user_id: is required'],
    ['a user that is no id', { user_id: 'me' }, 'user_id: must be 8-4-4-4-12'],
    ['a field that there is not', { status: 'completed' }, 'status: is not a known field'],
    ['a NUL', { title: 'a\0b' }, 'title'],
  ])('task_creation refuses %s (B5)', async (_what, given, complaint) => {
    const answer = await create(given);
    expect(answer).toMatchObject({ success: false, failure: { code: 'VALIDATION_ERROR' } });
    expect(answer.success || answer.failure.message).toContain(complaint);
    expect(await retrieve()).toMatchObject({ total_count: 0 });
  });

  test('task_creation tells all faults at once (X5)', async () => {
    const said = await builtin.failure('task_creation', { title: ' ', priority: 9, due_date: 'soon' });
    expect(said).toBe(
      'VALIDATION_ERROR Input validation failed: title: must not be blank; priority: must be at most 5; ' +
        'due_date: must be a date and time with a zone, as 2026-01-31T09:30:00Z; user_id: is required',
    );
  });

  test('ids are taken in any letter case and of any version (B1)', async () => {
    const task_id = await builtin.createTask(user_id.toUpperCase());
    const upper = { user_id: user_id.toUpperCase(), task_id: task_id.toUpperCase() };
    expect(await builtin.output('task_retrieval', upper)).toMatchObject({ tasks: [{ task_id }] });
    const odd = 'FFFFFFFF-ffff-ffff-ffff-ffffffffffff';
    expect(await builtin.failure('task_retrieval', { user_id: odd })).toBe(
      `NOT_FOUND Resource not found: user ${odd.toLowerCase()}`,
    );
  });

  test('every task skill wants a user who is there (B1)', async () => {
    const stranger = randomUUID();
    const task_id = await builtin.createTask(user_id);
    const notFound = (resource: string) => `NOT_FOUND Resource not found: ${resource}`;
    const asStranger = (name: string, given: object) => builtin.failure(name, { user_id: stranger, ...given });
    expect(await asStranger('task_creation', { title: 'x' })).toBe(notFound(`user ${stranger}`));
    expect(await asStranger('task_retrieval', {})).toBe(notFound(`user ${stranger}`));
    expect(await asStranger('task_retrieval', { task_id })).toBe(notFound(`task ${task_id}`));
    expect(await asStranger('task_update', { task_id, title: 'x' })).toBe(notFound(`task ${task_id}`));
    expect(await asStranger('task_deletion', { task_id })).toBe(notFound(`task ${task_id}`));
  });

  test('task_retrieval pages with the right count and has_more (B1)', async () => {
    const ids: string[] = [];
    for (let minute = 0; minute < 5; minute++) {
      builtin.clock.now = new Date(Date.UTC(2026, 0, 1, 0, minute));
      ids.push(await builtin.createTask(user_id));
    }
    const page = async (given: object) => {
      const { tasks, ...rest } = await retrieve(given);
      return [(tasks as { task_id: string }[]).map(({ task_id }) => ids.indexOf(task_id)), ...Object.values(rest)];
    };
    expect(await page({})).toEqual([[0, 1, 2, 3, 4], 5, false]);
    expect(await page({ limit: null, offset: null, status_filter: null, task_id: null })).toEqual([
      [0, 1, 2, 3, 4],
      5,
      false,
    ]);
    expect(await page({ limit: 2 })).toEqual([[0, 1], 5, true]);
    expect(await page({ limit: 2, offset: 2 })).toEqual([[2, 3], 5, true]);
    expect(await page({ limit: 2, offset: 3 })).toEqual([[3, 4], 5, false]);
    expect(await page({ limit: 2, offset: 4 })).toEqual([[4], 5, false]);
    expect(await page({ limit: 1, offset: 5 })).toEqual([[], 5, false]);
    expect(await page({ limit: 1_000, offset: Number.MAX_SAFE_INTEGER })).toEqual([[], 5, false]);
    expect(await page({ task_id: ids[3] })).toEqual([[3], 1, false]);
    expect(await page({ task_id: ids[3], offset: 1 })).toEqual([[], 1, false]);
    expect(await page({ task_id: ids[3], status_filter: 'completed' })).toEqual([[], 0, false]);
    await builtin.output('task_update', { user_id, task_id: ids[1], status: 'completed' });
    expect(await page({ status_filter: 'pending', limit: 3 })).toEqual([[0, 2, 3], 4, true]);
    expect(await page({ status_filter: 'completed' })).toEqual([[1], 1, false]);
  });

  test('task_retrieval gives 100 unless told, up to 1000 (B1)', async () => {
    await Promise.all(Array.from({ length: 101 }, () => builtin.createTask(user_id)));
    const shown = async (given: object) => ((await retrieve(given)).tasks as unknown[]).length;
    expect(await retrieve()).toMatchObject({ total_count: 101, has_more: true });
    expect(await shown({})).toBe(100);
    expect(await shown({ limit: 1 })).toBe(1);
    expect(await shown({ limit: 1_000 })).toBe(101);
  });

  test.each([
    ['limit 0', { limit: 0 }, 'limit: '],
    ['limit 1001', { limit: 1_001 }, 'limit: '],
    ['limit 1.5', { limit: 1.5 }, 'limit: '],
    ['offset -1', { offset: -1 }, 'offset: '],
    ['a status that there is not', { status_filter: 'done' }, 'status_filter: '],
    ['a task that is no id', { task_id: '1' }, 'task_id: '],
  ])('task_retrieval refuses %s (B1)', async (_what, given, complaint) => {
    const said = await builtin.failure('task_retrieval', { user_id, ...given });
    expect(said).toMatch(/^VALIDATION_ERROR /);
    expect(said).toContain(complaint);
  });

  describe('task_update', () => {
    const LATER = new Date('2026-11-16T00:00:00Z');
    let task_id: string;
    beforeEach(async () => {
      task_id = await builtin.createTask(user_id, { description: 'Twice', due_date: '2026-12-01T00:00:00Z' });
      builtin.clock.now = LATER;
    });
    const update = (given: object) => builtin.invoke('task_update', { task_id, user_id, ...given });

    test.each([
      ['title', { title: ` ${SEEDLING.repeat(199)}` }, { title: SEEDLING.repeat(199) }],
      ['description', { description: SEEDLING.repeat(2_000) }, { description: SEEDLING.repeat(2_000) }],
      ['description', { description: null }, { description: null }],
      ['status', { status: 'in_progress' }, { status: 'in_progress' }],
      ['priority', { priority: 5 }, { priority: 5 }],
      ['due_date', { due_date: '2027-01-01T00:00:00+01:00' }, { due_date: '2026-12-31T23:00:00.000Z' }],
      ['due_date', { due_date: null }, { due_date: null }],
    ])('changes %s alone and names it: %j (B5)', async (field, given, stored) => {
      const before = await only();
      expect(await update(given)).toMatchObject({
        success: true,
        outputPayload: { task_id, updated_fields: [field], updated_at: LATER.toISOString() },
      });
      expect(await only()).toEqual({ ...before, ...stored, updated_at: LATER.toISOString() });
    });

    test('names only what became different, and leaves the date when nothing did (B1)', async () => {
      const same = { title: ' Water the plants ', description: 'Twice', priority: 1, status: 'pending' };
      const before = await only();
      const unchanged = { ...same, due_date: '2026-12-01T01:00:00+01:00' };
      expect(await update(unchanged)).toMatchObject({ outputPayload: { updated_fields: [], updated_at: NOW } });
      expect(await only()).toEqual(before);
      expect(await update({ ...same, priority: 2, due_date: null })).toMatchObject({
        outputPayload: { updated_fields: ['priority', 'due_date'] },
      });
    });

    test.each([
      ['nothing', {}],
      ['null where it means "not given"', { title: null, status: null, priority: null }],
    ])('refuses %s (B5)', async (_what, given) => {
      const said = await builtin.failure('task_update', { task_id, user_id, ...given });
      expect(said).toBe(
        'VALIDATION_ERROR Input validation failed: give at least one of title, description, status, priority, due_date',
      );
    });

    test('tells that nothing is given together with what else is wrong (X5)', async () => {
      for (const wrong of ['x', 5, undefined]) {
        const said = await builtin.failure('task_update', { task_id: wrong, user_id });
        expect(said).toContain('task_id: ');
        expect(said).toContain('give at least one of');
      }
      expect(await builtin.failure('task_update', { task_id, user_id, title: 5 })).not.toContain('at least one of');
    });

    test.each([
      ['an empty title', { title: '' }, 'title: '],
      ['a blank title', { title: '  ' }, 'title: must not be blank'],
      ['a title of 201', { title: 'x'.repeat(201) }, 'title: '],
      ['a description of 2001', { description: 'x'.repeat(2_001) }, 'description: '],
      ['priority 0', { priority: 0 }, 'priority: '],
      ['priority 6', { priority: 6 }, 'priority: '],
      ['a status that there is not', { status: 'done' }, 'status: '],
      ['a date without a zone', { due_date: '2026-12-01T09:30:00' }, 'due_date: '],
    ])('refuses %s (B5)', async (_what, given, complaint) => {
      const before = await only();
      const said = await builtin.failure('task_update', { task_id, user_id, ...given });
      expect(said).toMatch(/^VALIDATION_ERROR /);
      expect(said).toContain(complaint);
      expect(await only()).toEqual(before);
    });

    test('any status may follow any other (B1, M14)', async () => {
      const statuses = ['pending', 'in_progress', 'completed', 'cancelled'];
      for (const [from, to] of statuses.flatMap((from) => statuses.map((to) => [from, to]))) {
        await update({ status: from });
        const updated_fields = from === to ? [] : ['status'];
        expect(await update({ status: to }), `${from} → ${to}`).toMatchObject({ outputPayload: { updated_fields } });
        expect(await only()).toMatchObject({ status: to });
      }
    });
  });

  test('task_deletion deletes once (B1)', async () => {
    const task_id = await builtin.createTask(user_id);
    expect(await builtin.output('task_deletion', { task_id, user_id })).toEqual({ task_id, deleted_at: NOW });
    expect(await builtin.failure('task_deletion', { task_id, user_id })).toBe(
      `NOT_FOUND Resource not found: task ${task_id}`,
    );
    expect(await retrieve()).toEqual({ tasks: [], total_count: 0, has_more: false });
  });

  test('ownership_validation: only the owner of a task that is there; an unknown type is refused (B1, M14)', async () => {
    const resource_id = await builtin.createTask(user_id);
    const ask = (given: object) =>
      builtin.output('ownership_validation', { user_id, resource_type: 'task', resource_id, ...given });
    expect(await ask({})).toEqual({ is_owner: true, resource_type: 'task', resource_id });
    expect(await ask({ user_id: randomUUID() })).toMatchObject({ is_owner: false });
    expect(await ask({ user_id: await builtin.createUser() })).toMatchObject({ is_owner: false });
    const unknown = randomUUID();
    expect(await ask({ resource_id: unknown })).toEqual({
      is_owner: false,
      resource_type: 'task',
      resource_id: unknown,
    });
    for (const resource_type of ['Task', 'invoice', '', 'x'.repeat(201)]) {
      expect(await builtin.failure('ownership_validation', { user_id, resource_type, resource_id })).toBe(
        'VALIDATION_ERROR Input validation failed: resource_type: is not known here: known are task',
      );
    }
  });
});
