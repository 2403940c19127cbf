// Agents and shared secrets: one suite for every store (H5, B2).
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AgentStore, NewAgent } from '../../../src/identity/agents.ts';
import type { SecretStore } from '../../../src/identity/user-tokens.ts';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { createMemoryAgentStore, createMemorySecretStore } from '../../../src/store/fixtures/memory-identities.ts';
import { moment } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
let shared: StorePlace;
beforeAll(async () => {
  shared = await world.place('postgres');
});

type Stores = { readonly agents: AgentStore; readonly secrets: SecretStore };

async function storesOf(kind: 'memory' | 'sqlite' | 'postgres'): Promise<Stores> {
  if (kind === 'memory') return { agents: createMemoryAgentStore(), secrets: createMemorySecretStore() };
  if (kind === 'sqlite') return world.open(await world.place(kind));
  const store = world.open(shared);
  await store.migrate();
  await world.query(shared, 'TRUNCATE repertoire_agents, repertoire_secrets');
  return store;
}

const newAgent = (given: Partial<NewAgent> = {}): NewAgent => ({
  name: 'billing',
  tokenDigest: 'a'.repeat(64),
  roles: ['TaskAgent', 'UserAgent'],
  scopes: ['log:read'],
  createdAt: moment(),
  expiresAt: undefined,
  ...given,
});
const kept = ({ tokenDigest, ...agent }: NewAgent) => ({ ...agent, revokedAt: undefined, lastUsedAt: undefined });

describe.each(['memory', 'sqlite', 'postgres'] as const)('on %s', (kind) => {
  let agents: AgentStore;
  let secrets: SecretStore;
  beforeEach(async () => {
    ({ agents, secrets } = await storesOf(kind));
  });

  test('an agent is found by the digest of its token, as it was added (H5)', async () => {
    const expiring = newAgent({ name: 'b', tokenDigest: 'b'.repeat(64), expiresAt: moment(86_400_000), scopes: [] });
    expect(await agents.add(newAgent(), 'local')).toBe(true);
    expect(await agents.add(expiring, 'local')).toBe(true);
    expect(await agents.findByDigest('a'.repeat(64))).toEqual(kept(newAgent()));
    expect(await agents.findByDigest('b'.repeat(64))).toEqual(kept(expiring));
    for (const stranger of ['', 'c'.repeat(64), 'A'.repeat(64), '%', "' OR 1=1 --"]) {
      expect(await agents.findByDigest(stranger)).toBeUndefined();
    }
  });

  test('each is found among many that are looked for at once (H5, A3)', async () => {
    for (const name of ['a', 'b', 'c']) await agents.add(newAgent({ name, tokenDigest: name.repeat(64) }), 'local');
    const digests = Array.from({ length: 2_000 }, (_, index) => index.toString(16).padStart(64, '0'));
    const asked = [...digests.slice(0, 500), 'b'.repeat(64), ...digests.slice(500), 'a'.repeat(64), 'a'.repeat(64)];
    const found = await Promise.all(asked.map((digest) => agents.findByDigest(digest)));
    expect(found.map((agent) => agent?.name).filter((name) => name !== undefined)).toEqual(['b', 'a', 'a']);
    expect(found[500]?.name).toBe('b');
  });

  test('lists them by name, revoked ones too (H5)', async () => {
    for (const [index, name] of ['b', 'a', 'B', '_'].entries()) {
      await agents.add(newAgent({ name, tokenDigest: String(index) }), 'local');
    }
    await agents.revoke('a', moment(5), 'local');
    const listed = await agents.list();
    expect(listed.map(({ name, revokedAt }) => [name, revokedAt])).toEqual([
      ['B', undefined],
      ['_', undefined],
      ['a', moment(5)],
      ['b', undefined],
    ]);
  });

  test('a name is taken until its agent is revoked; then its old token belongs to no agent (H5)', async () => {
    await agents.add(newAgent(), 'local');
    const second = newAgent({ tokenDigest: 'b'.repeat(64), roles: ['AIAgent'], scopes: [], createdAt: moment(9) });
    expect(await agents.add(second, 'local')).toBe(false);
    expect(await agents.findByDigest('b'.repeat(64))).toBeUndefined();
    expect(await agents.revoke('billing', moment(7), 'local')).toBe(true);
    expect(await agents.findByDigest('a'.repeat(64))).toMatchObject({ revokedAt: moment(7) });
    expect(await agents.add(second, 'local')).toBe(true);
    expect(await agents.findByDigest('a'.repeat(64))).toBeUndefined();
    expect(await agents.list()).toEqual([kept(second)]);
  });

  test('of many who add one name at once, one succeeds (H5)', async () => {
    const tries = Array.from({ length: 8 }, (_, index) =>
      agents.add(newAgent({ tokenDigest: String(index) }), 'local'),
    );
    expect((await Promise.all(tries)).filter((added) => added)).toHaveLength(1);
    expect(await agents.list()).toHaveLength(1);
  });

  test('revoking what is not there, or not any more, changes nothing (H5)', async () => {
    await agents.add(newAgent(), 'local');
    expect(await agents.revoke('Billing', moment(1), 'local')).toBe(false);
    expect(await agents.revoke('billing', moment(2), 'local')).toBe(true);
    expect(await agents.revoke('billing', moment(3), 'local')).toBe(false);
    expect((await agents.list())[0]?.revokedAt).toEqual(moment(2));
  });

  test('when an agent was last seen is there soon afterwards, and never goes back (H5)', async () => {
    await agents.add(newAgent(), 'local');
    await agents.add(newAgent({ name: 'other', tokenDigest: 'b'.repeat(64) }), 'local');
    const lastUsed = async () => (await agents.list()).map(({ lastUsedAt }) => lastUsedAt);
    agents.noteUse('a'.repeat(64), moment(60_000));
    agents.noteUse('nobody', moment(60_000));
    await expect.poll(lastUsed).toEqual([moment(60_000), undefined]);
    agents.noteUse('a'.repeat(64), moment(50_000));
    // Written together: when the one is there, so is the other.
    agents.noteUse('b'.repeat(64), moment(50_000));
    await expect.poll(async () => (await lastUsed())[1]).toEqual(moment(50_000));
    expect(await lastUsed()).toEqual([moment(60_000), moment(50_000)]);
  });

  test('a secret is made once; of many who ask at once all get the same (B2)', async () => {
    const asked = Array.from({ length: 8 }, (_, index) => secrets.getOrAdd('key', () => `value ${index}`));
    const values = new Set(await Promise.all(asked));
    expect(values.size).toBe(1);
    expect(await secrets.getOrAdd('key', () => 'later')).toBe([...values][0]);
    expect(await secrets.getOrAdd('other', () => 'x')).toBe('x');
  });
});

