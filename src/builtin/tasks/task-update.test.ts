// Any status may follow any other, and what counts as a change (B1).
import { describe, expect, test } from 'vitest';
import { TASK_STATUSES, type Task, type TaskStatus } from '../ports/task-store.ts';
import { changeOf } from './task-update.ts';

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

describe('changeOf', () => {
  const pairs = TASK_STATUSES.flatMap((from) => TASK_STATUSES.map((to): [TaskStatus, TaskStatus] => [from, to]));

  test.each(pairs)('%s → %s (B1, M14)', (from, to) => {
    const change = changeOf({ ...task, status: from }, { status: to });
    expect(change).toEqual(from === to ? {} : { status: to });
  });

  test('what is equal is no change; what is undefined is not wanted', () => {
    const { title, description, priority, status } = task;
    expect(changeOf(task, { title, description, priority, status, dueDate: new Date(5) })).toEqual({});
    const nothing = { title: undefined, description: undefined, priority: undefined, dueDate: undefined };
    expect(changeOf(task, nothing)).toEqual({});
    expect(changeOf(task, { title, dueDate: null, description: '', priority: 3 })).toEqual({
      dueDate: null,
      description: '',
      priority: 3,
    });
    expect(changeOf(task, { dueDate: new Date(6) })).toEqual({ dueDate: new Date(6) });
  });
});
