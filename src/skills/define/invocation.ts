// One run of a typed skill and its outcome, as values (X2, X3), and the JSON form of a result.
import type { JsonRecord } from '../check/json-schema.ts';

import { FAILURE_MODES, type Failure, type FailureCode, type FailureSeverity } from './failure.ts';

/**
 * Where an invocation is. It goes from `pending` through `running` to one of the other three, and never back. `timeout` means
 * that its own `timeoutSeconds` were up; one that returns TIMEOUT before that is `failed`.
 *
 * @example
 * const isOver = (status: InvocationStatus) => status !== 'pending' && status !== 'running';
 */
export type InvocationStatus = 'pending' | 'running' | 'completed' | 'failed' | 'timeout';

/**
 * One run of a typed skill, as the log and listeners see it: without secrets.
 *
 * @example
 * const stop = runtime.subscribe((event) => {
 *   if (event.type === 'begin') console.log(event.invocation.skillName, event.invocation.invokingAgent);
 * });
 */
export interface Invocation {
  /** A UUID. */
  readonly id: string;
  readonly skillName: string;
  /** Redacted: what is stored, printed or shown never holds a secret. */
  readonly inputPayload: unknown;
  /** At most 64 characters. */
  readonly invokingAgent: string;
  /**
   * Whose it is, for the log to compare: the caller, the client that they call through, and a digest of who issued their token.
   * Absent in what an earlier version recorded, where the name has to do.
   */
  readonly ownerKey?: string;
  /** 8-4-4-4-12 hexadecimal digits, in lower case. */
  readonly correlationId: string;
  readonly timestamp: Date;
  readonly status: InvocationStatus;
}

interface Ending {
  readonly invocationId: string;
  /** By a monotonic clock: never negative. */
  readonly durationMs: number;
  readonly timestamp: Date;
}

interface Success extends Ending {
  readonly success: true;
  readonly outputPayload: JsonRecord;
}

export interface Failed extends Ending {
  readonly success: false;
  readonly failure: Failure;
}

/**
 * The outcome of an invocation; there is exactly one. The two shapes exclude each other by type.
 *
 * @example
 * const result: InvocationResult = await runtime.invoke({ name: 'greet', input: { name: 'Ada' } });
 * console.log(result.durationMs, result.success ? result.outputPayload : result.failure.code);
 */
export type InvocationResult = Success | Failed;

/**
 * A result and the id under which everything that belongs to it is in the log.
 *
 * @example
 * const answer: Answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' } });
 * console.log(answer.correlationId, answer.success ? answer.outputPayload : answer.failure.message);
 */
export type SkillAnswer = InvocationResult & { readonly correlationId: string };

export type FinalStatus = Exclude<InvocationStatus, 'pending' | 'running'>;

/** `isOverdue`: its own time limit ended it. */
export const finalStatusOf = (result: InvocationResult, isOverdue: boolean): FinalStatus =>
  result.success ? 'completed' : failedStatusOf(result.failure, isOverdue);

/** A skill may say TIMEOUT of something else, such as a step of it: then it has failed, in time (X2). */
export const failedStatusOf = ({ code }: Failure, isOverdue: boolean): FinalStatus =>
  isOverdue && code === 'TIMEOUT' ? 'timeout' : 'failed';

/** The only ways on (X2). */
const NEXT = {
  pending: ['running'],
  running: ['completed', 'failed', 'timeout'],
  completed: [],
  failed: [],
  timeout: [],
} as const satisfies Record<InvocationStatus, readonly InvocationStatus[]>;

export const mayBecome = (from: InvocationStatus, to: InvocationStatus): boolean =>
  (NEXT[from] as readonly InvocationStatus[]).includes(to);

/**
 * A result as the API and the command line print it: every key is always there, `null` where it does not apply.
 *
 * @example
 * const json: ResultJson = resultJson(await runtime.invoke({ name: 'greet', input: { name: 'Ada' } }));
 * console.log(json.failure_code ?? json.output_payload);
 */
export interface ResultJson {
  readonly invocation_id: string;
  readonly success: boolean;
  readonly output_payload: JsonRecord | null;
  readonly failure_code: FailureCode | null;
  readonly failure_message: string | null;
  readonly failure_details: JsonRecord | null;
  readonly severity: FailureSeverity | null;
  readonly suggested_action: string | null;
  readonly duration_ms: number;
  readonly timestamp: string;
}

/**
 * The JSON form of a result, with the severity and the suggested action of its failure.
 *
 * @example
 * const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' } });
 * const body = JSON.stringify({ ...resultJson(answer), correlation_id: answer.correlationId });
 */
export function resultJson(result: InvocationResult): ResultJson {
  const failure = result.success ? undefined : result.failure;
  const mode = failure === undefined ? undefined : FAILURE_MODES[failure.code];
  return {
    invocation_id: result.invocationId,
    success: result.success,
    output_payload: result.success ? result.outputPayload : null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    failure_details: failure?.details ?? null,
    severity: mode?.severity ?? null,
    suggested_action: mode?.suggestedAction ?? null,
    duration_ms: result.durationMs,
    timestamp: result.timestamp.toISOString(),
  };
}
