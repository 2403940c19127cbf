// How often and how many at once: so many a minute of a caller, of one skill and of all, and so many runs of a skill. Nothing
// ever queues here.

import { andThen } from '../../async/and-then.ts';
import { type Caller, callerKey } from '../../identity/caller.ts';
import type { Places } from '../../limits/places.ts';
import type { Rate, RateWindow, Wait } from '../../limits/rate-window.ts';
import { type Failure, failureOf } from '../define/failure.ts';
import type { RegisteredSkill } from '../define/registered-skill.ts';

export interface LimitOptions {
  /** Calls per minute of one agent or user over all skills; the operator has none (H5). */
  readonly callerPerMinute: number | undefined;
  readonly window: RateWindow;
  readonly places: Places;
}

export interface Limits {
  /**
   * Counts one more that runs, or says why it may not run. What was let in is counted off with `leave`. A promise only where
   * other processes have to be asked.
   */
  readonly enter: (skill: RegisteredSkill, caller: Caller) => Failure | undefined | Promise<Failure | undefined>;
  readonly leave: (skill: RegisteredSkill) => void;
  /** For what is stored and runs later: how often alone. It waits for a place when it is taken up. */
  readonly countOnly: Limits['enter'];
  /** For what was stored: a place, counted off with `leave`. False: all are taken. */
  readonly enterPlace: (skill: RegisteredSkill) => boolean | Promise<boolean>;
}

export function createLimits({ callerPerMinute, window, places }: LimitOptions): Limits {
  const takeRates = (skill: RegisteredSkill, caller: Caller) => {
    const rates = ratesOf(skill, caller, callerPerMinute);
    if (rates === NO_RATES) return undefined;
    return andThen(window.take(rates), tooOften);
  };
  /** Where it may not run, its place is free again. */
  const takeInside = (skill: RegisteredSkill, caller: Caller) =>
    andThen(takeRates(skill, caller), (refusal) => {
      if (refusal !== undefined) places.leave(skill.name);
      return refusal;
    });
  return {
    enter: (skill, caller) => {
      const { name, atOnce } = skill;
      if (atOnce === undefined) return takeRates(skill, caller);
      return andThen(places.enter(name, atOnce), (isIn) => (isIn ? takeInside(skill, caller) : tooOften(1)));
    },
    leave: ({ name, atOnce }) => {
      if (atOnce !== undefined) places.leave(name);
    },
    countOnly: takeRates,
    enterPlace: ({ name, atOnce }) => atOnce === undefined || places.enter(name, atOnce),
  };
}

const tooOften = (wait: Wait): Failure | undefined =>
  wait === undefined ? undefined : failureOf('RATE_EXCEEDED', { retry_after: wait });

const NO_RATES: readonly Rate[] = [];

/** A call refused by one limit does not use up another: they are taken together. */
function ratesOf(skill: RegisteredSkill, caller: Caller, callerPerMinute: number | undefined): readonly Rate[] {
  const limitsCaller = callerPerMinute !== undefined && caller.kind !== 'operator';
  if (skill.perMinute === undefined && !limitsCaller) return NO_RATES;
  const who = callerKey(caller);
  const rates: Rate[] = [];
  if (skill.perMinute !== undefined) rates.push({ key: `skill ${skill.name} ${who}`, perMinute: skill.perMinute });
  if (limitsCaller) rates.push({ key: `calls ${who}`, perMinute: callerPerMinute });
  return rates;
}
