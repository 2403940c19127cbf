// `task_update`: changes fields of a user's own task (B1, B5).

import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { invalidField, reportStoreFailure } from '../kit/failures.ts';
import {
  descriptionField,
  dueDateField,
  idField,
  optionalField,
  priorityField,
  statusField,
  titleField,
} from '../kit/fields.ts';
import type { Task, TaskFields, TaskStatus, TaskStore } from '../ports/task-store.ts';

const CHANGEABLE = ['title', 'description', 'status', 'priority', 'due_date'] as const;

const input = z
  .object({
    task_id: idField.describe('The task to change.'),
    user_id: idField.describe('Its owner: another user has no such task.'),
    title: optionalField(titleField).describe('A new title. Space around it is cut off.'),
    description: descriptionField.nullable().optional().describe('A new description; null clears it.'),
    status: optionalField(statusField).describe('A new status, one that the task may go to from its own.'),
    priority: optionalField(priorityField).describe('A new priority: 5 is the most urgent.'),
    due_date: dueDateField.nullable().optional().describe('A new date and time, with a zone; null clears it.'),
  })
  .refine((given) => CHANGEABLE.some((field) => given[field] !== undefined), {
    error: `give at least one of ${CHANGEABLE.join(', ')}`,
    // Also when other fields are wrong: all faults are told at once (X5).
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

export const taskUpdate = (tasks: TaskStore, now: () => Date) =>
  defineSkill({
    name: 'task_update',
    description:
      "Changes a user's own task: title, description, status, priority or due date. At least one is needed; null clears " +
      'description and due_date. From pending and in_progress a task may go to every other status (pending, in_progress, ' +
      'completed, cancelled), from completed back to pending or in_progress, from cancelled back to pending.',
    category: 'task_management',
    assignedTo: ['TaskAgent'],
    userField: 'user_id',
    input,
    output: z.object({ task_id: z.guid(), updated_fields: z.array(z.enum(CHANGEABLE)), updated_at: z.iso.datetime() }),
    successCriteria: ['The task has the values given; updated_fields names those that were others before.'],
    failureModes: ['VALIDATION_ERROR', 'NOT_FOUND', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 10,
    annotations: { openWorld: false },
    run: ({ task_id, user_id, due_date, ...fields }, context) =>
      reportStoreFailure(context, async () => {
        const wanted = { ...fields, dueDate: due_date == null ? due_date : new Date(due_date) };
        const updated = await tasks.update(user_id, task_id, (task) => planChange(task, wanted), now());
        if (updated === undefined) return failure('NOT_FOUND', { resource: `task ${task_id}` });
        if (!updated.ok) return invalidField('status', updated.failure);
        const { task, changed } = updated.value;
        return { task_id, updated_fields: namesOf(changed), updated_at: task.updatedAt.toISOString() };
      }),
  });

const namesOf = ({ dueDate, ...fields }: Partial<TaskFields>) => {
  const given = { ...fields, ...(dueDate !== undefined && { due_date: dueDate }) };
  return CHANGEABLE.filter((field) => given[field] !== undefined);
};

/** Where a status may go. A task that is done can be taken up again, one that was called off can come back. */
const NEXT_STATUSES = {
  pending: ['in_progress', 'completed', 'cancelled'],
  in_progress: ['pending', 'completed', 'cancelled'],
  completed: ['pending', 'in_progress'],
  cancelled: ['pending'],
} as const satisfies Record<TaskStatus, readonly TaskStatus[]>;

/** The failure is what follows "status: ". `undefined` in `wanted` leaves a field as it is. */
export function planChange(
  task: Task,
  wanted: { readonly [F in keyof TaskFields]?: TaskFields[F] | undefined },
): Result<Partial<TaskFields>, string> {
  const refusal = refusalOf(task.status, wanted.status);
  if (refusal !== undefined) return fail(refusal);
  const changed = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && !isSame(value, task[field as keyof TaskFields]),
  );
  return ok(Object.fromEntries(changed));
}

function refusalOf(from: TaskStatus, to: TaskStatus | undefined): string | undefined {
  const allowed: readonly TaskStatus[] = NEXT_STATUSES[from];
  if (to === undefined || to === from || allowed.includes(to)) return undefined;
  return `a task that is ${from} cannot become ${to}; allowed: ${allowed.join(', ')}`;
}

function isSame(a: TaskFields[keyof TaskFields], b: TaskFields[keyof TaskFields]): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}
