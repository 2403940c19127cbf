// One run of a typed skill and its outcome, as values (X2, X3). What changes is replaced, never edited.
import type { Failure } from './failure.ts';

/**
 * Where an invocation is. It goes from `pending` through `running` to one of the other three, and never back.
 *
 * @example
 * const isOver = (status: InvocationStatus) => status !== 'pending' && status !== 'running';
 */
export type InvocationStatus = 'pending' | 'running' | 'completed' | 'failed' | 'timeout';

/**
 * A JSON object that has been checked: no NUL, no lone surrogate, bounded depth and size.
 *
 * @example
 * const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' } });
 * const output: JsonRecord = answer.success ? answer.outputPayload : {};
 */
export type JsonRecord = Readonly<Record<string, unknown>>;

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

export type FinalStatus = Exclude<InvocationStatus, 'pending' | 'running'>;

export const finalStatusOf = (result: InvocationResult): FinalStatus =>
  result.success ? 'completed' : failedStatusOf(result.failure);

export const failedStatusOf = ({ code }: Failure): FinalStatus => (code === 'TIMEOUT' ? 'timeout' : 'failed');

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
