// `task_creation`: a new task for a user (B1).
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { createOrderedIds } from '../../values/ordered-ids.ts';
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

export const taskCreation = (tasks: TaskStore, now: () => Date) => {
  // Tasks are listed by date, then by id: those of one millisecond stay in the order in which they were made.
  const nextId = createOrderedIds(now);
  return defineSkill({
    name: 'task_creation',
    description:
      'Creates a task for a user: a title, and if wanted a description, a priority from 1 to 5 and a due date.',
    category: 'task_management',
    assignedTo: ['TaskAgent'],
    userField: 'user_id',
    input: z.object({
      title: titleField.describe('What is to be done, in a few words. Space around it is cut off.'),
      description: optionalField(descriptionField).describe('More about the task, in as many words as it takes.'),
      priority: defaultingField(priorityField, 1).describe('How urgent it is: 5 is the most urgent.'),
      due_date: optionalField(dueDateField).describe('When it has to be done: a date and time with a zone.'),
      user_id: idField.describe('Whose task it is: the id of a user.'),
    }),
    output: z.object({ task_id: z.guid(), title: z.string(), created_at: z.iso.datetime() }),
    successCriteria: ['The task is stored with the status pending, and belongs to the user.'],
    failureModes: ['VALIDATION_ERROR', 'NOT_FOUND', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 10,
    annotations: { destructive: false, openWorld: false },
    run: ({ title, description = null, priority, due_date, user_id }, context) =>
      reportStoreFailure(context, async () => {
        const id = nextId();
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
};
