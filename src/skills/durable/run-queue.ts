// What wakes processes that carry out runs (J9): the rows decide, so a queue that wakes too often, or a process too many, does no
// harm, and what it forgets is found by looking.

export interface RunQueue {
  /** `onWake`: there may be something to take. Nothing is opened before. */
  start(onWake: () => void): Promise<void>;
  /** Wakes one process or more, after so long. Never throws, never waits. */
  wakeIn(delayMs: number, id?: string): void;
  close(): Promise<void>;
}

/** Looks as often as that, whatever else wakes: runs of a process that died are taken up within ten seconds (J5). */
const LOOK_MS = 1_000;

/** By a timer alone, for processes that share a file: a look costs one short read. */
export function createLookingQueue(lookMs = LOOK_MS): RunQueue {
  let timer: NodeJS.Timeout | undefined;
  let wake: () => void = () => undefined;
  return {
    start: async (onWake) => {
      wake = onWake;
      timer = setInterval(onWake, lookMs).unref();
    },
    // Others find it when they look, and so does this one, where that is sooner.
    wakeIn: (delayMs) => void setTimeout(() => wake(), Math.min(delayMs, lookMs)).unref(),
    close: async () => {
      clearInterval(timer);
      wake = () => undefined;
    },
  };
}
