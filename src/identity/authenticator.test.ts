// Whose credential it is (H5).
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryAgentStore } from '../store/fixtures/memory-identities.ts';
import { StoreUnavailable } from '../values/store-unavailable.ts';
import type { AgentStore } from './agents.ts';
import { type AuthenticatorParts, createAuthenticator } from './authenticator.ts';
import { agentCaller, type Caller, LOCAL_OPERATOR, userCaller } from './caller.ts';
import { testPerson } from './fixtures/test-person.ts';
import type { PeopleStore } from './people.ts';
import { createAgentToken, createOperatorToken, digestOf } from './token.ts';
import { createUserTokens, type UserTokens } from './user-tokens.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const USER = '550e8400-e29b-41d4-a716-446655440000';
const OPERATOR = { ok: true, value: LOCAL_OPERATOR };
const MISSING = { ok: false, failure: 'missing' };
const BAD = { ok: false, failure: 'bad' };
const UNAVAILABLE = { ok: false, failure: 'unavailable' };

const operatorToken = createOperatorToken();
const agentToken = createAgentToken();
let agents: AgentStore;
let users: UserTokens;
beforeEach(async () => {
  agents = createMemoryAgentStore();
  const agent = { name: 'billing', roles: ['TaskAgent'], scopes: [], createdAt: NOW, expiresAt: undefined };
  await agents.add({ ...agent, tokenDigest: digestOf(agentToken) }, 'local');
  const created = createUserTokens({ signingSecret: 's'.repeat(32), secrets: undefined, now: () => NOW });
  if (created.ok) users = created.value;
});

const authenticatorOf = (parts: Partial<AuthenticatorParts> = {}) =>
  createAuthenticator({
    operatorToken,
    agents,
    verifyUser: (token) => users.verify(token),
    people: { find: async (id) => testPerson({ id }) },
    noAuth: false,
    now: () => NOW,
    monotonicMs: () => 0,
    ...parts,
  }).authenticate;
const ask = async (token: string | undefined, parts: Partial<AuthenticatorParts> = {}, claimedAgent?: string) =>
  authenticatorOf(parts)({ token, claimedAgent, remote: false });

describe('without a credential', () => {
  test('nobody is let in, whatever they say they are (H5)', async () => {
    expect(await ask(undefined)).toEqual(MISSING);
    expect(await ask(undefined, {}, 'TaskAgent')).toEqual(MISSING);
  });

  test.each([
    [undefined, OPERATOR],
    ['', OPERATOR],
    ['  ', OPERATOR],
    [' TaskAgent ', { ok: true, value: { kind: 'agent', name: 'TaskAgent', roles: ['TaskAgent'], scopes: [] } }],
    ['x'.repeat(70), { ok: true, value: expect.objectContaining({ name: 'x'.repeat(64) }) }],
  ])('with --no-auth, X-Invoking-Agent %j is believed (H5)', async (claimed, answer) => {
    expect(await ask(undefined, { noAuth: true }, claimed)).toEqual(answer);
  });

  test.each([undefined, 'TaskAgent'])(
    'with --no-auth, a caller from beyond this machine is nobody: %j (H5)',
    (claimed) => {
      const authenticate = authenticatorOf({ noAuth: true });
      expect(authenticate({ token: undefined, claimedAgent: claimed, remote: true })).toEqual(MISSING);
    },
  );
});

describe('the operator', () => {
  test('is known by the token, at once, with --no-auth too (H5)', () => {
    for (const noAuth of [false, true]) {
      expect(authenticatorOf({ noAuth })({ token: operatorToken, claimedAgent: 'TaskAgent', remote: true })).toEqual(
        OPERATOR,
      );
    }
  });

  test('may have a token of another shape, from the environment (H5)', async () => {
    const own = 'my.own.token.'.repeat(4);
    expect(await ask(own, { operatorToken: own })).toEqual(OPERATOR);
    expect(await ask(`${own}x`, { operatorToken: own })).toEqual(BAD);
  });

  test('is compared in constant time, over digests of equal length (H5)', async () => {
    const compare = spyOnTimingSafeEqual();
    expect(await ask(`${operatorToken}x`)).toEqual(BAD);
    expect(compare.mock.calls.map((pair) => pair.map(({ byteLength }) => byteLength))).toEqual([[64, 64]]);
  });

  test('is not looked for in what is too short or too long for a token (A3)', async () => {
    const compare = spyOnTimingSafeEqual();
    for (const token of ['', 'rpo_short', 'x'.repeat(31), 'x'.repeat(4_097)]) expect(await ask(token)).toEqual(BAD);
    expect(compare).not.toHaveBeenCalled();
    for (const own of ['x'.repeat(32), 'x'.repeat(4_096)]) {
      expect(await ask(own, { operatorToken: own })).toEqual(OPERATOR);
    }
  });

  /** In the one module that all files share, until the test is over: replacing the module works in one of them only. */
  function spyOnTimingSafeEqual() {
    const spy = vi.spyOn(crypto, 'timingSafeEqual');
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    return spy;
  }

  test('nobody is the operator where there is no such token (H5)', async () => {
    expect(await ask(operatorToken, { operatorToken: undefined })).toEqual(BAD);
    expect(await ask('undefined', { operatorToken: undefined })).toEqual(BAD);
  });
});

