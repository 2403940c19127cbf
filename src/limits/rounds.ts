// Questions to a partner that may be away: one round at a time, at once or a little later, and again and again while it is away.

export interface RoundsOptions {
  /** Asks all that waits. False: the partner is away. A rejection is a fault of ours, and counts as away. */
  readonly round: () => Promise<boolean>;
  /** After a round: there is more that has to be asked at once. */
  readonly isPressing: () => boolean;
  readonly monotonicMs: () => number;
  readonly onFault: (error: unknown) => void;
}

export interface Rounds {
  /** Begins a round, or lets the one that is under way be followed by another. */
  readonly now: () => void;
  /** Unless one comes sooner. While the partner is away, the next try comes when it comes. */
  readonly within: (milliseconds: number) => void;
  /** The last round did not reach it. One that only takes long is none of that: it may be the question that is slow. */
  readonly isAway: () => boolean;
  /** After what is under way, one last round; no further one begins. */
  readonly close: () => Promise<void>;
}

/** Between two tries while the partner is away. */
const RETRY_MS = 1_000;

export function createRounds({ round, isPressing, monotonicMs, onFault }: RoundsOptions): Rounds {
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;
  let isAway = false;
  let isWantedAgain = false;
  let isClosed = false;
  const run = async (): Promise<void> => {
    try {
      isAway = !(await round());
    } catch (error) {
      isAway = true;
      onFault(error);
    }
    running = undefined;
    if (isAway) retry();
    else if (isWantedAgain || isPressing()) now();
  };
  const stopTimer = (): void => {
    clearTimeout(timer);
    dueMs = Number.POSITIVE_INFINITY;
  };
  const retry = (): void => {
    stopTimer();
    within(RETRY_MS);
  };
  const now = (): void => {
    if (isClosed) return;
    stopTimer();
    isWantedAgain = running !== undefined;
    running ??= run();
  };
  const within = (milliseconds: number): void => {
    const wantedMs = monotonicMs() + milliseconds;
    if (isClosed || wantedMs >= dueMs) return;
    clearTimeout(timer);
    dueMs = wantedMs;
    // It does not keep the process alive: `close` tells the rest.
    timer = setTimeout(now, milliseconds).unref();
  };
  return {
    now,
    within: (milliseconds) => {
      if (!isAway || running !== undefined) within(milliseconds);
    },
    isAway: () => isAway,
    close: async () => {
      stopTimer();
      isClosed = true;
      await running;
      if (!isAway) await run();
    },
  };
}
