// How often and how many at once, by a clock that never goes back (X4, F12).
import { describe, expect, test } from 'vitest';
import { agentCaller, LOCAL_OPERATOR, userCaller } from '../../identity/caller.ts';
import { createLocalPlaces } from '../../limits/places.ts';
import { createLocalWindow } from '../../limits/rate-window.ts';
import { createRegistry } from '../define/registry.ts';
import { testSkill } from '../fixtures/test-skill.ts';
import { createLimits } from './limits.ts';

function open(limits: object | undefined, callerPerMinute?: number, name = 'echo') {
  let now = 0;
  const [skill] = createRegistry([testSkill({ limits, name })]).skills;
  if (skill === undefined) throw new Error('not registered');
  const all = createLimits({
    callerPerMinute,
    window: createLocalWindow(() => now),
    places: createLocalPlaces(),
  });
  const enter = (caller = LOCAL_OPERATOR) => {
    const refusal = all.enter(skill, caller);
    if (refusal instanceof Promise) throw new Error('There is nobody to ask');
    return refusal?.message ?? 'in';
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { enter, leave: () => all.leave(skill), pass };
}

describe('createLimits', () => {
  test('refuses more than perMinute, says when to come back, and lets in again then', () => {
    const { enter, pass } = open({ perMinute: 2 });
    expect(enter()).toBe('in');
    pass(40_000);
    expect([enter(), enter()]).toEqual(['in', 'Rate limit exceeded. Retry after 20s']);
    pass(19_500);
    expect(enter()).toBe('Rate limit exceeded. Retry after 1s');
    pass(500);
    expect([enter(), enter()]).toEqual(['in', 'Rate limit exceeded. Retry after 40s']);
  });

  test('counts each agent for itself', () => {
    const { enter } = open({ perMinute: 1 });
    expect(
      [enter(agentCaller('a')), enter(agentCaller('b')), enter(agentCaller('a'))].map((each) => each === 'in'),
    ).toEqual([true, true, false]);
  });

  test('refuses more than atOnce until somebody leaves; a refusal takes no place and does not count', () => {
    const { enter, leave } = open({ atOnce: 1, perMinute: 2 });
    expect([enter(), enter(), enter()]).toEqual([
      'in',
      'Rate limit exceeded. Retry after 1s',
      'Rate limit exceeded. Retry after 1s',
    ]);
    leave();
    expect(enter()).toBe('in');
  });

  test('limits an agent over all skills, the operator not (H5)', () => {
    const { enter } = open(undefined, 1);
    expect([enter(agentCaller('a')), enter(agentCaller('a'))]).toEqual(['in', 'Rate limit exceeded. Retry after 60s']);
    expect([enter(), enter(), enter()]).toEqual(['in', 'in', 'in']);
  });

  test('takes nobody for somebody else, whatever callers and skills are called (H5)', () => {
    const { enter } = open({ perMinute: 1 }, 1, 'agent');
    expect([enter(userCaller('u')), enter(agentCaller('user u'))]).toEqual(['in', 'in']);
  });

  test('holds a bounded number of callers: the one that was quiet longest starts afresh (F4)', () => {
    const { enter } = open({ perMinute: 1 });
    enter(agentCaller('first'));
    for (let index = 0; index < 10_000; index++) enter(agentCaller(`agent-${index}`));
    expect(enter(agentCaller('agent-9999'))).not.toBe('in');
    expect(enter(agentCaller('first'))).toBe('in');
  });
});
