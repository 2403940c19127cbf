// Leaves an endpoint alone for a while after it failed several times in a row (B3). For this process alone.

/** `unknown`: it was given up before its outcome was known. */
type AttemptOutcome = 'succeeded' | 'failed' | 'unknown';

interface Attempt {
  end(outcome: AttemptOutcome): void;
}

export interface CircuitBreaker {
  /** `undefined`: it is to be left alone now. Every attempt has to be ended. */
  begin(): Attempt | undefined;
}

export interface BreakerOptions {
  readonly failuresInARow: number;
  readonly pauseMs: number;
  readonly monotonicMs: () => number;
}

export function createCircuitBreaker({ failuresInARow, pauseMs, monotonicMs }: BreakerOptions): CircuitBreaker {
  let failures = 0;
  let pausedUntil = 0;
  let isTrialRunning = false;
  const note = (outcome: AttemptOutcome): void => {
    if (outcome === 'succeeded') failures = 0;
    if (outcome !== 'failed') return;
    failures += 1;
    if (failures >= failuresInARow) pausedUntil = monotonicMs() + pauseMs;
  };
  return {
    begin() {
      if (failures < failuresInARow) return { end: note };
      if (isTrialRunning || monotonicMs() < pausedUntil) return undefined;
      // After the pause one attempt at a time finds out whether it works again.
      isTrialRunning = true;
      return {
        end(outcome) {
          isTrialRunning = false;
          note(outcome);
        },
      };
    },
  };
}
