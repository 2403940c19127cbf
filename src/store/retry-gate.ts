// After a failure the database is left alone for a while, and whoever asks meanwhile hears the same at once. Keeps no timer.
import type { StoreUnavailable } from '../skills/invocation-log.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

export interface RetryGate {
  /** The failure that everybody hears for now. */
  closedBy(): StoreUnavailable | undefined;
  failed(failure: StoreUnavailable): void;
  succeeded(): void;
}

export function createRetryGate(monotonicMs: () => number, random: () => number): RetryGate {
  let pauseMs = 0;
  let closedUntil = 0;
  let failure: StoreUnavailable | undefined;
  return {
    closedBy: () => (monotonicMs() < closedUntil ? failure : undefined),
    failed(latest) {
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs === 0 ? FIRST_PAUSE_MS : pauseMs * 2);
      // Jitter: processes that lost the same database do not all come back in the same instant.
      closedUntil = monotonicMs() + pauseMs * (0.5 + random() / 2);
      failure = latest;
    },
    succeeded() {
      pauseMs = 0;
      closedUntil = 0;
      failure = undefined;
    },
  };
}
