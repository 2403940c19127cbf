// What runs need of a store (J): rows whose transitions decide who runs what. Implemented in store/.
import type { Caller } from '../../identity/caller.ts';
import type { TrailNote } from '../../identity/trail.ts';
import type { Progress } from '../define/define-skill.ts';
import type { FailureCode } from '../define/failure.ts';
import type { Invocation, InvocationResult, InvocationStatus } from '../define/invocation.ts';
import type { Durability } from '../define/registered-skill.ts';
import type { Run, RunPage, RunQuery } from './runs.ts';
import type { ScheduleTick } from './scheduler.ts';

/** All of these reject with StoreUnavailable when the store cannot be used. */
export interface RunStore {
  /** Durable when it resolves. `known`: the key was used before. */
  add(run: NewRun): Promise<Added>;
  /** What a key stands for; `undefined`: nothing, or not any more. */
  findKey(key: RunKey): Promise<KnownKey | undefined>;
  find(id: string): Promise<Run | undefined>;
  /** `ownerKey`: only those of one caller. */
  list(query: RunQuery & { readonly ownerKey: string | undefined }): Promise<RunPage>;
  /** How many wait for a person. `exceptMaker`: not counting those that `isMadeBy` this caller, a `personKey`. */
  countWaiting(exceptMaker: string | undefined): Promise<number>;
  /** Those of these skills that may be taken now, first come first. `notOf`: keys of owners that have enough for now. */
  due(skills: readonly string[], limit: number, notOf?: readonly string[]): Promise<readonly DueRun[]>;
  /**
   * One process gets it: the row decides. One whose process died, and that may not run again, is ended here as interrupted.
   * `undefined`: it is not to be had.
   */
  take(id: string): Promise<TakenRun | undefined>;
  /** Those in `ids` that are still ours are ours for a while longer. */
  renew(ids: readonly string[]): Promise<Renewal>;
  noteProgress(id: string, progress: Progress): Promise<void>;
  /** It runs again later. False: it is not ours any more. */
  retry(id: string, failureCode: FailureCode, delayMs: number): Promise<boolean>;
  /** The one result. False: it is not ours any more. */
  finish(id: string, status: InvocationStatus, result: InvocationResult): Promise<boolean>;
  /** `running`: its process is to end it. `undefined`: there is none, or it has ended. */
  cancel(id: string, at: Date): Promise<'ended' | 'running' | undefined>;
  /** False: it does not wait for a decision. `note`: entered into the trail with it. */
  decide(id: string, decision: StoredDecision, note: TrailNote): Promise<boolean>;
  /** Ends runs that were not decided on in time; answers their ids. */
  expire(at: Date): Promise<readonly string[]>;
  keepStep(id: string, step: string, sealed: string): Promise<void>;
  /** By any process, while the run has not ended; a second one is ignored. */
  keepReply(id: string, step: string, sealed: string): Promise<void>;
  steps(id: string): Promise<ReadonlyMap<string, string>>;
  /** How far each of these schedules has come; those that are new, have other times, or are days ahead begin at that moment. */
  knowSchedules(schedules: readonly ScheduleRow[], at: Date): Promise<ReadonlyMap<string, KnownTick>>;
  /** Moves a schedule on and adds its run, both or neither. False: another process was first. */
  tick(tick: ScheduleTick, run: NewRun | undefined): Promise<boolean>;
  /** By the name of the schedule. */
  ticks(): Promise<ReadonlyMap<string, KnownTick>>;
  /** Those that were kept for 24 hours, by the clock of the store: that of one process may be wrong (F12). */
  forgetKeys(): Promise<void>;
}

export interface ScheduleRow {
  readonly name: string;
  readonly definition: string;
}

export interface KnownTick {
  readonly at: Date;
  /** Of the last run; absent before the first. */
  readonly invocationId: string | undefined;
  /** How that one stands; absent where the log has no more of it. */
  readonly status?: InvocationStatus | undefined;
  readonly failureCode?: FailureCode | undefined;
}

export interface RunKey {
  /** Of the caller, the skill and the key: keyed, so that it tells nothing. */
  readonly keyHash: string;
  readonly inputHash: string;
}

export interface NewRun {
  /** As the log may show it. */
  readonly invocation: Invocation;
  readonly caller: Caller;
  /** The input, encrypted. */
  readonly sealed: string;
  readonly durability: Durability;
  /** So long it waits for a person, by the clock of the store; absent: no one has to decide. */
  readonly approvalMs: number | undefined;
  readonly key: RunKey | undefined;
  /** Encrypted, kept as this step beside it: the trace that it is part of. */
  readonly trace?: { readonly step: string; readonly sealed: string } | undefined;
}

export type Added = { readonly kind: 'added' } | ({ readonly kind: 'known' } & KnownKey);

/** The invocation that a key stands for. */
export interface KnownKey {
  readonly invocationId: string;
  readonly isSameInput: boolean;
}

export interface DueRun {
  readonly id: string;
  readonly ownerKey: string;
  readonly skillName: string;
}

export interface TakenRun {
  readonly id: string;
  readonly skillName: string;
  readonly caller: Caller;
  readonly invokingAgent: string;
  readonly correlationId: string;
  readonly sealed: string;
  /** From 1. */
  readonly attempt: number;
  readonly mostAttempts: number;
  readonly createdAt: Date;
}

export interface Renewal {
  /** Another process has it, or it has ended. */
  readonly lost: readonly string[];
  readonly cancelled: readonly string[];
}

export interface StoredDecision {
  readonly verdict: 'approve' | 'reject';
  readonly by: string;
  readonly message: string | undefined;
  readonly at: Date;
}
