// How long the store may take. Resolved once, when it is opened; nothing behind `openStore` has a default of its own.
import { createAwakeClock } from '../async/awake-clock.ts';
import { monotonicMs } from '../async/monotonic-clock.ts';
import { patiently } from '../async/patiently.ts';
import type { StoreUnavailable } from '../skills/record/invocation-log.ts';

/** Milliseconds. */
export interface StoreLimits {
  /** One read or write, opening the database included (F1). */
  readonly operation: number;
  /**
   * One entry of a commit queue while the database takes nothing: the wait for its turn and its commit together. While it
   * takes those before, the entry waits for longer (commit-queue.ts).
   */
  readonly entry: number;
  /** One migration: building an index over many rows takes a while. */
  readonly migration: number;
}

/**
 * With what is done around it, every caller of a database that takes nothing has an answer within two seconds (H6). Behind
 * thousands of others that it does take, a record waits for up to 30 s.
 */
export const OPERATION_LIMIT_MS = 1_700;

/** Of a database that says nothing at all, be it to one who asks for nothing: less than one operation, so that its reason comes first. */
export const longestSilenceOf = (operationMs: number): number => Math.round(operationMs * 0.9);

export const limitsOf = (operationMs: number): StoreLimits => ({
  operation: operationMs,
  // A commit that is given up says why: that reason comes first.
  entry: operationMs + 100,
  migration: 60_000,
});

/** Rejects with `late` when so much time is over in which this process ran; what `work` comes to afterwards is ignored. */
export function withTimeLimit<T>(work: Promise<T>, limitMs: number, late: () => StoreUnavailable): Promise<T> {
  const passedMs = createAwakeClock(monotonicMs);
  return patiently(work, () => limitMs - passedMs(), late);
}
