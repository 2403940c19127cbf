// Whether a credential is still good is looked at again and again; that is no use of it (H5).
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLocalBus } from '../../../async/bus.ts';
import { createAuthenticator } from '../../../identity/authenticator.ts';
import { agentCaller } from '../../../identity/caller.ts';
import { createIdentityNews } from '../../../identity/identity-news.ts';
import { createRevocableAgents } from '../../../identity/revocable-agents.ts';
import { createAgentToken, digestOf } from '../../../identity/token.ts';
import { createMemoryAgentStore } from '../../../store/fixtures/memory-identities.ts';
import { fail } from '../../../values/result.ts';
import { createCredentialWatch } from './credential-watch.ts';

type Read = Parameters<typeof createCredentialWatch>[0];

const failOnFault = (error: unknown) => {
  throw error;
};

const NOW = new Date('2026-11-15T12:00:00Z');

test('a stream that stays open does not make its agent look busy, and ends with its token (H5)', async () => {
  const token = createAgentToken();
  const agents = createMemoryAgentStore();
  const agent = { name: 'a', roles: ['a'], scopes: [], createdAt: NOW, expiresAt: undefined };
  await agents.add({ ...agent, tokenDigest: digestOf(token) }, 'local');
  const noteUse = vi.spyOn(agents, 'noteUse');
  let minutes = 0;
  const { authenticate } = createAuthenticator({
    operatorToken: undefined,
    agents,
    verifyUser: async () => fail('bad'),
    people: { find: async () => undefined },
    noAuth: false,
    now: () => NOW,
    monotonicMs: () => {
      minutes += 1;
      return minutes * 60_000;
    },
  });
  const credentials = { token, claimedAgent: undefined, remote: false };
  const watch = createCredentialWatch(() => credentials, vi.fn(authenticate), 1);
  await authenticate(credentials);
  expect(noteUse).toHaveBeenCalledTimes(1);
  const end = vi.fn();
  watch({ request: { headers: {} } as never, caller: agentCaller('a'), remote: false }, end);
  const checked = minutes + 10;
  await expect.poll(() => minutes).toBeGreaterThan(checked);
  expect(noteUse).toHaveBeenCalledTimes(1);
  expect(end).not.toHaveBeenCalled();
  await authenticate(credentials);
  expect(noteUse).toHaveBeenCalledTimes(2);
  await agents.revoke('a', NOW, 'local');
  await expect.poll(() => end.mock.calls.length).toBe(1);
});

test('an agent that is revoked through this process is refused at once, and so are its streams (H5)', async () => {
  const token = createAgentToken();
  const news = createIdentityNews(createLocalBus(failOnFault));
  const agents = createRevocableAgents(createMemoryAgentStore(), news);
  const agent = { name: 'a', roles: ['a'], scopes: [], createdAt: NOW, expiresAt: undefined };
  await agents.add({ ...agent, tokenDigest: digestOf(token) }, 'local');
  // A clock that stands still: what is remembered would hold for ever.
  const { authenticate } = createAuthenticator({
    operatorToken: undefined,
    agents,
    news,
    verifyUser: async () => fail('bad'),
    people: { find: async () => undefined },
    noAuth: false,
    now: () => NOW,
    monotonicMs: () => 1_000,
  });
  const credentials = { token, claimedAgent: undefined, remote: false };
  const watch = createCredentialWatch(() => credentials, authenticate, 3_600_000, news.onAny);
  expect(await authenticate(credentials)).toMatchObject({ ok: true });
  const end = vi.fn();
  onTestFinished(watch({ request: { headers: {} } as never, caller: agentCaller('a'), remote: false }, end));
  await agents.revoke('a', NOW, 'local');
  expect(await authenticate(credentials)).toEqual({ ok: false, failure: 'bad' });
  await expect.poll(() => end.mock.calls.length).toBe(1);
  // Another agent of that name is not the one that was revoked.
  const other = createAgentToken();
  await agents.add({ ...agent, tokenDigest: digestOf(other) }, 'local');
  expect(await authenticate({ ...credentials, token: other })).toMatchObject({ ok: true });
});

