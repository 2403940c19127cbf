// Sessions of 2025-era clients that replicas share: one suite for every store (N2).
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sleep } from '../../../src/async/sleep.ts';
import type { KeptSessions, NewSession } from '../../../src/identity/kept-sessions.ts';
import { digestOf } from '../../../src/identity/token.ts';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { createMemorySessions } from '../../../src/store/fixtures/memory-sessions.ts';
import { plain } from '../../../src/store/sql.ts';
import { onDatabase } from './on-database.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
let shared: StorePlace;
beforeAll(async () => {
  shared = await world.place('postgres');
});

const HOUR = 3_600_000;

interface Replicas {
  /** Two of one store. */
  readonly both: readonly [KeptSessions, KeptSessions];
  /** An hour goes by for all sessions that are there. */
  readonly passHour: () => Promise<void>;
}

async function openReplicas(kind: 'memory' | 'sqlite' | 'postgres'): Promise<Replicas> {
  if (kind === 'memory') {
    let passedMs = 0;
    const sessions = createMemorySessions(() => performance.now() + passedMs);
    return {
      both: [sessions, sessions],
      passHour: async () => {
        passedMs += HOUR;
      },
    };
  }
  const place = kind === 'sqlite' ? await world.place(kind) : shared;
  const [first, second] = [world.open(place), world.open(place)];
  await first.migrate();
  if (kind === 'postgres') await world.query(place, 'TRUNCATE repertoire_mcp_sessions');
  const hour = kind === 'sqlite' ? String(HOUR) : "interval '1 hour'";
  return {
    both: [first.sessions, second.sessions],
    passHour: () =>
      onDatabase(place, (database) =>
        database.write(function* () {
          yield plain(`UPDATE repertoire_mcp_sessions SET last_used_at = last_used_at - ${hour}`);
        }),
      ),
  };
}

const newSession = (given: Partial<NewSession> = {}): NewSession => ({
  digest: digestOf(randomUUID()),
  owner: 'agent:billing',
  version: '2025-11-25',
  client: { name: 'a host', version: '1.2', capabilities: { roots: { listChanged: true } } },
  resources: [],
  rights: 'agent ["billing"]',
  credential: digestOf('credential'),
  ...given,
});

/** Where times are compared, a millisecond lies between them. */
const aMoment = () => sleep(5);

