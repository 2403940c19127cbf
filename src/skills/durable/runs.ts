// Runs: durable invocations, as surfaces ask for them (J). The row of the invocation is the one truth: whatever a queue says, a
// transition of that row decides who runs it.
import type { Caller, Owner } from '../../identity/caller.ts';
import type { Progress } from '../define/define-skill.ts';
import type { FailureCode } from '../define/failure.ts';
import type { Invocation, InvocationResult, SkillAnswer } from '../define/invocation.ts';
import type { KeptQuestion } from '../define/question.ts';
import type { InvokeRequest } from '../run/active-invocation.ts';
import type { ScheduleState } from './schedule.ts';

export interface Runs {
  /**
   * Authorises, limits and validates, then stores it as `pending` before it resolves. `ended`: it was refused, or a key says
   * that it has ended before; the answer is that of a call. Rejects never: a store that is away is PERSISTENCE_ERROR.
   */
  start(request: RunRequest): Promise<StartedRun>;
  /** Own runs, with `log:read` those of others, and without their answers those that one decided on; anything else does not exist (J2). */
  find(id: string, caller: Caller): Promise<Run | undefined>;
  /** As soon as it has ended, or as it is after so long. */
  wait(
    id: string,
    caller: Caller,
    patience: { readonly ms: number; readonly signal?: AbortSignal },
  ): Promise<Run | undefined>;
  /** Ends it as `failed` / INTERNAL_ERROR with `cancelled: true`, on whichever process it runs; a run that has ended stays so. */
  cancel(id: string, caller: Caller): Promise<Run | undefined>;
  /** Ends an ordinary call that is under way, on whichever process, as if its client had cancelled it. Whose it is has been looked at. */
  cancelCall(id: string): Promise<void>;
  /** By a caller with `runs:approve` who did not start it, or the operator (J8). */
  decide(id: string, decision: Decision): Promise<Decided>;
  /** Newest first. */
  list(query: RunQuery, caller: Caller): Promise<RunPage>;
  /** How many wait for a decision that this caller may make. */
  countToDecide(caller: Caller): Promise<number>;
  /** Those of the configuration, with their last and their next time (J7). */
  schedules(): Promise<readonly ScheduleState[]>;
  /** What a run of theirs asks them, and has no reply yet, by name. */
  questions(id: string, caller: Caller): Promise<ReadonlyMap<string, KeptQuestion>>;
  /** By name; what is no reply to an open question is ignored. */
  reply(id: string, caller: Caller, replies: ReadonlyMap<string, unknown>): Promise<void>;
  /** Hears of each change of a run that this process learns of, those on other replicas included; answers how to stop. */
  subscribe(listener: (id: string) => void): () => void;
}

export interface RunRequest extends InvokeRequest {
  /** Of this caller, for this skill: the same input gives the same run (J3). */
  readonly idempotencyKey?: string | undefined;
}

export type StartedRun =
  | { readonly state: 'stored'; readonly run: Run; readonly isNew: boolean }
  | { readonly state: 'ended'; readonly answer: SkillAnswer }
  /** The key was used with another input: VALIDATION_ERROR, 409 over HTTP. */
  | { readonly state: 'conflict'; readonly answer: SkillAnswer };

/** An invocation and what is known of it beside the log's columns. */
export interface Run {
  readonly invocation: Invocation;
  /** Absent until it has ended. */
  readonly result: InvocationResult | undefined;
  readonly owner: Owner;
  readonly attempts: readonly Attempt[];
  /** The last that it said; absent: nothing yet. */
  readonly progress: Progress | undefined;
  readonly approval: Approval | undefined;
  readonly isCancelled: boolean;
  readonly updatedAt: Date;
}

export interface Attempt {
  readonly attempt: number;
  readonly startedAt: Date;
  /** Absent while it runs, and when it went well. */
  readonly failureCode: FailureCode | undefined;
}

export interface Approval {
  readonly state: 'waiting' | 'approved' | 'rejected' | 'expired';
  readonly expiresAt: Date;
  readonly decidedBy: string | undefined;
  readonly decidedAt: Date | undefined;
  readonly message: string | undefined;
}

export interface Decision {
  readonly verdict: 'approve' | 'reject';
  readonly by: Caller;
  readonly message: string | undefined;
}

/** `not-waiting`: it was decided before, was cancelled or has expired. `own`: callers cannot approve what they started themselves. */
export type Decided =
  | { readonly ok: true; readonly run: Run }
  | { readonly ok: false; readonly reason: 'unknown' | 'forbidden' | 'own' | 'not-waiting' };

export interface RunQuery {
  readonly state?: 'waiting' | 'unfinished' | 'finished' | undefined;
  readonly skill?: string | undefined;
  /** Only this one. */
  readonly id?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface RunPage {
  readonly runs: readonly Run[];
  readonly nextCursor: string | undefined;
}
