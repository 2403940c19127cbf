// Bytes of answers that clients have not taken: counted for each caller and for all, before an answer is made (F10).
import type { ServerResponse } from 'node:http';
import { createQuota } from '../../../async/quota.ts';
import { type Caller, callerKey } from '../../../identity/caller.ts';
import { SMALL_ANSWER_BYTES } from '../../streams/unread-answers.ts';
import type { AnswerRoom, AnswerSender } from '../message/admitted-request.ts';

const MEGABYTE = 1_048_576;

export interface AnswerLimits {
  readonly inAll: number;
  /** Of an agent or a user; for the operator there is only the limit of all. */
  readonly perCaller: number;
  /** How long a request waits for room. */
  readonly waitMs: number;
}

/** Two of the largest files for one caller, with something to spare; eight for all. */
export const ANSWER_LIMITS: AnswerLimits = { inAll: 136 * MEGABYTE, perCaller: 40 * MEGABYTE, waitMs: 10_000 };

export interface AnswerBudget extends AnswerRoom {
  /** They hold more than their share: nothing further is begun for them. */
  readonly isOver: (caller: Caller) => boolean;
}

export function createAnswerBudget({ inAll, perCaller, waitMs }: AnswerLimits): AnswerBudget {
  const quota = createQuota({ inAll });
  const mostOf = (caller: Caller) => (caller.kind === 'operator' ? inAll : perCaller);
  const waiting = new Set<() => void>();
  const holdUntilTaken = createHolder((key, bytes) => {
    quota.give(key, bytes);
    for (const tryAgain of [...waiting]) tryAgain();
  });
  const hold = ({ caller, response }: AnswerSender, bytes: number): boolean => {
    const key = callerKey(caller);
    if (response.destroyed || !quota.take({ key, most: mostOf(caller) }, bytes)) return false;
    holdUntilTaken(response, key, bytes);
    return true;
  };
  return {
    hold,
    reserve: async (sender, bytes) => {
      if (hold(sender, bytes)) return true;
      if (sender.response.destroyed || bytes > mostOf(sender.caller)) return false;
      return await waitForRoom({ response: sender.response, waiting, waitMs, take: () => hold(sender, bytes) });
    },
    count: ({ caller, response }, bytes) => {
      if (response.destroyed) return;
      quota.add(callerKey(caller), bytes);
      holdUntilTaken(response, callerKey(caller), bytes);
    },
    isOver: (caller) => {
      const held = quota.held(callerKey(caller));
      // Where all is taken, it is those who hold something that wait.
      return held > mostOf(caller) || (held > SMALL_ANSWER_BYTES && quota.all() > inAll);
    },
  };
}

/** Gives back what an answer holds when it closes: once, however often something was added to it. */
function createHolder(give: (key: string, bytes: number) => void) {
  const heldBy = new WeakMap<ServerResponse, number>();
  return (response: ServerResponse, key: string, bytes: number): void => {
    const held = heldBy.get(response);
    heldBy.set(response, (held ?? 0) + bytes);
    if (held === undefined) response.once('close', () => give(key, heldBy.get(response) ?? 0));
  };
}

interface Wait {
  readonly response: ServerResponse;
  readonly waiting: Set<() => void>;
  readonly waitMs: number;
  readonly take: () => boolean;
}

/** First come, first served, among those whose own share has room. */
function waitForRoom({ response, waiting, waitMs, take }: Wait): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isTaken: boolean) => {
      clearTimeout(timer);
      waiting.delete(tryAgain);
      response.off('close', leave);
      resolve(isTaken);
    };
    const leave = () => end(false);
    const tryAgain = () => {
      if (take()) end(true);
    };
    const timer = setTimeout(leave, waitMs).unref();
    response.once('close', leave);
    waiting.add(tryAgain);
  });
}