describe('an agent', () => {
  test('is known by its token, at once the second time (H5)', async () => {
    const authenticate = authenticatorOf();
    const known = { ok: true, value: { kind: 'agent', name: 'billing', roles: ['TaskAgent'], scopes: [] } };
    expect(await authenticate({ token: agentToken, claimedAgent: 'AIAgent', remote: true })).toEqual(known);
    expect(authenticate({ token: agentToken, claimedAgent: undefined, remote: false })).toEqual(known);
  });

  test('that is not there is bad, with --no-auth too, and without a store (H5)', async () => {
    expect(await ask(createAgentToken(), { noAuth: true })).toEqual(BAD);
    expect(await ask(agentToken, { agents: undefined })).toEqual(BAD);
  });

  test('is not asked for where the token cannot be one of ours (H5)', async () => {
    const findByDigest = vi.fn(agents.findByDigest);
    for (const token of ['rpa_', `${agentToken}x`, agentToken.replace('rpa_', 'rpo_')]) {
      expect(await ask(token, { agents: { ...agents, findByDigest } })).toEqual(BAD);
    }
    expect(findByDigest).not.toHaveBeenCalled();
  });

  test('cannot be told while the store is away (F1)', async () => {
    const away = { ...agents, findByDigest: () => Promise.reject(new StoreUnavailable('away')) };
    expect(await ask(agentToken, { agents: away })).toEqual(UNAVAILABLE);
  });
});