test('what the store said before an agent was revoked here is not believed afterwards (H5)', async () => {
  const token = createAgentToken();
  const store = createMemoryAgentStore();
  const news = createIdentityNews(createLocalBus(failOnFault));
  const agents = createRevocableAgents(store, news);
  await agents.add(
    {
      name: 'a',
      roles: ['a'],
      scopes: [],
      createdAt: NOW,
      expiresAt: undefined,
      tokenDigest: digestOf(token),
    },
    'local',
  );
  const { findByDigest } = store;
  let answer = () => {};
  const slow = new Promise<void>((resolve) => {
    answer = resolve;
  });
  vi.spyOn(store, 'findByDigest').mockImplementation(async (digest) => {
    const found = await findByDigest.call(store, digest);
    await slow;
    return found;
  });
  const { authenticate } = createAuthenticator({
    operatorToken: undefined,
    agents,
    news,
    verifyUser: async () => fail('bad'),
    people: { find: async () => undefined },
    noAuth: false,
    now: () => NOW,
    monotonicMs: () => 1_000,
  });
  const asked = authenticate({ token, claimedAgent: undefined, remote: false });
  await new Promise((resolve) => setImmediate(resolve));
  await agents.revoke('a', NOW, 'local');
  answer();
  expect(await asked).toEqual({ ok: false, failure: 'bad' });
});

test('a stream stays while its credential cannot be read or looked up, and ends once it is bad (F1)', async () => {
  const token = createAgentToken();
  const credentials = { token, claimedAgent: undefined, remote: false };
  const read = vi.fn<Read>(async () => Promise.reject(new Error('the key cannot be made')));
  const authenticate = vi.fn(async () => Promise.reject(new Error('the database is away')));
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const end = vi.fn();
  createCredentialWatch(
    read,
    authenticate,
    1,
  )({ request: { headers: {} } as never, caller: agentCaller('a'), remote: false }, end);
  await expect.poll(() => read.mock.calls.length).toBeGreaterThan(3);
  expect(authenticate).not.toHaveBeenCalled();
  read.mockResolvedValue(credentials);
  await expect.poll(() => authenticate.mock.calls.length).toBeGreaterThan(3);
  expect(end).not.toHaveBeenCalled();
  read.mockResolvedValue('malformed');
  await expect.poll(() => end.mock.calls.length).toBe(1);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('a stream ends within ten seconds of its revocation, right after its token was looked up, too (H5) (A13)', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const token = createAgentToken();
  const agents = createMemoryAgentStore();
  const agent = { name: 'a', roles: ['a'], scopes: [], createdAt: NOW, expiresAt: undefined };
  await agents.add({ ...agent, tokenDigest: digestOf(token) }, 'local');
  const startedAt = Date.now();
  const { authenticate } = createAuthenticator({
    operatorToken: undefined,
    agents,
    verifyUser: async () => fail('bad'),
    people: { find: async () => undefined },
    noAuth: false,
    now: () => NOW,
    monotonicMs: () => Date.now() - startedAt,
  });
  const credentials = { token, claimedAgent: undefined, remote: false };
  const watch = createCredentialWatch(() => credentials, authenticate, 5_000);
  const sender = { request: { headers: {} } as never, caller: agentCaller('a'), remote: false };
  const [first, second] = [vi.fn(), vi.fn()];
  watch(sender, first);
  // A request just before the first check: what it learns of the token is five seconds old at the second.
  await vi.advanceTimersByTimeAsync(1);
  await authenticate(credentials);
  watch(sender, second);
  await agents.revoke('a', NOW, 'local');
  await vi.advanceTimersByTimeAsync(9_999);
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
});
