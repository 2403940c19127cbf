// A clock that stands still while this process has no turn: halted, or with too much to do. What it waits for was not heard
// meanwhile, and is not late for that.

/** More than so much between two looks at the clock is not counted. */
export const LONGEST_TURN_MS = 500;

/** Milliseconds. Who measures with it looks at it more often than every `LONGEST_TURN_MS` meanwhile. */
export function createAwakeClock(monotonicMs: () => number): () => number {
  let seenMs = monotonicMs();
  let awakeMs = 0;
  return () => {
    const nowMs = monotonicMs();
    awakeMs += Math.min(nowMs - seenMs, LONGEST_TURN_MS);
    seenMs = nowMs;
    return awakeMs;
  };
}
