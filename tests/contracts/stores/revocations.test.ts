// Who is revoked by one process is refused by the others, with clocks that stand still: nothing of it waits for a timer (N3).
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAuthenticator } from '../../../src/identity/authenticator.ts';
import { agentCaller, type Caller, LOCAL_OPERATOR, userCaller } from '../../../src/identity/caller.ts';
import { createIdentityNews } from '../../../src/identity/identity-news.ts';
import { createAgent } from '../../../src/identity/new-agent.ts';
import { createUserTokens } from '../../../src/identity/user-tokens.ts';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { createCredentialWatch } from '../../../src/surfaces/http/server/credential-watch.ts';
import { userOf } from './accounts-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
const now = () => new Date();
const BAD = { ok: false, failure: 'bad' };
const HOUR_MS = 3_600_000;

const users = createUserTokens({ signingSecret: 's'.repeat(32), secrets: undefined, now });
if (!users.ok) throw new Error(users.failure);
const { issue, verify } = users.value;

describe.each([
  ['sqlite', {}],
  ['postgres', {}],
  ['postgres', { isNotified: false, deafMs: 100 }],
] as const)('on %s with %j', (kind, busRhythm) => {
  let place: StorePlace;
  beforeEach(async () => {
    place = await world.place(kind);
  });

  /** As `serve` has it, without its timers. */
  async function openReplica() {
    const store = world.open(place, { busRhythm });
    const news = createIdentityNews(store.bus);
    const changes: string[] = [];
    news.onAgent((_name, change) => changes.push(change));
    const listening = vi.fn();
    news.onGap(listening);
    const { authenticate } = createAuthenticator({
      operatorToken: undefined,
      agents: store.agents,
      verifyUser: verify,
      people: store.people,
      news,
      noAuth: false,
      now,
      monotonicMs: () => 1_000,
    });
    const ask = (token: string) => authenticate({ token, claimedAgent: undefined, remote: false });
    const follow = (token: string, caller: Caller, onRights?: (caller: Caller) => void) => {
      const watch = createCredentialWatch(
        () => ({ token, claimedAgent: undefined, remote: false }),
        authenticate,
        HOUR_MS,
        news.onAny,
      );
      const end = vi.fn();
      onTestFinished(watch({ request: { headers: {} } as never, caller, remote: false }, end, onRights));
      return end;
    };
    await expect.poll(() => listening.mock.calls.length).toBeGreaterThan(0);
    return { store, ask, follow, changes };
  }

  test('an agent that is revoked, or added anew, and its open streams (N3, H5)', async () => {
    const [one, other] = await Promise.all([openReplica(), openReplica()]);
    const letIn = () => createAgent({ name: 'billing', roles: [], scopes: [], expiresAt: undefined }, now());
    const first = letIn();
    await one.store.agents.add(first.agent, 'local');
    // What follows is not heard by this news, late.
    await expect.poll(() => other.changes).toEqual(['added']);
    expect(await other.ask(first.token)).toMatchObject({ ok: true });
    const end = other.follow(first.token, agentCaller('billing'));
    await one.store.agents.revoke('billing', now(), 'local');
    await expect.poll(() => end.mock.calls.length).toBe(1);
    expect(await other.ask(first.token)).toEqual(BAD);
    const second = letIn();
    await one.store.agents.add(second.agent, 'local');
    expect(await other.ask(second.token)).toMatchObject({ ok: true });
    expect(await other.ask(first.token)).toEqual(BAD);
  });

  test('a user whose account is deleted, and their open streams (N3)', async () => {
    const [one, other] = await Promise.all([openReplica(), openReplica()]);
    const user = userOf();
    await one.store.users.create(user);
    const { token } = await issue({ userId: user.id, email: user.email, scopes: [] }, 3_600);
    expect(await other.ask(token)).toMatchObject({ ok: true });
    const end = other.follow(token, userCaller(user.id));
    await one.store.users.delete(user.id);
    await expect.poll(() => end.mock.calls.length).toBe(1);
    expect(await other.ask(token)).toEqual(BAD);
  });

  test('what a person is granted and loses, also where they hold a stream open (N3, N6)', async () => {
    const [one, other] = await Promise.all([openReplica(), openReplica()]);
    const user = userOf();
    await one.store.users.create(user);
    const issuer = LOCAL_OPERATOR;
    const { token } = await issue({ userId: user.id, email: user.email, scopes: ['log:read'], issuer }, 3_600);
    const rights = async () => {
      const found = await other.ask(token);
      return found.ok ? [...found.value.roles, ...found.value.scopes] : found.failure;
    };
    expect(await rights()).toEqual([]);
    const change = { email: user.email, actor: 'local', at: now() };
    await one.store.people.grant({ ...change, grants: { roles: ['Clerk'], scopes: ['log:read'] } });
    await expect.poll(rights).toEqual(['Clerk', 'log:read']);
    const onRights = vi.fn();
    other.follow(token, userCaller(user.id, ['Clerk'], ['log:read']), onRights);
    await one.store.people.ungrant({ ...change, grants: { roles: [], scopes: ['log:read'] } });
    await expect.poll(() => onRights.mock.calls.length).toBe(1);
    expect(onRights.mock.calls[0]?.[0]).toMatchObject({ roles: ['Clerk'], scopes: [] });
    expect(await rights()).toEqual(['Clerk']);
  });
});
