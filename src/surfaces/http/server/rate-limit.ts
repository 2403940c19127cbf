// How often one caller may ask, and how often one address may bring a bad credential. Both answer how long to wait.

import { type Caller, callerKey } from '../../../identity/caller.ts';
import type { RateWindow, Wait } from '../../../limits/rate-window.ts';
import { networkOf } from '../../../values/ip-address.ts';

export interface RateLimitOptions {
  /** Of one agent or user; the operator has none (H5). */
  readonly requestsPerMinute: number | undefined;
  readonly window: RateWindow;
}

/** Where a request comes from, as far as we can tell. */
interface Sender {
  readonly address: string;
  readonly remote: boolean;
}

/** Seconds to wait, or nothing; a promise only where other replicas have to be asked. */
export interface RateLimit {
  /** Takes one request of this caller, or so many, all or none. */
  readonly take: (caller: Caller, count?: number) => Wait | Promise<Wait>;
  /** Takes one request of a sender who brings no credential and needs none. */
  readonly takeOpen: (sender: Sender) => Wait | Promise<Wait>;
  /** Counts a bad credential of this sender. Seconds to wait, when there were too many before it: then it does not count. */
  readonly noteBad: (sender: Sender) => Wait | Promise<Wait>;
}

/** Bad credentials per minute and address. On this machine it is a mistake of our own people, rather than an attack. */
const REMOTE_GUESSES = 60;
const LOCAL_GUESSES = 600;

/**
 * Requests per minute and address of those who need no credential (`--public-index`): an installer takes a large collection in one
 * go, and waits where it is told to.
 */
const REMOTE_READERS = 1_200;
const LOCAL_READERS = 6_000;

export function createRateLimit({ requestsPerMinute, window }: RateLimitOptions): RateLimit {
  return {
    take: (caller, count = 1) => {
      if (requestsPerMinute === undefined || caller.kind === 'operator') return undefined;
      return window.take([{ key: `requests ${callerKey(caller)}`, perMinute: requestsPerMinute }], count);
    },
    takeOpen: (sender) => window.take([readerRate(sender)]),
    noteBad: (sender) => window.take([guessRate(sender)]),
  };
}

/** A proxy on this machine counts apart from what runs on it. */
const guessRate = ({ address, remote }: Sender) => ({
  key: `guesses ${remote ? 'remote' : 'local'} ${networkOf(address)}`,
  perMinute: remote ? REMOTE_GUESSES : LOCAL_GUESSES,
});

const readerRate = ({ address, remote }: Sender) => ({
  key: `readers ${remote ? 'remote' : 'local'} ${networkOf(address)}`,
  perMinute: remote ? REMOTE_READERS : LOCAL_READERS,
});
