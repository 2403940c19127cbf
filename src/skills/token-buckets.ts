// Token buckets by key: so many a minute, unused ones saved up to a minute's worth. Nothing ever queues here.

export interface Rate {
  readonly key: string;
  readonly perMinute: number;
}

export interface Buckets {
  /** Until there is a token, or so many; 0 when there are. */
  readonly waitMs: (rate: Rate, count?: number) => number;
  readonly take: (rate: Rate, count?: number) => void;
}

const MINUTE = 60_000;

/** More keys than this at a time, and the one that was quiet longest starts afresh. */
const MAX_BUCKETS = 10_000;

export function createBuckets(monotonicMs: () => number): Buckets {
  const buckets = new Map<string, { readonly tokens: number; readonly atMs: number }>();
  const level = ({ key, perMinute }: Rate): number => {
    const bucket = buckets.get(key);
    if (bucket === undefined) return perMinute;
    return Math.min(perMinute, bucket.tokens + ((monotonicMs() - bucket.atMs) * perMinute) / MINUTE);
  };
  return {
    waitMs: (rate, count = 1) => {
      const tokens = level(rate);
      return tokens >= count ? 0 : ((count - tokens) * MINUTE) / rate.perMinute;
    },
    take: (rate, count = 1) => {
      const tokens = level(rate) - count;
      // Deleted first: the map's order is that of the last use.
      buckets.delete(rate.key);
      buckets.set(rate.key, { tokens, atMs: monotonicMs() });
      const [oldest] = buckets.keys();
      if (buckets.size > MAX_BUCKETS && oldest !== undefined) buckets.delete(oldest);
    },
  };
}

/** As `Retry-After` and RATE_EXCEEDED say it: whole seconds, at least 1. */
export const retryAfterSeconds = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000));
