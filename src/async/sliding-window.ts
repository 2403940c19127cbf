// So many a minute and key, counted over the last minute at every moment: stricter than token-buckets.ts, which lets almost
// twice as many through after a quiet minute. For this process alone.
import { createBoundedMap } from './bounded-map.ts';
import { retryAfterSeconds } from './token-buckets.ts';

export interface SlidingWindow {
  /** Counts one; or the whole seconds to wait, when there were too many. Those that were refused do not count. */
  readonly take: (key: string) => number | undefined;
}

export interface SlidingWindowOptions {
  readonly perMinute: number;
  readonly monotonicMs: () => number;
}

const MINUTE = 60_000;

/** With more keys than this, the one that was quiet longest is forgotten. */
const MOST_KEYS = 10_000;

export function createSlidingWindow({ perMinute, monotonicMs }: SlidingWindowOptions): SlidingWindow {
  const timesByKey = createBoundedMap<string, readonly number[]>({ most: MOST_KEYS });
  return {
    take: (key) => {
      const now = monotonicMs();
      const recent = (timesByKey.get(key) ?? []).filter((at) => now - at < MINUTE);
      const oldest = recent.at(-perMinute);
      if (oldest !== undefined) return retryAfterSeconds(oldest + MINUTE - now);
      timesByKey.set(key, [...recent, now]);
      return undefined;
    },
  };
}
