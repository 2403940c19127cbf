// How often one caller may ask, and how often one address may try tokens. Both answer how long to wait.

import { createBoundedMap } from '../../../async/bounded-map.ts';
import { createTokenBuckets, retryAfterSeconds } from '../../../async/token-buckets.ts';
import { type Caller, callerKey } from '../../../identity/caller.ts';

export interface RateLimitOptions {
  /** Of one agent or user; the operator has none (H5). */
  readonly requestsPerMinute: number | undefined;
  readonly monotonicMs: () => number;
}

/** Where a request comes from, as far as we can tell. */
interface Sender {
  readonly address: string;
  readonly remote: boolean;
}

export interface RateLimit {
  /** Takes one request of this caller, or so many, all or none. Seconds to wait, when there are not enough left. */
  readonly take: (caller: Caller, count?: number) => number | undefined;
  /** Seconds to wait before this sender may try a token that was never a good one. */
  readonly guessWait: (sender: Sender, token: string | undefined) => number | undefined;
  readonly noteGood: (token: string) => void;
  readonly noteBad: (sender: Sender, token: string | undefined) => void;
}

/** Bad tokens per minute and address. On this machine it is a mistake of our own people, rather than an attack. */
const REMOTE_GUESSES = 60;
const LOCAL_GUESSES = 600;

/** Tokens that were good before in this process: one client's mistakes do not lock out another at the same address. */
const MAX_REMEMBERED = 1_000;

export function createRateLimit({ requestsPerMinute, monotonicMs }: RateLimitOptions): RateLimit {
  const callers = createTokenBuckets(monotonicMs);
  const guesses = createTokenBuckets(monotonicMs);
  const good = createBoundedMap<string, true>({ most: MAX_REMEMBERED });
  return {
    take: (caller, count = 1) => {
      if (requestsPerMinute === undefined || caller.kind === 'operator') return undefined;
      const rate = { key: callerKey(caller), perMinute: requestsPerMinute };
      const wait = callers.waitMs(rate, count);
      if (wait > 0) return retryAfterSeconds(wait);
      callers.take(rate, count);
      return undefined;
    },
    guessWait: (sender, token) => {
      const wait = guesses.waitMs(guessRate(sender));
      const isKnown = token !== undefined && good.has(token);
      return wait === 0 || isKnown ? undefined : retryAfterSeconds(wait);
    },
    noteGood: (token) => {
      if (!good.has(token)) good.set(token, true);
    },
    noteBad: (sender, token) => {
      if (token !== undefined) good.delete(token);
      guesses.take(guessRate(sender));
    },
  };
}

/** A proxy on this machine counts apart from what runs on it. */
const guessRate = ({ address, remote }: Sender) => ({
  key: remote ? `remote ${address}` : address,
  perMinute: remote ? REMOTE_GUESSES : LOCAL_GUESSES,
});
