// Token buckets by key: so many a minute, unused ones saved up to a minute's worth. Nothing ever queues here.
import { createBoundedMap } from './bounded-map.ts';

export interface Rate {
  readonly key: string;
  readonly perMinute: number;
}

export interface TokenBuckets {
  /** How long until there are so many tokens; 0 when there are. Takes none. */
  readonly waitMs: (rate: Rate, count?: number) => number;
  readonly take: (rate: Rate, count?: number) => void;
}

const MINUTE = 60_000;

/** With more keys than this, the one that was quiet longest starts with a full bucket. */
const MOST_BUCKETS = 10_000;

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** After a quiet minute, almost twice as many as `perMinute` can pass within one: those saved, and those that follow. */
export function createTokenBuckets(monotonicMs: () => number): TokenBuckets {
  const buckets = createBoundedMap<string, Bucket>({ most: MOST_BUCKETS });
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
    take: (rate, count = 1) => buckets.set(rate.key, { tokens: level(rate) - count, atMs: monotonicMs() }),
  };
}

/** As `Retry-After` and RATE_EXCEEDED say it: whole seconds, at least 1. */
export const retryAfterSeconds = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1_000));
