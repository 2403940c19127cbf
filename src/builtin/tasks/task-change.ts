// What an update makes of a task: the fields that really become different, if its status may go where it is sent.
import { fail, ok, type Result } from '../../values/result.ts';
import type { Task, TaskFields, TaskStatus } from '../ports/task-store.ts';

/** Where a status may go. A task that is done can be taken up again, one that was called off can come back. */
const NEXT_STATUSES = {
  pending: ['in_progress', 'completed', 'cancelled'],
  in_progress: ['pending', 'completed', 'cancelled'],
  completed: ['in_progress'],
  cancelled: ['pending'],
} as const satisfies Record<TaskStatus, readonly TaskStatus[]>;

/** The failure is what follows "status: ". `undefined` in `wanted` leaves a field as it is. */
export function planChange(
  task: Task,
  wanted: { readonly [F in keyof TaskFields]?: TaskFields[F] | undefined },
): Result<Partial<TaskFields>, string> {
  const refusal = refusalOf(task.status, wanted.status);
  if (refusal !== undefined) return fail(refusal);
  const changed = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && !isSame(value, task[field as keyof TaskFields]),
  );
  return ok(Object.fromEntries(changed));
}

function refusalOf(from: TaskStatus, to: TaskStatus | undefined): string | undefined {
  const allowed: readonly TaskStatus[] = NEXT_STATUSES[from];
  if (to === undefined || to === from || allowed.includes(to)) return undefined;
  return `a task that is ${from} cannot become ${to}; allowed: ${allowed.join(', ')}`;
}

function isSame(a: TaskFields[keyof TaskFields], b: TaskFields[keyof TaskFields]): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}
