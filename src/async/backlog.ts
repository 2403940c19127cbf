// Writes behind the answer, in the background: in batches, within a bound, and what is lost is counted.
import { monotonicMs } from './monotonic-clock.ts';
import { nextTurn } from './next-turn.ts';
import { sleep } from './sleep.ts';

export interface BacklogOptions<T> {
  /**
   * Answers how many of the batch are lost: 0 when all are written. `later`: nothing is written, and the same items come
   * again. A rejection loses the whole batch.
   */
  readonly write: (batch: readonly T[]) => Promise<number | 'later'>;
  /** So many wait at most; further ones are lost. */
  readonly most: number;
  /** So many are written at a time; once so many wait, they are written without delay. */
  readonly batch: number;
  /** An item waits so long for others, and for the answer that goes first. */
  readonly behindMs: number;
  /** After `later`. */
  readonly retryMs: number;
}

export interface Backlog<T> {
  /** Never throws, never waits. */
  readonly add: (item: T) => void;
  /** So many more may wait now. */
  readonly room: number;
  /** How many will never be written. */
  readonly lost: number;
  /**
   * Writes what waits, again and again for as long as `patienceMs` says, once without it. What cannot be written by then is
   * lost, as is all that comes afterwards. Never rejects.
   */
  readonly close: (patienceMs?: number) => Promise<void>;
}

/** Between two tries at the end. */
const LAST_RETRY_MS = 100;

/**
 * @example
 * const backlog = createBacklog<Load>({ write: insertLoads, most: 10_000, batch: 400, behindMs: 150, retryMs: 1_000 });
 * backlog.add(load);
 */
export function createBacklog<T>({ write, most, batch, behindMs, retryMs }: BacklogOptions<T>): Backlog<T> {
  let waiting: T[] = [];
  let lost = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  const flushIn = (milliseconds: number): void => {
    clearTimeout(timer);
    // It does not keep the process alive: `close` writes the rest.
    timer = setTimeout(flush, milliseconds).unref();
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeWaiting().finally(() => {
      writing = undefined;
      if (waiting.length > 0 && !isClosed) flushIn(retryMs);
    });
    return writing;
  };
  /** Until nothing waits, or until `later`. */
  const writeWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const items = waiting.slice(0, batch);
      const outcome = await writeOrLose(write, items);
      if (outcome === 'later') return;
      lost += outcome;
      waiting = waiting.slice(items.length);
      if (waiting.length > 0) await nextTurn();
    }
  };
  return {
    add: (item) => {
      if (isClosed || waiting.length >= most) {
        lost += 1;
        return;
      }
      waiting.push(item);
      // Otherwise it is written after the batch under way.
      if (writing !== undefined) return;
      if (waiting.length === batch) flushIn(0);
      else if (timer === undefined) flushIn(behindMs);
    },
    get room() {
      return isClosed ? 0 : Math.max(0, most - waiting.length);
    },
    get lost() {
      return lost;
    },
    close: async (patienceMs = 0) => {
      isClosed = true;
      const deadline = monotonicMs() + patienceMs;
      await writing;
      await flush();
      while (waiting.length > 0 && monotonicMs() + LAST_RETRY_MS < deadline) {
        await sleep(LAST_RETRY_MS);
        await flush();
      }
      lost += waiting.length;
      waiting = [];
    },
  };
}

async function writeOrLose<T>(write: BacklogOptions<T>['write'], items: readonly T[]): Promise<number | 'later'> {
  try {
    return await write(items);
  } catch {
    // No caller waits for the outcome: the count reports it.
    return items.length;
  }
}
