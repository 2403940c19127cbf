// What a typed skill gets beside its input.
import type { Caller } from '../identity/caller.ts';
import type { InvocationResult } from './invocation.ts';

/** A result and the id under which everything that belongs to it is in the log. */
export type Answer = InvocationResult & { readonly correlationId: string };

/** Invokes another skill with the same caller, under the same correlation id (X5, X6). */
export type InvokeStep = (skill: string, input: unknown) => Promise<Answer>;

export interface Progress {
  readonly done: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

export interface SkillContext {
  /** Aborted when the time is up or the client cancels. Pass it on to whatever waits. */
  readonly signal: AbortSignal;
  /** A line on the program's log, without the secrets of this call. */
  readonly log: (message: string, details?: Readonly<Record<string, unknown>>) => void;
  readonly caller: Caller;
  readonly correlationId: string;
  readonly invoke: InvokeStep;
  readonly progress: (done: number, total?: number, message?: string) => void;
}
