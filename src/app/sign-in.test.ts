// Signing in with email and password (N6, N7).
import { expect, test, vi } from 'vitest';
import type { CheckPassword } from '../builtin/users/password-check.ts';
import type { Authenticate } from '../identity/authentication.ts';
import { userCaller } from '../identity/caller.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { fail, ok } from '../values/result.ts';
import { createSignIn } from './sign-in.ts';

const NOW = new Date('2026-11-18T12:00:00Z');
const ADA = userCaller('u-1', ['Clerk'], ['log:read']);

const signInWith = (check: CheckPassword, authenticate: Authenticate = async () => ok(ADA)) => {
  const signIn = createSignIn({ check, authenticate, now: () => NOW });
  return (signal = new AbortController().signal) =>
    signIn({ email: 'ada@example.org', password: 'secret' }, { remote: true, signal });
};

test('who has the password is the person that every later request of the session looks up (N6)', async () => {
  const authenticate = vi.fn<Authenticate>(async () => ok(ADA));
  expect(await signInWith(async () => ({ userId: 'u-1' }), authenticate)()).toEqual(ok(ADA));
  const signedIn = { userId: 'u-1', at: NOW };
  expect(authenticate.mock.calls).toEqual([[{ token: undefined, signedIn, claimedAgent: undefined, remote: true }]]);
});

test('a wrong password, an unknown email and a user who was deleted meanwhile are answered alike (N6)', async () => {
  const wrong = fail('wrong');
  expect(await signInWith(async () => 'wrong')()).toEqual(wrong);
  expect(
    await signInWith(
      async () => ({ userId: 'u-1' }),
      async () => fail('bad'),
    )(),
  ).toEqual(wrong);
});

test('too many tries are told with the time to wait (N6)', async () => {
  expect(await signInWith(async () => ({ retryAfter: 7 }))()).toEqual(fail({ retryAfter: 7 }));
});

test('a store that is away is said to be away, a fault of ours is none of its (N7)', async () => {
  const away = async () => Promise.reject(new StoreUnavailable('Cannot reach it'));
  expect(await signInWith(away)()).toEqual(fail('unavailable'));
  expect(
    await signInWith(
      async () => ({ userId: 'u-1' }),
      async () => fail('unavailable'),
    )(),
  ).toEqual(fail('unavailable'));
  await expect(signInWith(async () => Promise.reject(new Error('fault')))()).rejects.toThrow('fault');
  const left = AbortSignal.abort();
  expect(await signInWith(async () => Promise.reject(new Error('left')))(left)).toEqual(fail('unavailable'));
});

test('more than 64 at once are sent away, and let in again afterwards (F10)', async () => {
  const waiting: ((answer: 'wrong') => void)[] = [];
  const signIn = signInWith(() => new Promise((resolve) => waiting.push(resolve)));
  const answers = Array.from({ length: 64 }, () => signIn());
  expect(await signIn()).toEqual(fail({ retryAfter: 1 }));
  for (const answer of waiting.splice(0)) answer('wrong');
  expect(await Promise.all(answers)).toEqual(Array(64).fill(fail('wrong')));
  const next = signIn();
  waiting[0]?.('wrong');
  expect(await next).toEqual(fail('wrong'));
});
