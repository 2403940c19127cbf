// `task_update`: changes fields of a user's own task (B1, B5).

import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { ok } from '../../values/result.ts';
import { reportStoreFailure } from '../kit/failures.ts';
import {
  descriptionField,
  dueDateField,
  idField,
  optionalField,
  priorityField,
  statusField,
  titleField,
} from '../kit/fields.ts';
import type { Task, TaskFields, TaskStore } from '../ports/task-store.ts';

const CHANGEABLE = ['title', 'description', 'status', 'priority', 'due_date'] as const;

const input = z
  .object({
    task_id: idField.describe('The task to change.'),
    user_id: idField.describe('Its owner: another user has no such task.'),
    title: optionalField(titleField).describe('A new title. Space around it is cut off.'),
    description: descriptionField
      .nullable()
      .optional()
      .meta({
        description: 'A new description; null clears it.',
        // At least one change is needed, which the schema cannot say.
        examples: ['Twice a week, in the evening'],
      }),
    status: optionalField(statusField).describe('A new status; any may follow any other.'),
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
      'description and due_date. A task may go from any status (pending, in_progress, completed, cancelled) to any other.',
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
        const updated = await tasks.update(user_id, task_id, (task) => ok(changeOf(task, wanted)), now());
        if (!updated?.ok) return failure('NOT_FOUND', { resource: `task ${task_id}` });
        const { task, changed } = updated.value;
        return { task_id, updated_fields: namesOf(changed), updated_at: task.updatedAt.toISOString() };
      }),
  });

const namesOf = ({ dueDate, ...fields }: Partial<TaskFields>) => {
  const given = { ...fields, ...(dueDate !== undefined && { due_date: dueDate }) };
  return CHANGEABLE.filter((field) => given[field] !== undefined);
};

/** Any status may follow any other. `undefined` in `wanted` leaves a field as it is. */
export function changeOf(
  task: Task,
  wanted: { readonly [F in keyof TaskFields]?: TaskFields[F] | undefined },
): Partial<TaskFields> {
  const changed = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && !isSame(value, task[field as keyof TaskFields]),
  );
  return Object.fromEntries(changed);
}

function isSame(a: TaskFields[keyof TaskFields], b: TaskFields[keyof TaskFields]): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}
