// The answers that stay open: how many each caller has, and all together. Two callers cannot take every connection.
import type { ServerResponse } from 'node:http';
import { type Caller, callerKey } from '../../identity/caller.ts';

export interface StreamLimits {
  readonly inAll: number;
  readonly perCaller: number;
  /** The dashboard in many windows, and hosts that the operator connected. */
  readonly ofOperator: number;
}

export const STREAM_LIMITS: StreamLimits = { inAll: 500, perCaller: 32, ofOperator: 256 };

/** Keeps a place until the answer closes. False: there is none left. */
export type OpenStream = (caller: Caller, response: ServerResponse) => boolean;

export function createOpenStreams({ inAll, perCaller, ofOperator }: StreamLimits): OpenStream {
  const byCaller = new Map<string, number>();
  let all = 0;
  return (caller, response) => {
    const key = callerKey(caller);
    const own = byCaller.get(key) ?? 0;
    if (all >= inAll || own >= (caller.kind === 'operator' ? ofOperator : perCaller)) return false;
    all += 1;
    byCaller.set(key, own + 1);
    response.once('close', () => {
      all -= 1;
      const left = (byCaller.get(key) ?? 0) - 1;
      if (left > 0) byCaller.set(key, left);
      else byCaller.delete(key);
    });
    return true;
  };
}
