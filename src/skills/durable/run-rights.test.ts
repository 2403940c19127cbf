// What a caller may see of a run that they decided on (J2, J8).
import { expect, test } from 'vitest';
import { agentCaller, type Caller, userCaller } from '../../identity/caller.ts';
import { actorOf } from '../../identity/trail.ts';
import { isDecider } from './run-rights.ts';
import type { Approval } from './runs.ts';

const judge = agentCaller('billing', [], ['runs:approve']);
const person = userCaller('u-1', [], ['runs:approve'], { email: 'ann@example.org', displayName: null });
const through = (caller: Caller, of: string): Caller => ({
  ...caller,
  via: { client: 'Desk', clientId: 'desk', person: of, scopes: ['runs:approve'] },
});
/** At an issuer there may be a person who is called like an agent of ours. */
const stranger = through(judge, 'issuer:billing');

const decidedBy = (caller: Caller): { readonly approval: Approval } => ({
  approval: {
    state: 'approved',
    expiresAt: new Date(0),
    decidedBy: actorOf(caller),
    decidedAt: new Date(0),
    message: undefined,
  },
});

test.each([
  ['an agent is seen by it', judge, judge, true],
  ['a person is seen by them through a client', person, through(person, 'user:u-1'), true],
  ['a person through a client is seen by them alone', through(person, 'user:u-1'), person, true],
  ['a person of another issuer is seen by them', stranger, stranger, true],
  ['an agent is not seen by a person of another issuer who has its name', judge, stranger, false],
  ['a person of another issuer is not seen by the agent of that name', stranger, judge, false],
])('a decision of %s (J2)', (_who, decider, caller, isIt) => {
  expect(isDecider(decidedBy(decider), caller)).toBe(isIt);
});
