// The one route that takes more than a megabyte (L1): for callers who may use it, and for each of them one at a time.
import type { ServerResponse } from 'node:http';
import { type Caller, callerKey } from '../../../identity/caller.ts';
import { findAccessFault, PROPOSERS } from '../../../operations/access.ts';
import { failureOf } from '../../../skills/define/failure.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { type Refusal, tooOften } from './refusals.ts';
import { type BodyBudget, createBodyBudget, MAX_BODY_PIECES } from './request-body.ts';

const MEGABYTE = 1_048_576;

export const LARGE_BODY_BYTES = 24 * MEGABYTE;
/** As many pieces for each megabyte as others may have. */
export const LARGE_BODY_PIECES = 24 * MAX_BODY_PIECES;

/** Held by all callers together: four at once. */
const HELD_BYTES = 4 * LARGE_BODY_BYTES;

/** How long a second one of the same caller waits for the first, and how many may wait. */
const WAIT_MS = 10_000;
const MOST_WAITING = 16;
const RETRY_SECONDS = 5;

export const takesLargeBody = (method: string | undefined, path: string): boolean =>
  method === 'PUT' && /^\/api\/library\/[^/]+$/.test(path);

export interface LargeBodies {
  readonly budget: BodyBudget;
  /** Answers when it is this request's turn; the turn ends with the answer. */
  admit(caller: Caller, response: ServerResponse): Promise<Result<undefined, Refusal>>;
}

export function createLargeBodies(waitMs = WAIT_MS): LargeBodies {
  const budget = createBodyBudget({ inAll: HELD_BYTES, perCaller: LARGE_BODY_BYTES });
  const turns = new Map<string, Turn>();
  const leave = (key: string, turn: Turn) => {
    const next = turn.waiting.shift();
    if (next === undefined) turns.delete(key);
    else next();
  };
  const enter = (key: string): Promise<boolean> | boolean => {
    const turn = turns.get(key);
    if (turn !== undefined) return turn.waiting.length < MOST_WAITING && waitFor(turn, waitMs);
    turns.set(key, { waiting: [] });
    return true;
  };
  return {
    budget,
    async admit(caller, response) {
      const reason = findAccessFault(PROPOSERS, caller);
      if (reason !== undefined) return fail(denied(reason));
      const key = callerKey(caller);
      if (!(await enter(key))) return fail(tooOften(RETRY_SECONDS));
      const turn = turns.get(key);
      const end = () => turn && leave(key, turn);
      // Who waited may have gone away meanwhile.
      if (response.destroyed) end();
      else response.once('close', end);
      return ok(undefined);
    },
  };
}

interface Turn {
  /** Each lets one go on; the first came first. */
  readonly waiting: (() => void)[];
}

/** False: it took too long. */
const waitFor = ({ waiting }: Turn, waitMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const goOn = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(goOn), 1);
      resolve(false);
    }, waitMs);
    waiting.push(goOn);
  });

const denied = (reason: string): Refusal => ({
  code: 'UNAUTHORIZED',
  status: 403,
  message: failureOf('UNAUTHORIZED', { reason }).message,
});