describe('a user', () => {
  const issued = async (scopes: readonly string[] = [], issuer?: Caller) =>
    (await users.issue({ userId: USER, email: 'ada@example.org', scopes, issuer }, 300)).token;
  const person = { email: 'ada@example.org', displayName: null };
  const manyRoles = Array.from({ length: 60 }, (_, index) => `a-role-with-a-long-name-${index}`);
  const CLIENT = { client: 'Desk', clientId: 'desk', person: 'operator:local', scopes: ['skills:invoke'] };
  const granted = testPerson({ roles: ['Clerk', 'Planner'], scopes: ['log:read', 'runs:approve'] });

  test('is known by a token of token_generation, whose scopes grant nothing here (H5, N6)', async () => {
    const caller = { kind: 'user', name: USER, roles: [], scopes: [], person };
    expect(await ask(await issued(['log:read', 'skills:approve'], LOCAL_OPERATOR))).toEqual({
      ok: true,
      value: caller,
    });
  });

  test('has what the store says, by a token and by signing in (N6)', async () => {
    const people = { find: async () => granted };
    const { roles, scopes } = granted;
    const known = { ok: true, value: { kind: 'user', name: USER, roles, scopes, person } };
    expect(await ask(await issued([], LOCAL_OPERATOR), { people })).toEqual(known);
    const signedIn = { userId: USER, at: NOW };
    const authenticate = authenticatorOf({ people });
    const credentials = { token: undefined, signedIn, claimedAgent: 'TaskAgent', remote: true };
    expect(await authenticate(credentials)).toEqual(known);
    // At once the second time.
    expect(authenticate(credentials)).toEqual(known);
  });

  test.each<[string, Caller | undefined, readonly string[], readonly string[]]>([
    ['the operator', LOCAL_OPERATOR, ['Clerk', 'Planner'], ['log:read', 'runs:approve']],
    ['one with a role of theirs', agentCaller('a', ['Planner', 'AuthAgent']), ['Planner'], []],
    ['one with every role', agentCaller('a', ['*'], ['log:read']), ['Clerk', 'Planner'], ['log:read']],
    [
      'one who decides, and could so on what is their own',
      agentCaller('a', [], ['log:read', 'runs:approve']),
      [],
      ['log:read'],
    ],
    ['a client', { ...agentCaller('a', ['Clerk'], ['log:read']), via: CLIENT }, [], []],
    ['one who has more', userCaller('u-9', [], ['log:read', 'skills:approve']), [], ['log:read']],
    ['one who may only issue tokens', agentCaller('a', ['AuthAgent']), [], []],
    ['one with too many roles for a header', agentCaller('a', ['Clerk', ...manyRoles]), [], []],
    ['an earlier version', undefined, [], []],
  ])(
    'has by a token of %s no more than its issuer: nobody grants more than they have (N6)',
    async (_who, issuer, roles, scopes) => {
      const token = await issued(['log:read'], issuer);
      expect(await ask(token, { people: { find: async () => granted } })).toMatchObject({
        ok: true,
        value: { roles, scopes },
      });
    },
  );

  test('by a token of one with every role sees no document that its issuer does not see (N4, N6)', async () => {
    const seenBy = async (...roles: string[]) => {
      const token = await issued([], agentCaller('a', roles));
      const known = await ask(token, { people: { find: async () => granted } });
      return known.ok && known.value.seesAs;
    };
    expect(await seenBy('*')).toEqual([]);
    expect(await seenBy('*', 'Clerk')).toEqual(['Clerk']);
  });

  test('by a token that was issued with such a token sees no more than with that one (N4, N6)', async () => {
    const everyRole = { find: async () => testPerson({ roles: ['*', 'Clerk'] }) };
    const first = await ask(await issued([], agentCaller('a', ['*'])), { people: everyRole });
    if (!first.ok) throw new Error('the first token is not good');
    expect(first.value.seesAs).toEqual(['*']);
    const second = await ask(await issued([], first.value), { people: everyRole });
    expect(second.ok && second.value.seesAs).toEqual(['*']);
  });

  test('who signed in and was deleted is refused; while the store is away it cannot be told of one not seen before (N6)', async () => {
    const credentials = {
      token: undefined,
      signedIn: { userId: USER, at: NOW },
      claimedAgent: undefined,
      remote: false,
    };
    expect(await authenticatorOf({ people: { find: async () => undefined } })(credentials)).toEqual(BAD);
    const away = { find: () => Promise.reject(new StoreUnavailable('away')) };
    expect(await authenticatorOf({ people: away })(credentials)).toEqual(UNAVAILABLE);
  });

  test('who was deleted is refused, after ten seconds at the latest (H5)', async () => {
    let ms = 0;
    const find = vi.fn<PeopleStore['find']>(async (id) => testPerson({ id }));
    const authenticate = authenticatorOf({ people: { find }, monotonicMs: () => ms });
    const credentials = { token: await issued(), claimedAgent: undefined, remote: false };
    expect(await authenticate(credentials)).toMatchObject({ ok: true });
    find.mockResolvedValue(undefined);
    ms = 4_999;
    expect(await authenticate(credentials)).toMatchObject({ ok: true });
    expect(find.mock.calls).toEqual([[USER]]);
    ms = 10_000;
    expect(await authenticate(credentials)).toEqual(BAD);
  });

  test('who was known stays so while the store is away; of another it cannot be told (F1)', async () => {
    let ms = 0;
    const find = vi.fn<PeopleStore['find']>(async (id) => testPerson({ id }));
    const authenticate = authenticatorOf({ people: { find }, monotonicMs: () => ms });
    const credentials = { token: await issued(), claimedAgent: undefined, remote: false };
    await authenticate(credentials);
    find.mockRejectedValue(new StoreUnavailable('away'));
    ms = 3_600_000;
    expect(await authenticate(credentials)).toMatchObject({ ok: true });
    expect(await authenticatorOf({ people: { find } })(credentials)).toEqual(UNAVAILABLE);
  });

  test('with a bad token is bad; with a key that cannot be had it cannot be told (F1)', async () => {
    expect(await ask(`${await issued()}x`)).toEqual(BAD);
    expect(await ask(await issued(), { verifyUser: async () => ({ ok: false, failure: 'unavailable' }) })).toEqual(
      UNAVAILABLE,
    );
  });

  test('a fault of ours is none of the store: it is not hidden as one', async () => {
    const fault = new Error('fault');
    await expect(ask(await issued(), { verifyUser: () => Promise.reject(fault) })).rejects.toBe(fault);
    await expect(ask(await issued(), { people: { find: () => Promise.reject(fault) } })).rejects.toBe(fault);
  });
});

const BROKEN = [
  '',
  ' ',
  'rpo_',
  `${operatorToken} `,
  ` ${operatorToken}`,
  operatorToken.slice(0, -1),
  `${operatorToken}x`,
  operatorToken.toUpperCase(),
  operatorToken.replace('rpo_', 'rpa_'),
  operatorToken.replace('rpo_', ''),
  digestOf(operatorToken),
  'rpa_',
  agentToken.slice(0, -1),
  `${agentToken}=`,
  agentToken.replace('rpa_', 'RPA_'),
  agentToken.replace('rpa_', 'rpo_'),
  digestOf(agentToken),
  `rpa_${"' OR 1=1 --".padEnd(43, 'x')}`,
  'null',
  '__proto__',
  `Bearer ${agentToken}`,
  `${operatorToken}, ${operatorToken}`,
  '\0',
  'é'.repeat(43),
  '\ud800',
  '..',
  'a.b.c',
  'x'.repeat(1_000_000),
  `${'x'.repeat(5_000)}.y.z`,
];

test.each(BROKEN.map((token) => [token.slice(0, 60), token]))(
  '%j is bad, and nothing else (H5)',
  async (_shown, token) => {
    expect(await ask(token)).toEqual(BAD);
    expect(await ask(token, { noAuth: true })).toEqual(BAD);
  },
);
