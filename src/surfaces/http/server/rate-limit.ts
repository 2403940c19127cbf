// How often one caller may ask, and how often one address may bring a bad credential. Both answer how long to wait.

import { createTokenBuckets, type Rate, retryAfterSeconds, type TokenBuckets } from '../../../async/token-buckets.ts';
import { type Caller, callerKey } from '../../../identity/caller.ts';
import { networkOf } from '../../../values/ip-address.ts';

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
  /** Counts a bad credential of this sender. Seconds to wait, when there were too many before it: then it does not count. */
  readonly noteBad: (sender: Sender) => number | undefined;
}

/** Bad credentials per minute and address. On this machine it is a mistake of our own people, rather than an attack. */
const REMOTE_GUESSES = 60;
const LOCAL_GUESSES = 600;

export function createRateLimit({ requestsPerMinute, monotonicMs }: RateLimitOptions): RateLimit {
  const callers = createTokenBuckets(monotonicMs);
  const guesses = createTokenBuckets(monotonicMs);
  return {
    take: (caller, count = 1) => {
      if (requestsPerMinute === undefined || caller.kind === 'operator') return undefined;
      return takeFrom(callers, { key: callerKey(caller), perMinute: requestsPerMinute }, count);
    },
    noteBad: (sender) => takeFrom(guesses, guessRate(sender)),
  };
}

/** All or none. Seconds to wait, when there are not enough left. */
function takeFrom(buckets: TokenBuckets, rate: Rate, count = 1): number | undefined {
  const wait = buckets.waitMs(rate, count);
  if (wait > 0) return retryAfterSeconds(wait);
  buckets.take(rate, count);
  return undefined;
}

/** A proxy on this machine counts apart from what runs on it. */
const guessRate = ({ address, remote }: Sender) => ({
  key: `${remote ? 'remote' : 'local'} ${networkOf(address)}`,
  perMinute: remote ? REMOTE_GUESSES : LOCAL_GUESSES,
});
