// Which rows were heard already: their numbers become visible out of order, so that the last seconds are read again and again.
import { monotonicMs } from '../async/monotonic-clock.ts';

/** Longer than a transaction that writes a message may take to commit after it has written it. */
const REREAD_MS = 15_000;
/** A number that is forgotten is heard twice, which is no harm. */
const MOST_SEEN = 20_000;

export interface SeenIds {
  /** False: it was seen before. */
  readonly add: (id: number) => boolean;
  /** How far back rows have to be read now. */
  readonly windowMs: () => number;
  /** All rows of that window were read, by a question that began then. */
  readonly noteRead: (beganAt: number) => void;
}

export function createSeenIds(): SeenIds {
  const seenAt = new Map<number, number>();
  let readAt = monotonicMs();
  const forgetOld = () => {
    for (const [id, at] of seenAt) {
      // Numbers stand in the order in which they were seen.
      if (at > readAt - 2 * REREAD_MS && seenAt.size <= MOST_SEEN) return;
      seenAt.delete(id);
    }
  };
  return {
    add: (id) => {
      if (seenAt.has(id)) return false;
      seenAt.set(id, monotonicMs());
      return true;
    },
    windowMs: () => monotonicMs() - readAt + REREAD_MS,
    noteRead: (beganAt) => {
      readAt = beganAt;
      forgetOld();
    },
  };
}
