// `task_deletion`: removes a user's own task (B1).
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { reportStoreFailure } from '../kit/failures.ts';
import { idField } from '../kit/fields.ts';
import type { TaskStore } from '../ports/task-store.ts';

export const taskDeletion = (tasks: TaskStore, now: () => Date) =>
  defineSkill({
    name: 'task_deletion',
    description: "Deletes a user's own task for good.",
    category: 'task_management',
    assignedTo: ['TaskAgent'],
    userField: 'user_id',
    input: z.object({
      task_id: idField.describe('The task to delete.'),
      user_id: idField.describe('Its owner: another user has no such task.'),
    }),
    output: z.object({ task_id: z.guid(), deleted_at: z.iso.datetime() }),
    successCriteria: ['The task is gone.'],
    failureModes: ['VALIDATION_ERROR', 'NOT_FOUND', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 10,
    annotations: { destructive: true, openWorld: false },
    run: ({ task_id, user_id }, context) =>
      reportStoreFailure(context, async () => {
        const isDeleted = await tasks.delete(user_id, task_id);
        if (!isDeleted) return failure('NOT_FOUND', { resource: `task ${task_id}` });
        return { task_id, deleted_at: now().toISOString() };
      }),
  });
