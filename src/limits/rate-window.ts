// So many a minute and key, counted over the last minute at every moment. Nothing ever queues here.
import { createBoundedMap } from '../async/bounded-map.ts';
import { MinuteCount } from './minute-count.ts';

export interface Rate {
  readonly key: string;
  readonly perMinute: number;
}

/** Whole seconds until there is room again; undefined: there was. */
export type Wait = number | undefined;

export interface RateWindow {
  /**
   * Counts so many for every rate, or none where one of them has no room. What was refused does not count. A promise only
   * where others have to be asked first.
   */
  readonly take: (rates: readonly Rate[], count?: number) => Wait | Promise<Wait>;
}

export interface SureWindow {
  /**
   * Counts one, and never by itself alone while those who count together are only slow. `unanswered`: they did not answer in
   * so many milliseconds; it counts if they do after all.
   */
  readonly takeSurely: (rate: Rate, patienceMs: number) => Promise<Wait | 'unanswered'>;
}

/** With more keys than this, the one that was quiet longest starts anew. */
export const MOST_KEYS = 10_000;

/** For this process alone. */
export function createLocalWindow(monotonicMs: () => number) {
  const counts = createBoundedMap<string, MinuteCount>({ most: MOST_KEYS });
  const take = (rates: readonly Rate[], count = 1): Wait => {
    const nowMs = monotonicMs();
    const found = rates.map(({ key, perMinute }) => ({
      key,
      perMinute,
      counted: counts.get(key) ?? new MinuteCount(),
    }));
    const wait = longestWait(found, count, nowMs);
    if (wait !== undefined) return wait;
    for (const { key, perMinute, counted } of found) {
      counted.add(count, nowMs, perMinute);
      counts.set(key, counted);
    }
    return undefined;
  };
  return { take, takeSurely: async (rate: Rate) => take([rate]) } satisfies RateWindow & SureWindow;
}

/** Of several limits, the one that takes longest until there is room. */
function longestWait(
  limits: readonly { readonly perMinute: number; readonly counted: MinuteCount }[],
  count: number,
  nowMs: number,
): Wait {
  let longest: Wait;
  for (const { perMinute, counted } of limits) {
    const excess = counted.total(nowMs) + count - perMinute;
    if (excess > 0) longest = Math.max(longest ?? 0, retryAfterSeconds(counted.waitMs(excess, nowMs)));
  }
  return longest;
}

/** As `Retry-After` and RATE_EXCEEDED say it: whole seconds, at least 1. */
export const retryAfterSeconds = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1_000));
