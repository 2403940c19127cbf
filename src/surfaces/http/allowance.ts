// What a caller may take beyond the one request that was let in: further requests inside it, answers that stay open.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../identity/caller.ts';
import type { WatchCredential } from './credential-watch.ts';
import type { OpenStream } from './open-streams.ts';
import type { RateLimit } from './rate-limit.ts';

interface Sender {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
  readonly remote: boolean;
}

export interface Allowance {
  /** Takes further requests of this caller, all or none. Seconds to wait, when there are not enough left. */
  readonly takeRequests: (caller: Caller, count: number) => number | undefined;
  /** Keeps a place for an answer that stays open, and calls `end` when its credential is good no longer. False: none is left, or nobody is there. */
  readonly openStream: (sender: Sender, end: () => void) => boolean;
  /** Calls `end` when the credential that came with this request is good no longer. Answers how to stop looking. */
  readonly watch: WatchCredential;
}

export interface AllowanceParts {
  readonly limit: Pick<RateLimit, 'take'>;
  readonly openStream: OpenStream;
  readonly watch: WatchCredential;
}

export const createAllowance = ({ limit, openStream, watch }: AllowanceParts): Allowance => ({
  takeRequests: limit.take,
  openStream: (sender, end) => {
    const { caller, response } = sender;
    // Gone while it was found out who they are: it closes no more, and would keep its place for ever.
    if (response.destroyed) return false;
    if (!openStream(caller, response)) return false;
    response.once('close', watch(sender, end));
    return true;
  },
  watch,
});
