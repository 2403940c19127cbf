// Whether a run that did not go well is tried again, and when; and what its end is (J5).
import type { FailureCode } from '../define/failure.ts';
import type { Durability } from '../define/registered-skill.ts';
import type { CarriedOut } from '../run/carry-out.ts';
import type { TakenRun } from './run-store.ts';

/** May pass by themselves (J5). */
const PASSING: ReadonlySet<FailureCode> = new Set([
  'RATE_EXCEEDED',
  'TIMEOUT',
  'PERSISTENCE_ERROR',
  'EXTERNAL_SERVICE_ERROR',
]);

interface Again {
  readonly code: FailureCode;
  readonly delayMs: number;
}

const LONGEST_BACKOFF_MS = 3_600_000;

/** `undefined`: this was its end. Twice as long each time, with a jitter, so that many do not come back at once (J5). */
export function retryDelay(
  durable: Durability | undefined,
  { attempt, mostAttempts }: TakenRun,
  { result, isCancelled }: CarriedOut,
  { isStopped, random }: { readonly isStopped: boolean; readonly random: () => number },
): Again | undefined {
  if (result.success || durable === undefined || attempt >= mostAttempts) return undefined;
  const { code } = result.failure;
  // The process stops: another one begins at once.
  if (isStopped && isCancelled) return durable.idempotent || durable.resumes ? { code, delayMs: 0 } : undefined;
  if (!durable.idempotent || isCancelled || !PASSING.has(code)) return undefined;
  const base = Math.min(LONGEST_BACKOFF_MS, durable.backoffSeconds * 1_000 * 2 ** (attempt - 1));
  return { code, delayMs: Math.round(base * (0.75 + random() * 0.5)) };
}

/** A run that its process could not let end was interrupted, not cancelled. */
export function finalOf({ result, isCancelled }: CarriedOut, isStopped: boolean): CarriedOut['result'] {
  if (result.success || !isStopped || !isCancelled) return result;
  return { ...result, failure: { ...result.failure, details: { interrupted: true } } };
}
