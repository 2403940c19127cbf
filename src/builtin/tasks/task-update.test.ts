// Where a status may go, and what counts as a change (B1).
import { describe, expect, test } from 'vitest';
import { fail, ok } from '../../values/result.ts';
import { TASK_STATUSES, type Task, type TaskStatus } from '../ports/task-store.ts';
import { planChange } from './task-update.ts';

const task: Task = {
  id: '550e8400-e29b-41d4-a716-446655440000',
  userId: '550e8400-e29b-41d4-a716-446655440001',
  title: 'Water the plants',
  description: null,
  status: 'pending',
  priority: 2,
  dueDate: new Date(5),
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

describe('planChange', () => {
  const arrows = [
    'pending → in_progress',
    'pending → completed',
    'pending → cancelled',
    'in_progress → pending',
    'in_progress → completed',
    'in_progress → cancelled',
    'completed → pending',
    'completed → in_progress',
    'cancelled → pending',
  ];
  const pairs = TASK_STATUSES.flatMap((from) => TASK_STATUSES.map((to): [TaskStatus, TaskStatus] => [from, to]));

  test.each(pairs)('%s → %s (B1, M14)', (from, to) => {
    const plan = planChange({ ...task, status: from }, { status: to });
    if (from === to) expect(plan).toEqual(ok({}));
    else if (arrows.includes(`${from} → ${to}`)) expect(plan).toEqual(ok({ status: to }));
    else expect(plan.ok).toBe(false);
  });

  test('a refusal names what is allowed', () => {
    expect(planChange({ ...task, status: 'cancelled' }, { status: 'completed' })).toEqual(
      fail('a task that is cancelled cannot become completed; allowed: pending'),
    );
  });

  test('what is equal is no change; what is undefined is not wanted', () => {
    const { title, description, priority, status } = task;
    expect(planChange(task, { title, description, priority, status, dueDate: new Date(5) })).toEqual(ok({}));
    const nothing = { title: undefined, description: undefined, priority: undefined, dueDate: undefined };
    expect(planChange(task, nothing)).toEqual(ok({}));
    expect(planChange(task, { title, dueDate: null, description: '', priority: 3 })).toEqual(
      ok({ dueDate: null, description: '', priority: 3 }),
    );
    expect(planChange(task, { dueDate: new Date(6) })).toEqual(ok({ dueDate: new Date(6) }));
  });
});
