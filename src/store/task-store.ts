// Tasks on a database (B1). Those that are created at the same time share a commit.
import type {
  DecideChange,
  Task,
  TaskPage,
  TaskQuery,
  TaskStatus,
  TaskStore,
  TaskUpdate,
} from '../builtin/ports/task-store.ts';
import type { StoreKind } from '../settings/store-place.ts';
import { ok, type Result } from '../values/result.ts';
import { createCommitQueue } from './commit-queue.ts';
import type { StoreLimits } from './limits.ts';
import {
  type Dialect,
  list,
  plain,
  type Row,
  type Sql,
  type Statement,
  type Steps,
  sql,
  tuples,
  unread,
} from './sql.ts';

export interface DurableTasks extends TaskStore {
  /** Resolves when nothing waits to be written. */
  idle(): Promise<void>;
}

export function createTaskStore(database: Sql, limits: StoreLimits): DurableTasks {
  const commit = (tasks: readonly Task[]) => database.write(() => createTasks(database.dialect, tasks));
  const queue = createCommitQueue<Task>(commit, limits.entry);
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

/** The outcome of one task in a batch: its user does not exist. */
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

/** Roughly: the texts take most of it. */
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

/** Which of these users there are. Until the end of the transaction none of them is deleted. */
function* lockUsers({ kind }: Dialect, ids: readonly string[]): Steps<ReadonlySet<string>> {
  // Each once and sorted, so that two transactions never wait for each other.
  const each = [...new Set(ids)].sort();
  const rows = yield sql`SELECT id FROM repertoire_users WHERE id IN ${list(each)} ORDER BY id ${USER_LOCK[kind]}`;
  return new Set(rows.map(({ id }) => String(id)));
}

/** In SQLite every write transaction has the whole file for itself. */
const USER_LOCK = { sqlite: plain(''), postgres: plain('FOR KEY SHARE') } as const satisfies Locks;
const TASK_LOCK = { sqlite: plain(''), postgres: plain('FOR UPDATE') } as const satisfies Locks;

type Locks = Readonly<Record<StoreKind, Statement>>;

function* insertTasks(tasks: readonly Task[]): Steps<void> {
  if (tasks.length === 0) return;
  const rows = tasks.map((task) => [
    task.id,
    task.userId,
    task.title,
    task.description,
    task.status,
    task.priority,
    task.dueDate,
    task.createdAt,
    task.updatedAt,
  ]);
  yield unread(sql`INSERT INTO repertoire_tasks (${columns}) VALUES ${tuples(rows)}`);
}

async function findTask(database: Sql, userId: string, taskId: string): Promise<Task | undefined> {
  const [row] = await database.read(selectTask(userId, taskId));
  return row && toTask(row);
}

/** As it is now, and for this transaction alone. */
function* lockTask({ kind }: Dialect, userId: string, taskId: string): Steps<Task | undefined> {
  const [row] = yield sql`${selectTask(userId, taskId)} ${TASK_LOCK[kind]}`;
  return row && toTask(row);
}

function* updateTask({ id, userId, title, description, status, priority, ...dates }: Task): Steps<void> {
  yield unread(sql`UPDATE repertoire_tasks SET title = ${title}, description = ${description}, status = ${status},
      priority = ${priority}, due_date = ${dates.dueDate}, updated_at = ${dates.updatedAt}
    WHERE id = ${id} AND user_id = ${userId}`);
}

function* deleteTask(userId: string, taskId: string): Steps<boolean> {
  const rows = yield sql`DELETE FROM repertoire_tasks WHERE id = ${taskId} AND user_id = ${userId} RETURNING id`;
  return rows.length > 0;
}

/** Page, count and whether there is such a user in one statement, so that they fit together while others write. */
async function selectTasks(database: Sql, query: TaskQuery): Promise<TaskPage | undefined> {
  const { userId, status, limit, offset } = query;
  const isListed = status === undefined ? sql`user_id = ${userId}` : sql`user_id = ${userId} AND status = ${status}`;
  const rows = await database.read(
    sql`SELECT (SELECT count(*) FROM repertoire_tasks WHERE ${isListed}) AS total_count, t.*
      FROM repertoire_users u LEFT JOIN (
        SELECT ${columns} FROM repertoire_tasks WHERE ${isListed}
        ORDER BY created_at, id LIMIT ${limit} OFFSET ${offset}
      ) t ON t.user_id = u.id
      WHERE u.id = ${userId} ORDER BY t.created_at, t.id`,
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  // An empty page has one row, for the user.
  return { tasks: first.id === null ? [] : rows.map(toTask), totalCount: Number(first.total_count) };
}

const columns = plain('id, user_id, title, description, status, priority, due_date, created_at, updated_at');

const selectTask = (userId: string, taskId: string): Statement =>
  sql`SELECT ${columns} FROM repertoire_tasks WHERE id = ${taskId} AND user_id = ${userId}`;

const toTask = (row: Row): Task => ({
  id: String(row.id),
  userId: String(row.user_id),
  title: String(row.title),
  description: row.description === null ? null : String(row.description),
  // The table's own check holds it.
  status: row.status as TaskStatus,
  priority: Number(row.priority),
  dueDate: row.due_date === null ? null : new Date(Number(row.due_date)),
  createdAt: new Date(Number(row.created_at)),
  updatedAt: new Date(Number(row.updated_at)),
});
