// Bytes of answers that clients have not taken: counted for each caller and for all, before an answer is made (F10).
// Those who hold nothing get room in any case: the slowest answers of those who hold most are dropped for it.
import type { ServerResponse } from 'node:http';
import { nextTurn } from '../../../async/next-turn.ts';
import { createQuota, type Quota } from '../../../async/quota.ts';
import { createTurns } from '../../../async/turns.ts';
import { type Caller, callerKey } from '../../../identity/caller.ts';
import type { AnswerRoom, AnswerSender } from '../message/admitted-request.ts';
import { createHeldAnswers, type HeldAnswer } from './held-answers.ts';

const MEGABYTE = 1_048_576;

export interface AnswerLimits {
  readonly inAll: number;
  /** Of an agent or a user; for the operator there is only the limit of all. */
  readonly perCaller: number;
  /** How long a request waits for room. */
  readonly waitMs: number;
  /** How long an answer is safe from being dropped for others, and how long others wait before they ask for that. */
  readonly safeMs: number;
}

/** Two of the largest files for one caller, with something to spare; eight for all. Who reads is done with one in two seconds. */
export const ANSWER_LIMITS: AnswerLimits = {
  inAll: 136 * MEGABYTE,
  perCaller: 40 * MEGABYTE,
  waitMs: 10_000,
  safeMs: 2_000,
};

export interface AnswerBudget extends AnswerRoom {
  /** They hold more than their share: nothing further is begun for them. */
  readonly isOver: (caller: Caller) => boolean;
}

export interface AnswerBudgetParts extends AnswerLimits {
  readonly monotonicMs: () => number;
  /** The connection of an unread answer was closed, because others needed its room. */
  readonly onDropped: () => void;
}

export function createAnswerBudget(parts: AnswerBudgetParts): AnswerBudget {
  const { inAll, perCaller, waitMs, safeMs, monotonicMs, onDropped } = parts;
  const quota = createQuota({ inAll });
  const mostOf = (caller: Caller) => (caller.kind === 'operator' ? inAll : perCaller);
  const waiting = new Set<() => void>();
  // A large file is read and hashed in one go: of many that were asked for together, others are answered between two.
  const inTurn = createTurns();
  const answers = createHeldAnswers(monotonicMs, quota.give);
  const wakeWaiting = () => {
    for (const tryAgain of [...waiting]) tryAgain();
  };
  const take = ({ caller, response }: AnswerSender, bytes: number): boolean => {
    const key = callerKey(caller);
    if (response.destroyed || !quota.take({ key, most: mostOf(caller) }, bytes)) return false;
    answers.add(response, key, bytes, wakeWaiting);
    return true;
  };
  const takeFromOthers = (sender: AnswerSender, bytes: number): boolean => {
    const key = callerKey(sender.caller);
    if (sender.response.destroyed || quota.held(key) + bytes > mostOf(sender.caller)) return false;
    const chosen = chooseDropped({ key, bytes, inAll, quota, answers: answers.olderThan(safeMs) });
    for (const answer of chosen) {
      answers.drop(answer);
      onDropped();
    }
    if (chosen.length === 0) return false;
    // Those who wait come after this one, for whom the room was made: there may be more of it than was wanted.
    void nextTurn().then(wakeWaiting);
    return take(sender, bytes);
  };
  const hold = (sender: AnswerSender, bytes: number) => take(sender, bytes) || takeFromOthers(sender, bytes);
  return {
    hold,
    reserve: async (sender, bytes) => {
      if (take(sender, bytes)) {
        await inTurn(nextTurn);
        return true;
      }
      if (sender.response.destroyed || bytes > mostOf(sender.caller)) return false;
      const { response } = sender;
      const tries = { take: () => take(sender, bytes), insist: () => hold(sender, bytes) };
      if (!(await waitForRoom({ response, waiting, waitMs, safeMs, ...tries }))) return false;
      // Room for several may come at once.
      await inTurn(nextTurn);
      return true;
    },
    count: ({ caller, response }, bytes) => {
      if (response.destroyed) return;
      quota.add(callerKey(caller), bytes);
      answers.add(response, callerKey(caller), bytes, wakeWaiting);
    },
    isOver: (caller) => {
      const held = quota.held(callerKey(caller));
      // Where more than all is taken, it is those who hold more than an equal share that wait.
      return held > mostOf(caller) || (quota.all() > inAll && held > inAll / quota.holders());
    },
  };
}

interface Need {
  readonly key: string;
  readonly bytes: number;
  readonly inAll: number;
  readonly quota: Pick<Quota, 'held' | 'all' | 'holders'>;
  /** Slowest first. */
  readonly answers: readonly HeldAnswer[];
}

/**
 * Which answers go, so that this caller gets room: none if that would not be enough, or if the caller has had a share
 * already. Shares are equal and shrink with every caller that holds something. Those who hold more than theirs give first;
 * for a caller who holds nothing, and wants more than a share, the others give as well.
 */
function chooseDropped({ key, bytes, inAll, quota, answers }: Need): readonly HeldAnswer[] {
  const own = quota.held(key);
  const share = inAll / (quota.holders() + (own === 0 ? 1 : 0));
  if (own > 0 && own + bytes > share) return [];
  const chosen = new Set<HeldAnswer>();
  const left = new Map<string, number>();
  let missing = quota.all() + bytes - inAll;
  const choose = (leastHeld: number) => {
    for (const answer of answers) {
      const held = left.get(answer.key) ?? quota.held(answer.key);
      if (missing <= 0 || answer.key === key || held <= leastHeld || chosen.has(answer)) continue;
      chosen.add(answer);
      left.set(answer.key, held - answer.bytes);
      missing -= answer.bytes;
    }
  };
  choose(share);
  if (own === 0) choose(0);
  return missing > 0 ? [] : [...chosen];
}

interface Wait {
  readonly response: ServerResponse;
  readonly waiting: Set<() => void>;
  readonly waitMs: number;
  readonly safeMs: number;
  readonly take: () => boolean;
  /** The same, at the cost of others. */
  readonly insist: () => boolean;
}

/** First come, first served, among those whose own share has room; then at the cost of others, if that is fair. */
function waitForRoom({ response, waiting, waitMs, safeMs, take, insist }: Wait): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isTaken: boolean) => {
      clearTimeout(timer);
      clearInterval(insisting);
      waiting.delete(tryAgain);
      response.off('close', leave);
      resolve(isTaken);
    };
    const leave = () => end(false);
    const tryAgain = () => {
      if (take()) end(true);
    };
    const timer = setTimeout(leave, waitMs).unref();
    const insisting = setInterval(() => insist() && end(true), safeMs).unref();
    response.once('close', leave);
    waiting.add(tryAgain);
  });
}