describe.each(['memory', 'sqlite', 'postgres'] as const)('on %s', (kind) => {
  let one: KeptSessions;
  let other: KeptSessions;
  let passHour: Replicas['passHour'];
  beforeEach(async () => {
    const replicas = await openReplicas(kind);
    [one, other] = replicas.both;
    passHour = replicas.passHour;
  });
  const add = async (given: Partial<NewSession> = {}) => {
    const session = newSession(given);
    await one.add(session);
    return session;
  };
  const isThere = async ({ digest }: NewSession) => (await other.find(digest, HOUR)) !== undefined;

  test('a session is found by every replica as it was added, and twice is once (N2)', async () => {
    const odd = { name: 'NUL \u0000, half \ud800, 𝄞', version: '', capabilities: {} };
    const session = await add({ client: odd, resources: ['skill://a/SKILL.md'] });
    const { digest, ...kept } = session;
    expect(await other.find(digest, HOUR)).toEqual({ ...kept, ageMs: expect.any(Number) });
    await other.add({ ...session, owner: 'agent:thief' });
    expect((await one.find(digest, HOUR))?.owner).toBe('agent:billing');
    for (const stranger of ['', digestOf('another'), '%', "' OR 1=1 --"]) {
      expect(await other.find(stranger, HOUR)).toBeUndefined();
    }
  });

  test('without a credential (--no-auth), none is known (N2)', async () => {
    const { digest } = await add({ credential: undefined });
    expect(await other.find(digest, HOUR)).toMatchObject({ credential: undefined });
  });

  test('its age is that of the row, whatever replica asks (N2)', async () => {
    const { digest } = await add();
    await sleep(50);
    expect((await other.find(digest, HOUR))?.ageMs).toBeGreaterThanOrEqual(45);
  });

  test('what replicas subscribe to at once all counts, and each sees what the others did (N2)', async () => {
    const { digest } = await add({ resources: ['skill://0'] });
    const uris = Array.from({ length: 20 }, (_, index) => `skill://${index}`);
    await Promise.all(uris.map((uri, index) => (index % 2 === 0 ? one : other).subscribe(digest, uri, true)));
    expect([...((await one.look([digest])).get(digest) ?? [])].sort()).toEqual([...uris].sort());
    await Promise.all(uris.slice(1).map((uri, index) => (index % 2 === 0 ? one : other).subscribe(digest, uri, false)));
    expect(await other.look([digest, digestOf('unknown')])).toEqual(new Map([[digest, ['skill://0']]]));
    await one.subscribe(digestOf('unknown'), 'skill://0', true);
    expect((await one.look([digestOf('unknown')])).size).toBe(0);
  });

  test('the one that was used longest ago goes when its caller has too many; others stay (N2, F4)', async () => {
    const first = await add();
    await aMoment();
    const second = await add();
    const strangers = await add({ owner: 'agent:other' });
    await aMoment();
    await other.touch([first.digest], []);
    const most = { perCaller: 2, inAll: 100 };
    expect(await one.makeRoom('agent:billing', most)).toEqual({ hasRoom: true, ended: [second.digest] });
    expect(await Promise.all([first, second, strangers].map(isThere))).toEqual([true, false, true]);
    expect(await one.makeRoom('agent:billing', most)).toEqual({ hasRoom: true, ended: [] });
    expect(await one.makeRoom('agent:third', { perCaller: 2, inAll: 1 })).toMatchObject({ hasRoom: true });
    expect(await Promise.all([first, strangers].map(isThere))).toEqual([false, false]);
  });

  test('one with a stream is in use: there is no room in its place until the stream closes (N2, F4)', async () => {
    const session = await add();
    expect(await one.openStream(session.digest)).toEqual(expect.any(Number));
    const most = { perCaller: 1, inAll: 100 };
    expect(await other.makeRoom('agent:billing', most)).toEqual({ hasRoom: false, ended: [] });
    await one.touch([session.digest], [session.digest]);
    expect(await other.makeRoom('agent:billing', most)).toEqual({ hasRoom: false, ended: [] });
    await one.closeStream(session.digest);
    expect(await other.makeRoom('agent:billing', most)).toEqual({ hasRoom: true, ended: [session.digest] });
    expect(await one.openStream(session.digest)).toBeUndefined();
  });

  test('many who come at once all get room while idle ones can go, on two replicas (N2, F10)', async () => {
    for (let index = 0; index < 40; index += 1) await add();
    const most = { perCaller: 40, inAll: 1_000 };
    const begin = async (sessions: KeptSessions) => {
      const made = await sessions.makeRoom('agent:billing', most);
      if (made.hasRoom) await sessions.add(newSession());
      return made;
    };
    const made = await Promise.all(Array.from({ length: 120 }, (_, index) => begin(index % 2 === 0 ? one : other)));
    expect(made.filter(({ hasRoom }) => !hasRoom)).toEqual([]);
    const ended = made.flatMap((each) => each.ended);
    expect(new Set(ended).size).toBe(ended.length);
  });

  test('of two streams, the one that was opened later is known as the later (N2)', async () => {
    const { digest } = await add();
    const first = await one.openStream(digest);
    await aMoment();
    expect(await other.openStream(digest)).toBeGreaterThan(first ?? Number.NaN);
  });

  test('it ends once; with a credential, only if that was the last (N2)', async () => {
    const [plain, rotated] = [await add(), await add()];
    expect([await one.end(plain.digest), await other.end(plain.digest)]).toEqual([true, false]);
    await other.changeCredential(rotated.digest, digestOf('newer'));
    expect(await one.end(rotated.digest, digestOf('credential'))).toBe(false);
    expect(await isThere(rotated)).toBe(true);
    expect(await one.end(rotated.digest, digestOf('newer'))).toBe(true);
    expect(await isThere(rotated)).toBe(false);
  });

  test('what no replica used for a while ends, and is not found before that, either (N2)', async () => {
    const [idle, used] = [await add(), await add()];
    await passHour();
    await other.touch([used.digest], []);
    expect(await one.find(idle.digest, HOUR)).toBeUndefined();
    expect(await one.endIdle(HOUR)).toEqual([idle.digest]);
    expect(await Promise.all([idle, used].map(isThere))).toEqual([false, true]);
    await other.touch([idle.digest], []);
    expect(await isThere(idle)).toBe(false);
  });

  test.skipIf(kind === 'memory')('a client that says much of itself is kept by its name (N2, F4)', async () => {
    const capabilities = { experimental: { much: 'x'.repeat(100_000) } };
    const { digest } = await add({ client: { name: 'n'.repeat(50_000), version: '1', capabilities } });
    const found = await other.find(digest, HOUR);
    expect(found?.client).toEqual({ name: 'n'.repeat(256), version: '1', capabilities: {} });
  });
});
