// `task_creation`: a new task for a user (B1).
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { reportStoreFailure } from '../kit/failures.ts';
import {
  defaultingField,
  descriptionField,
  dueDateField,
  idField,
  optionalField,
  priorityField,
  titleField,
} from '../kit/fields.ts';
import type { TaskStore } from '../ports/task-store.ts';

export const taskCreation = (tasks: TaskStore, now: () => Date) =>
  defineSkill({
    name: 'task_creation',
    description:
      'Creates a task for a user: a title, and if wanted a description, a priority from 1 to 5 and a due date.',
    category: 'task_management',
    assignedTo: ['TaskAgent'],
    userField: 'user_id',
    input: z.object({
      title: titleField,
      description: optionalField(descriptionField),
      priority: defaultingField(priorityField, 1),
      due_date: optionalField(dueDateField),
      user_id: idField,
    }),
    output: z.object({ task_id: z.guid(), title: z.string(), created_at: z.iso.datetime() }),
    successCriteria: ['The task is stored with the status pending, and belongs to the user.'],
    failureModes: ['VALIDATION_ERROR', 'NOT_FOUND', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 10,
    annotations: { destructive: false, openWorld: false },
    run: ({ title, description = null, priority, due_date, user_id }, context) =>
      reportStoreFailure(context, async () => {
        const id = randomUUID();
        const createdAt = now();
        const isCreated = await tasks.create({
          id,
          userId: user_id,
          title,
          description,
          status: 'pending',
          priority,
          dueDate: due_date === undefined ? null : new Date(due_date),
          createdAt,
          updatedAt: createdAt,
        });
        if (!isCreated) return failure('NOT_FOUND', { resource: `user ${user_id}` });
        return { task_id: id, title, created_at: createdAt.toISOString() };
      }),
  });