describe.each(['sqlite', 'postgres'] as const)('between two processes on %s', (kind) => {
  test('agents, revocations and secrets are shared (H5, B2)', async () => {
    const place = await world.place(kind);
    const [one, other] = [world.open(place), world.open(place)];
    const secrets = await Promise.all(
      [one, other].map(({ secrets: each }, index) => each.getOrAdd('k', () => `${index}`)),
    );
    expect(new Set(secrets).size).toBe(1);
    await one.agents.add(newAgent(), 'local');
    expect(await other.agents.findByDigest('a'.repeat(64))).toMatchObject({ revokedAt: undefined });
    await other.agents.revoke('billing', moment(), 'local');
    expect(await one.agents.findByDigest('a'.repeat(64))).toMatchObject({ revokedAt: moment() });
  });

  test('what waits is written when the store closes (H5)', async () => {
    const place = await world.place(kind);
    const store = world.open(place);
    await store.agents.add(newAgent(), 'local');
    store.agents.noteUse('a'.repeat(64), moment(1));
    await store.close();
    expect(await world.open(place).agents.list()).toEqual([{ ...kept(newAgent()), lastUsedAt: moment(1) }]);
  });
});

test('with the database away every question says so, and a use is let go (F1)', async () => {
  const { agents, secrets, close } = world.open({ kind: 'postgres', url: 'postgres://postgres@127.0.0.1:9/none' });
  agents.noteUse('a', moment());
  for (const ask of [
    () => agents.findByDigest('a'),
    () => agents.add(newAgent(), 'local'),
    () => agents.list(),
    () => agents.revoke('a', moment(), 'local'),
    () => secrets.getOrAdd('a', () => 'b'),
  ]) {
    await expect(ask()).rejects.toMatchObject({ name: 'StoreUnavailable' });
  }
  await close();
});
