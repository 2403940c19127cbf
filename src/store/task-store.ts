// Tasks on a database (B1). Those that are created at the same time share a commit.
import type { DecideChange, Task, TaskStore, TaskUpdate } from '../builtin/task-store.ts';
import { ok, type Result } from '../values/result.ts';
import { createCommitQueue } from './commit-queue.ts';
import type { Dialect, Sql, Steps } from './sql.ts';
import { deleteTask, findTask, insertTasks, lockTask, lockUsers, selectTasks, updateTask } from './task-rows.ts';

export interface DurableTasks extends TaskStore {
  /** Resolves when nothing waits to be written. */
  idle(): Promise<void>;
}

export function createTaskStore(database: Sql, limitMs?: number): DurableTasks {
  const commit = (tasks: readonly Task[]) => database.write(() => createTasks(database.dialect, tasks));
  const queue = createCommitQueue<Task>(commit, limitMs);
  return {
    async create(task) {
      try {
        await queue.push(task, sizeOf(task));
        return true;
      } catch (error) {
        if (error instanceof UnknownUser) return false;
        throw error;
      }
    },
    find: (userId, taskId) => findTask(database, userId, taskId),
    list: (query) => selectTasks(database, query),
    update: (userId, taskId, decide, updatedAt) =>
      database.write(() => changeTask(database.dialect, { userId, taskId, updatedAt }, decide)),
    delete: (userId, taskId) => database.write(() => deleteTask(userId, taskId)),
    idle: queue.idle,
  };
}

/** How one of a batch is told that there is nobody to have the task. */
class UnknownUser extends Error {
  override readonly name = 'UnknownUser';
}

function* createTasks(dialect: Dialect, tasks: readonly Task[]): Steps<readonly (Error | undefined)[]> {
  const known = yield* lockUsers(
    dialect,
    tasks.map(({ userId }) => userId),
  );
  yield* insertTasks(tasks.filter(({ userId }) => known.has(userId)));
  return tasks.map(({ userId }) => (known.has(userId) ? undefined : new UnknownUser('Cannot create the task')));
}

/** About: texts take the room, the rest is small. */
const sizeOf = ({ title, description }: Task): number => 500 + title.length + (description?.length ?? 0);

interface Wanted {
  readonly userId: string;
  readonly taskId: string;
  readonly updatedAt: Date;
}

function* changeTask<F>(
  dialect: Dialect,
  { userId, taskId, updatedAt }: Wanted,
  decide: DecideChange<F>,
): Steps<Result<TaskUpdate, F> | undefined> {
  const task = yield* lockTask(dialect, userId, taskId);
  if (task === undefined) return undefined;
  const decided = decide(task);
  if (!decided.ok) return decided;
  const changed = decided.value;
  if (Object.keys(changed).length === 0) return ok({ task, changed });
  const updated = { ...task, ...changed, updatedAt };
  yield* updateTask(updated);
  return ok({ task: updated, changed });
}
