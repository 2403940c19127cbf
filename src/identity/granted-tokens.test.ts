// A user's token is good while what it came of holds (O4).
import { expect, test } from 'vitest';
import { fail, ok } from '../values/result.ts';
import { agentCaller, type Caller } from './caller.ts';
import { whileGranted } from './granted-tokens.ts';
import { type Lent, lentBy } from './lent-grants.ts';

const client: Caller = {
  ...agentCaller('local'),
  via: { client: 'Host', clientId: 'c-1', grantId: 'g-1', person: 'operator:local', scopes: ['skills:invoke'] },
};
const tokenThat = (lends: Lent) => ({
  userId: 'u-1',
  email: 'a@example.com',
  scopes: [],
  lends,
  expiresAt: new Date(0),
});

test.each([
  ['holds', ok('who gave it'), undefined],
  ['does not', fail('bad' as const), 'bad'],
  ['cannot be known now', fail('unavailable' as const), 'unavailable'],
  ['cannot be known because of another issuer', fail('issuer-away' as const), 'bad'],
] as const)('one that a client issued: its consent %s (O4)', async (_how, found, failure) => {
  const asked: unknown[] = [];
  const token = tokenThat(lentBy(client));
  const verify = whileGranted(
    async () => ok(token),
    async (...consent) => {
      asked.push(consent);
      return found;
    },
  );
  expect(await verify('token', true)).toEqual(failure === undefined ? ok(token) : fail(failure));
  expect(asked).toEqual([['g-1', true]]);
});

test.each([
  ['the operator issued', ok(tokenThat('all'))],
  ['an agent issued', ok(tokenThat(lentBy(agentCaller('login'))))],
  ['is none', fail('bad' as const)],
] as const)('of one that %s no consent is asked for (O4)', async (_which, verified) => {
  const verify = whileGranted(
    async () => verified,
    () => {
      throw new Error('A consent was asked for');
    },
  );
  expect(await verify('token', false)).toEqual(verified);
});
