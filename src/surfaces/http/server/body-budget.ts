// How much of unfinished bodies is held in memory: of one caller, and of all. Who sends and never ends cannot fill it.
import { type Caller, callerKey } from '../../../identity/caller.ts';

export interface BodyLimits {
  readonly inAll: number;
  /** Of an agent or a user; for the operator there is only the limit of all. */
  readonly perCaller: number;
}

const MEGABYTE = 1_048_576;

export const BODY_LIMITS: BodyLimits = { inAll: 64 * MEGABYTE, perCaller: 16 * MEGABYTE };

export interface BodyBudget {
  /** False: it does not fit, and nothing was taken. */
  readonly take: (caller: Caller, bytes: number) => boolean;
  readonly give: (caller: Caller, bytes: number) => void;
}

export function createBodyBudget({ inAll, perCaller }: BodyLimits): BodyBudget {
  const byCaller = new Map<string, number>();
  let all = 0;
  return {
    take: (caller, bytes) => {
      const key = callerKey(caller);
      const own = (byCaller.get(key) ?? 0) + bytes;
      if (all + bytes > inAll || (own > perCaller && caller.kind !== 'operator')) return false;
      all += bytes;
      byCaller.set(key, own);
      return true;
    },
    give: (caller, bytes) => {
      const key = callerKey(caller);
      const left = (byCaller.get(key) ?? 0) - bytes;
      all -= bytes;
      if (left > 0) byCaller.set(key, left);
      else byCaller.delete(key);
    },
  };
}
