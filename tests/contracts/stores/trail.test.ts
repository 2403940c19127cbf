// The trail: one suite for every store (L5).
import { beforeEach, describe, expect, test } from 'vitest';
import { headText } from '../../../src/identity/trail.ts';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import type { Store } from '../../../src/store/store.ts';
import { moment } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

const agentOf = (name: string) => ({
  name,
  tokenDigest: name,
  roles: ['A'],
  scopes: [],
  createdAt: moment(),
  expiresAt: undefined,
});

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  let place: StorePlace;
  let store: Store;
  beforeEach(async () => {
    place = await world.place(kind);
    store = world.open(place);
  });

  test('a change and its entry are in one transaction, in order, with a head that is the newest (L5)', async () => {
    await store.agents.add(agentOf('a'), 'local');
    await store.agents.revoke('a', moment(1), 'agent:chief');
    expect(await store.agents.revoke('a', moment(2), 'local')).toBe(false);
    const { head, entries, nextCursor } = await store.trail.list({ limit: 10 });
    expect(entries).toMatchObject([
      { seq: 2, actor: 'agent:chief', action: 'agent.revoke', subject: 'a', digest: undefined, details: undefined },
      { seq: 1, actor: 'local', action: 'agent.add', subject: 'a', details: { roles: ['A'], expires_at: null } },
    ]);
    expect([headText(head), nextCursor]).toEqual([`2:${entries[0]?.hash}`, undefined]);
    expect(await store.trail.verify({ head })).toEqual({ entries: 2, head, fault: undefined });
  });

  test('many writers of two processes write one chain, also while it is verified (L5)', async () => {
    const other = world.open(place);
    const writing = Array.from({ length: 30 }, (_, index) =>
      (index % 2 === 0 ? store : other).agents.add(agentOf(`agent-${index}`), 'local'),
    );
    const looks = [];
    for (let look = 0; look < 5; look += 1) looks.push(await store.trail.verify());
    expect(await Promise.all(writing)).toEqual(Array.from({ length: 30 }, () => true));
    for (const { fault } of looks) expect(fault).toBeUndefined();
    expect(await store.trail.verify()).toMatchObject({ entries: 30, fault: undefined });
    const { entries } = await other.trail.list({ limit: 100 });
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 30 }, (_, index) => 30 - index));
  });

  test('it is there without a log, and is not pruned with it (L5, X7)', async () => {
    await store.agents.add(agentOf('a'), 'local');
    await store.prune(new Date(Date.now() + 86_400_000));
    expect((await store.trail.list({ limit: 1 })).head.seq).toBe(1);
  });

  test('texts of any kind are verified as they were entered (L5)', async () => {
    const details = { message: 'a\u0000b \ud800 "c" \\ 🦊', list: [1, 2.5, null] };
    await store.trail.note({ actor: 'user:Zoë\u0000', action: 'user.grant', subject: "'; --", digest: 'x', details });
    expect(await store.trail.verify()).toMatchObject({ entries: 1, fault: undefined });
    expect((await store.trail.list({ limit: 1 })).entries).toMatchObject([{ subject: "'; --", digest: 'x', details }]);
  });
});

test.each<[string, string, string, number]>([
  ['a time by a millisecond', 'UPDATE repertoire_trail SET time_ms = time_ms + 1 WHERE seq = 2', 'changed', 2],
  ['details', "UPDATE repertoire_trail SET details = details || ' ' WHERE seq = 2", 'changed', 2],
  ['an entry removed', 'DELETE FROM repertoire_trail WHERE seq = 2', 'removed', 2],
  ['the last removed', 'DELETE FROM repertoire_trail WHERE seq = 3', 'removed', 3],
  ['the head rewritten', 'UPDATE repertoire_trail_head SET seq = 2', 'head', 3],
  [
    'two swapped',
    'UPDATE repertoire_trail SET seq = 9 WHERE seq = 1; UPDATE repertoire_trail SET seq = 1 WHERE seq = 2; UPDATE repertoire_trail SET seq = 2 WHERE seq = 9',
    'reordered',
    1,
  ],
])('what is done to a PostgreSQL is found: %s (L5)', async (_what, statement, faultKind, seq) => {
  const place = await world.place('postgres');
  const store = world.open(place);
  for (const name of ['a', 'b', 'c']) await store.agents.add(agentOf(name), 'local');
  await world.query(place, statement);
  expect((await store.trail.verify()).fault).toMatchObject({ kind: faultKind, seq });
});
