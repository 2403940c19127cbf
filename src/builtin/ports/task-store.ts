// What the built-in skills need of a store to keep tasks. Implemented in store/. Every question names the owner: another
// user's task is never found (B1).
import type { Result } from '../../values/result.ts';

export const TASK_STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const;

export type TaskStatus = (typeof TASK_STATUSES)[number];

export interface Task {
  /** A UUID in lower case, as all ids here. */
  readonly id: string;
  readonly userId: string;
  readonly title: string;
  readonly description: string | null;
  readonly status: TaskStatus;
  /** 1–5 */
  readonly priority: number;
  readonly dueDate: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The fields of a task that its owner may change. */
export type TaskFields = Pick<Task, 'title' | 'description' | 'status' | 'priority' | 'dueDate'>;

export interface TaskQuery {
  readonly userId: string;
  readonly status: TaskStatus | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface TaskPage {
  /** The oldest first. */
  readonly tasks: readonly Task[];
  /** On all pages together. */
  readonly totalCount: number;
}

/** What is to become of a task, or why nothing is. Without a side effect: it may be asked more than once. */
export type DecideChange<F> = (task: Task) => Result<Partial<TaskFields>, F>;

export interface TaskUpdate {
  /** As it is afterwards. */
  readonly task: Task;
  /** What the decision said. */
  readonly changed: Partial<TaskFields>;
}

/** All of these reject with StoreUnavailable when the store cannot be used. */
export interface TaskStore {
  /** Durable when it resolves. False: there is no such user. */
  create(task: Task): Promise<boolean>;
  find(userId: string, taskId: string): Promise<Task | undefined>;
  /** `undefined`: there is no such user. */
  list(query: TaskQuery): Promise<TaskPage | undefined>;
  /**
   * Nothing else changes the task between the decision and the change. A change of nothing leaves the date as it is, too.
   * `undefined`: this user has no such task.
   */
  update<F>(
    userId: string,
    taskId: string,
    decide: DecideChange<F>,
    updatedAt: Date,
  ): Promise<Result<TaskUpdate, F> | undefined>;
  /** False: this user has no such task. */
  delete(userId: string, taskId: string): Promise<boolean>;
}
