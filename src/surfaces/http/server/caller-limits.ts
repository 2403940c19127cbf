// What a caller may take beyond the one request that was admitted: further requests inside it, answers that stay open.
import type { ServerResponse } from 'node:http';
import { createQuota } from '../../../async/quota.ts';
import { type Caller, callerKey } from '../../../identity/caller.ts';
import type { AnswerRoom, CallerLimits, WatchCredential } from '../message/admitted-request.ts';
import type { RateLimit } from './rate-limit.ts';

export interface StreamLimits {
  readonly inAll: number;
  readonly perCaller: number;
  /** The dashboard in many windows, and hosts that the operator connected. */
  readonly ofOperator: number;
}

export const STREAM_LIMITS: StreamLimits = { inAll: 500, perCaller: 32, ofOperator: 256 };

export interface CallerLimitsParts {
  readonly rate: Pick<RateLimit, 'take'>;
  readonly streams: StreamLimits;
  readonly watch: WatchCredential;
  readonly answers: AnswerRoom;
}

export function createCallerLimits({ rate, streams, watch, answers }: CallerLimitsParts): CallerLimits {
  const openStream = createOpenStreams(streams);
  return {
    takeRequests: rate.take,
    openStream: (sender, end, onRights) => {
      const { caller, response } = sender;
      // A client that left while its credential was looked up sends no further `close`: its place would be lost.
      if (response.destroyed) return false;
      if (!openStream(caller, response)) return false;
      response.once('close', watch(sender, end, onRights));
      return true;
    },
    watch,
    answers,
  };
}

/** Reserves a place until the answer closes. False: there is none left. Two callers cannot take every connection. */
function createOpenStreams({ inAll, perCaller, ofOperator }: StreamLimits) {
  const quota = createQuota({ inAll });
  return (caller: Caller, response: ServerResponse): boolean => {
    const key = callerKey(caller);
    if (!quota.take({ key, most: caller.kind === 'operator' ? ofOperator : perCaller })) return false;
    response.once('close', () => quota.give(key));
    return true;
  };
}
