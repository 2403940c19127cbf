// `task_update`: changes fields of a user's own task (B1, B5).
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { idField } from '../kit/id-field.ts';
import { invalidField } from '../kit/invalid-field.ts';
import { optionalField } from '../kit/optional-field.ts';
import { orPersistenceError } from '../kit/or-persistence-error.ts';
import { descriptionField, dueDateField, priorityField, statusField, titleField } from '../kit/task-fields.ts';
import type { TaskFields, TaskStore } from '../ports/task-store.ts';
import { planChange } from './task-change.ts';

const CHANGEABLE = ['title', 'description', 'status', 'priority', 'due_date'] as const;

const input = z
  .object({
    task_id: idField,
    user_id: idField,
    title: optionalField(titleField),
    description: descriptionField.nullable().optional().describe('null clears it'),
    status: optionalField(statusField),
    priority: optionalField(priorityField),
    due_date: dueDateField.nullable().optional().describe('null clears it'),
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
      'completed, cancelled), from completed back to in_progress, from cancelled back to pending.',
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
      orPersistenceError(context, async () => {
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
