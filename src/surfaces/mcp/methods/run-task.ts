// A run as a task of the Tasks extension (J4): what has not ended is `working`, each failure is a completed result.
import type { KeptQuestion } from '../../../skills/define/question.ts';
import { answerOf } from '../../../skills/durable/invoke-or-run.ts';
import type { Run } from '../../../skills/durable/runs.ts';
import { toOneLine } from '../../../text/one-line.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { skillResult } from './skill-answer.ts';

/** How often a client should ask; those that listen are told. */
const POLL_MS = 1_000;
const MOST_MESSAGE = 500;

/** The fields that every form of a task has. `ttlMs`: how long from its creation it is kept; `null`: for ever. */
function taskOf(run: Run, ttlMs: number | null): JsonObject {
  const message = statusMessageOf(run);
  return {
    taskId: run.invocation.id,
    status: statusOf(run),
    ...(message !== undefined && { statusMessage: message }),
    createdAt: run.invocation.timestamp.toISOString(),
    lastUpdatedAt: run.updatedAt.toISOString(),
    ttlMs,
    pollIntervalMs: POLL_MS,
  };
}

/** The answer to the call that became a task: without what belongs to `tasks/get`. */
export const createdTask = (run: Run, ttlMs: number | null): JsonObject => ({
  resultType: 'task',
  ...taskOf(run, ttlMs),
});

/** What it asks the person at the client, by name. */
export type OpenQuestions = ReadonlyMap<string, KeptQuestion>;

/** With what it has come to, where it has ended, and what it asks, where the client can show that. */
export function detailedTask(run: Run, ttlMs: number | null, questions: OpenQuestions, canAsk: boolean): JsonObject {
  const task = taskOf(run, ttlMs);
  if (questions.size > 0) return canAsk ? { ...task, ...asked(questions) } : { ...task, statusMessage: CANNOT_ASK };
  return run.result === undefined || task.status !== 'completed'
    ? task
    : // As the call would have been answered, which every result of this protocol says of itself.
      { ...task, result: { resultType: 'complete', ...skillResult(answerOf(run, run.result)) } };
}

const CANNOT_ASK = 'Waiting for input: ask with a client that declares elicitation';

const asked = (questions: OpenQuestions): JsonObject => ({
  status: 'input_required',
  statusMessage: 'Waiting for input',
  inputRequests: Object.fromEntries([...questions].map(([name, question]) => [name, elicitation(question)])),
});

const elicitation = ({ message, schema }: KeptQuestion): JsonObject => ({
  method: 'elicitation/create',
  params: { mode: 'form', message: toOneLine(message, MOST_MESSAGE), requestedSchema: formOf(schema) },
});

/** A form is an object of plain fields: nothing else of a schema belongs there. */
const formOf = ({ properties = {}, required = [] }: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required,
});

type TaskStatus = 'working' | 'completed' | 'cancelled';

/** Never `failed`: that is for faults of the protocol, and what goes wrong in a run is the result of its call. */
function statusOf({ result, isCancelled }: Run): TaskStatus {
  if (result === undefined) return 'working';
  // One that was asked to stop, and was done before it heard of that, has its result.
  return isCancelled && hasEndedBy(result, 'cancelled') ? 'cancelled' : 'completed';
}

/** What a skill says of a failure of its own with another code makes no other state of it. */
const hasEndedBy = (result: NonNullable<Run['result']>, cause: 'cancelled' | 'interrupted'): boolean =>
  !result.success && result.failure.code === 'INTERNAL_ERROR' && result.failure.details?.[cause] === true;

const INTERRUPTED = 'The run was interrupted: its process ended before it did';

/** Of a workflow the result tells which steps were completed. */
function interruptedMessage(result: NonNullable<Run['result']>): string | undefined {
  if (result.success || !hasEndedBy(result, 'interrupted')) return undefined;
  const isTold = result.failure.details?.completed_steps !== undefined;
  return isTold ? INTERRUPTED : `${INTERRUPTED}. What it had done by then is not known`;
}

/** What is there to know of one that has not ended, or not by itself. */
export function statusMessageOf({ result, approval, isCancelled, progress, invocation }: Run): string | undefined {
  if (result !== undefined) return interruptedMessage(result);
  if (isCancelled) return 'Is being cancelled';
  if (approval?.state === 'waiting')
    return `Waiting for approval: a person has to allow it before ${approval.expiresAt.toISOString()}`;
  if (progress === undefined) return invocation.status === 'pending' ? 'Waiting to run' : undefined;
  const { done, total, message } = progress;
  const count = total === undefined ? String(done) : `${done} of ${total}`;
  return message === undefined ? count : `${count}: ${toOneLine(message, MOST_MESSAGE)}`;
}
