// How long the store may take. Resolved once, when it is opened; nothing behind `openStore` has a default of its own.
import { within } from '../async/within.ts';
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
 * thousands of others that it does take, a record waits for up to 10 s.
 */
export const OPERATION_LIMIT_MS = 1_700;

export const limitsOf = (operationMs: number): StoreLimits => ({
  operation: operationMs,
  // A commit that is given up says why: that reason comes first.
  entry: operationMs + 100,
  migration: 60_000,
});

/** Rejects with `late` when the time is over; what `work` comes to afterwards is ignored. */
export const withTimeLimit = <T>(work: Promise<T>, limitMs: number, late: () => StoreUnavailable): Promise<T> =>
  within(work, limitMs, () => {
    throw late();
  });
