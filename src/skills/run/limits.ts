// How often and how many at once: a token bucket per skill and caller, a count per skill. Nothing ever queues here.

import { createQuota } from '../../async/quota.ts';
import { createTokenBuckets, type Rate, retryAfterSeconds, type TokenBuckets } from '../../async/token-buckets.ts';
import { type Caller, callerKey } from '../../identity/caller.ts';
import { type Failure, failureOf } from '../define/failure.ts';
import type { RegisteredSkill } from '../define/registered-skill.ts';

export interface LimitOptions {
  /** Calls per minute of one agent or user over all skills; the operator has none (H5). */
  readonly callerPerMinute: number | undefined;
  readonly monotonicMs: () => number;
}

export interface Limits {
  /** Counts one more that runs, or says why it may not run. What was let in is counted off with `leave`. */
  readonly enter: (skill: RegisteredSkill, caller: Caller) => Failure | undefined;
  readonly leave: (skill: RegisteredSkill) => void;
}

export function createLimits({ callerPerMinute, monotonicMs }: LimitOptions): Limits {
  const buckets = createTokenBuckets(monotonicMs);
  const running = createQuota();
  return {
    enter: (skill, caller) => {
      const { name, atOnce } = skill;
      const fits = atOnce === undefined || running.take({ key: name, most: atOnce });
      if (!fits) return failureOf('RATE_EXCEEDED', { retry_after: 1 });
      const refusal = takeFrom(buckets, ratesOf(skill, caller, callerPerMinute));
      if (refusal !== undefined && atOnce !== undefined) running.give(name);
      return refusal;
    },
    leave: ({ name, atOnce }) => {
      if (atOnce !== undefined) running.give(name);
    },
  };
}

const NO_RATES: readonly Rate[] = [];

function ratesOf(skill: RegisteredSkill, caller: Caller, callerPerMinute: number | undefined): readonly Rate[] {
  const limitsCaller = callerPerMinute !== undefined && caller.kind !== 'operator';
  if (skill.perMinute === undefined && !limitsCaller) return NO_RATES;
  const who = callerKey(caller);
  const rates: Rate[] = [];
  if (skill.perMinute !== undefined) rates.push({ key: `${skill.name} ${who}`, perMinute: skill.perMinute });
  if (limitsCaller) rates.push({ key: who, perMinute: callerPerMinute });
  return rates;
}

/** From all or from none: a call refused by one limit does not use up another. */
function takeFrom(buckets: TokenBuckets, rates: readonly Rate[]): Failure | undefined {
  if (rates === NO_RATES) return undefined;
  const waits = rates.map((rate) => buckets.waitMs(rate));
  const longest = Math.max(0, ...waits);
  if (longest > 0) return failureOf('RATE_EXCEEDED', { retry_after: retryAfterSeconds(longest) });
  for (const rate of rates) buckets.take(rate);
  return undefined;
}
