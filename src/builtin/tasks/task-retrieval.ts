// `task_retrieval`: a user's tasks, page by page, or one of them (B1).
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { reportStoreFailure } from '../kit/failures.ts';
import { defaultingField, idField, optionalField, statusField } from '../kit/fields.ts';
import type { Task, TaskPage, TaskQuery, TaskStore } from '../ports/task-store.ts';

const taskItem = z.object({
  task_id: z.guid(),
  title: z.string(),
  description: z.string().nullable(),
  status: statusField,
  priority: z.int(),
  due_date: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const taskRetrieval = (tasks: TaskStore) =>
  defineSkill({
    name: 'task_retrieval',
    description: "Lists a user's tasks, the oldest first, all or those of one status; or gives the one with a task_id.",
    category: 'task_management',
    assignedTo: ['TaskAgent'],
    userField: 'user_id',
    input: z.object({
      user_id: idField.describe('Whose tasks to list: the id of a user.'),
      task_id: optionalField(idField).describe('Only this task of theirs; left out: all of them.'),
      status_filter: optionalField(statusField).describe('Only tasks with this status.'),
      limit: defaultingField(z.int().min(1).max(1_000), 100).describe('How many tasks to give at most.'),
      offset: defaultingField(z.int().min(0), 0).describe('How many tasks to skip before the first one.'),
    }),
    output: z.object({ tasks: z.array(taskItem), total_count: z.int(), has_more: z.boolean() }),
    successCriteria: ['Only tasks of the user are given; total_count counts those of all pages.'],
    failureModes: ['VALIDATION_ERROR', 'NOT_FOUND', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 10,
    annotations: { readOnly: true, openWorld: false },
    run: ({ user_id: userId, task_id, status_filter: status, limit, offset }, context) =>
      reportStoreFailure(context, async () => {
        const query = { userId, status, limit, offset };
        const page =
          task_id === undefined ? await tasks.list(query) : pageOfOne(await tasks.find(userId, task_id), query);
        if (page === undefined) return failure('NOT_FOUND', { resource: missing(userId, task_id) });
        const { totalCount } = page;
        return {
          tasks: page.tasks.map(toItem),
          total_count: totalCount,
          has_more: offset + page.tasks.length < totalCount,
        };
      }),
  });

const missing = (userId: string, taskId: string | undefined): string =>
  taskId === undefined ? `user ${userId}` : `task ${taskId}`;

/** The one that was asked for is filtered and paged like a list of one. */
function pageOfOne(task: Task | undefined, { status, limit, offset }: TaskQuery): TaskPage | undefined {
  if (task === undefined) return undefined;
  const listed = status === undefined || task.status === status ? [task] : [];
  return { tasks: listed.slice(offset, offset + limit), totalCount: listed.length };
}

const toItem = (task: Task): z.input<typeof taskItem> => ({
  task_id: task.id,
  title: task.title,
  description: task.description,
  status: task.status,
  priority: task.priority,
  due_date: task.dueDate?.toISOString() ?? null,
  created_at: task.createdAt.toISOString(),
  updated_at: task.updatedAt.toISOString(),
});
