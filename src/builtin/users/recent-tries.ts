// How often something was tried within the last minute, per key. For this process alone.

export interface RecentTries {
  /** Counts a try; or the whole seconds to wait, when there were too many. Those that were refused do not count. */
  take(key: string): number | undefined;
}

export interface TryLimits {
  readonly perMinute: number;
  readonly monotonicMs: () => number;
}

const MINUTE = 60_000;

/** More keys than this, and the one that was quiet longest is forgotten. To bring that about costs a hash for each key. */
const MOST_KEYS = 10_000;

export function createRecentTries({ perMinute, monotonicMs }: TryLimits): RecentTries {
  const triesByKey = new Map<string, readonly number[]>();
  return {
    take(key) {
      const now = monotonicMs();
      const recent = (triesByKey.get(key) ?? []).filter((at) => now - at < MINUTE);
      const oldest = recent.at(-perMinute);
      if (oldest !== undefined) return Math.max(1, Math.ceil((oldest + MINUTE - now) / 1_000));
      // Deleted first: the map's order is that of the last try.
      triesByKey.delete(key);
      triesByKey.set(key, [...recent, now]);
      const [quietest] = triesByKey.keys();
      if (triesByKey.size > MOST_KEYS && quietest !== undefined) triesByKey.delete(quietest);
      return undefined;
    },
  };
}
