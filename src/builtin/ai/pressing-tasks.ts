// A user's open tasks by how much they press: overdue, then those that did not change for long, then by priority. The same tasks
// at the same time always give the same order.
import type { Task, TaskStore } from '../ports/task-store.ts';

export type Pressure = 'overdue' | 'stale' | 'important' | 'open';

export interface PressingTask {
  readonly task: Task;
  readonly pressure: Pressure;
}

/** Of each status, the oldest: more would not make a suggestion better. */
const MOST = 1_000;

/** `undefined`: there is no such user. */
export async function listOpenTasks(tasks: TaskStore, userId: string): Promise<readonly Task[] | undefined> {
  const page = { userId, limit: MOST, offset: 0 };
  const pending = await tasks.list({ ...page, status: 'pending' });
  const begun = await tasks.list({ ...page, status: 'in_progress' });
  return pending && begun && [...pending.tasks, ...begun.tasks];
}

export function rankTasks(tasks: readonly Task[], now: Date): readonly PressingTask[] {
  return tasks.map((task) => ({ task, pressure: pressureOf(task, now) })).sort(byPressure);
}

const DAY_MS = 86_400_000;
const STALE_DAYS = 7;
const IMPORTANT = 4;

/** Whole days, never negative. */
export const daysBetween = (earlier: Date, later: Date): number =>
  Math.max(0, Math.floor((later.getTime() - earlier.getTime()) / DAY_MS));

function pressureOf({ dueDate, updatedAt, priority }: Task, now: Date): Pressure {
  if (dueDate !== null && dueDate < now) return 'overdue';
  if (now.getTime() - updatedAt.getTime() > STALE_DAYS * DAY_MS) return 'stale';
  return priority >= IMPORTANT ? 'important' : 'open';
}

const RANKS = { overdue: 0, stale: 1, important: 2, open: 3 } as const satisfies Record<Pressure, number>;

function byPressure(a: PressingTask, b: PressingTask): number {
  return RANKS[a.pressure] - RANKS[b.pressure] || WITHIN[a.pressure](a.task, b.task) || compareIds(a.task, b.task);
}

type Compare = (a: Task, b: Task) => number;

const byDueDate: Compare = (a, b) => timeOf(a.dueDate) - timeOf(b.dueDate);
const byPriority: Compare = (a, b) => b.priority - a.priority;
const compareIds: Compare = (a, b) => (a.id < b.id ? -1 : 1);

const WITHIN = {
  overdue: (a, b) => byDueDate(a, b) || byPriority(a, b),
  stale: (a, b) => a.updatedAt.getTime() - b.updatedAt.getTime() || byPriority(a, b),
  important: (a, b) => byPriority(a, b) || byDueDate(a, b),
  open: (a, b) => byPriority(a, b) || byDueDate(a, b),
} as const satisfies Record<Pressure, Compare>;

/** Far beyond every date: a difference of two infinities would be no number. */
const NEVER = 8.64e15;

const timeOf = (date: Date | null): number => date?.getTime() ?? NEVER;
