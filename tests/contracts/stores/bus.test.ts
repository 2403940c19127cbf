// What the processes of one store tell each other: one suite for both databases (N3, N7).
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { announce, deleteOldMessages, findWholePayload, notify } from '../../../src/store/event-table.ts';
import { tellOwnAnnouncements } from '../../../src/store/own-announcements.ts';
import { plain } from '../../../src/store/sql.ts';
import type { Store, StoreOptions } from '../../../src/store/store.ts';
import { openPostgresProxy } from '../../support/postgres-proxy.ts';
import { userOf } from './accounts-world.ts';
import { onDatabase } from './on-database.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
const HOUR_MS = 3_600_000;

interface Heard {
  readonly bodies: unknown[];
  readonly own: boolean[];
  gaps: number;
}

/** Resolves when it hears: what is said from now on is not lost. */
async function listen(store: Store, topic = 'news'): Promise<Heard> {
  const heard: Heard = { bodies: [], own: [], gaps: 0 };
  store.bus.subscribe(topic, (body, isOwn) => {
    heard.bodies.push(body);
    heard.own.push(isOwn);
  });
  store.bus.onGap(() => {
    heard.gaps += 1;
  });
  await expect.poll(() => heard.gaps).toBeGreaterThan(0);
  return heard;
}

/** Connections that listen. */
const LISTENERS =
  "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND state = 'idle' AND datname = current_database()";

describe.each(['sqlite', 'postgres'] as const)('the bus on %s', (kind) => {
  let place: StorePlace;
  let open: (busRhythm?: StoreOptions['busRhythm']) => Store;
  beforeEach(async () => {
    place = await world.place(kind);
    open = (busRhythm) => world.open(place, { busRhythm });
  });

  test('what one process says all hear once, and the one that said it at once (N3)', async () => {
    const stores = [open(), open(), open()];
    const [first, ...others] = await Promise.all(stores.map((store) => listen(store)));
    if (kind === 'postgres') await expect.poll(() => world.query(place, LISTENERS)).toHaveLength(3);
    stores[0]?.bus.publish('news', { number: 1 });
    stores[0]?.bus.publish('other', { number: 2 });
    expect(first).toMatchObject({ bodies: [{ number: 1 }], own: [true] });
    stores[0]?.bus.publish('news', { number: 3 }, 'passing');
    for (const heard of others) await expect.poll(() => heard.bodies).toEqual([{ number: 1 }, { number: 3 }]);
    stores[1]?.bus.publish('news', { number: 4 });
    await expect.poll(() => first?.bodies).toEqual([{ number: 1 }, { number: 3 }, { number: 4 }]);
    expect(first?.own).toEqual([true, true, false]);
    expect(others.map(({ own }) => own.slice(0, 2))).toEqual([
      [false, false],
      [false, false],
    ]);
    // It may have asked itself whether it still hears, too.
    expect(stores[0]?.bus.counts().gaps).toBe(0);
    expect(stores[0]?.bus.counts().received).toBeGreaterThanOrEqual(1);
    expect(stores[0]?.bus.counts().sent).toBeGreaterThanOrEqual(3);
  });

  test('a listener that comes late is told of the first time that anything could be heard, too (N3)', async () => {
    const store = open();
    await listen(store);
    let told = 0;
    store.bus.onGap(() => {
      told += 1;
    });
    await expect.poll(() => told).toBe(1);
  });

  test('what is part of a transaction is heard when that is committed, by its own process too; never if it is not (N3)', async () => {
    const [writer, reader] = [open(), open()];
    const [own, heard] = await Promise.all([listen(writer, 'agents'), listen(reader, 'agents')]);
    await onDatabase(place, async (database) => {
      const failing = database.write(function* () {
        yield* announce(database.dialect, 'agents', { name: 'never' }, 'elsewhere');
        yield plain('SELECT 1 FROM there_is_no_such_table');
      });
      await expect(failing).rejects.toThrow();
    });
    const billing = {
      name: 'billing',
      tokenDigest: 'a'.repeat(64),
      roles: [],
      scopes: [],
      createdAt: new Date(),
      expiresAt: undefined,
    };
    await writer.agents.add(billing, 'local');
    await writer.agents.revoke('billing', new Date(), 'local');
    expect(await writer.agents.revoke('billing', new Date(), 'local')).toBe(false);
    const both = [
      { name: 'billing', change: 'added' },
      { name: 'billing', change: 'revoked' },
    ];
    await expect.poll(() => heard.bodies).toEqual(both);
    await expect.poll(() => own.bodies).toEqual(both);
    expect([own.own, heard.own]).toEqual([
      [true, true],
      [false, false],
    ]);
    // The rows of its own came in before this one: they are not told again.
    reader.bus.publish('agents', { name: 'last' });
    await expect.poll(() => own.bodies).toEqual([...both, { name: 'last' }]);
  });

  test('what a transaction of its own announces a process hears once, before the writer goes on, without a look (N3, N6)', async () => {
    const rhythm = { isNotified: false, quietMs: HOUR_MS, deafMs: HOUR_MS, fileMs: HOUR_MS };
    const store = open(rhythm);
    const [agents, users] = await Promise.all([listen(store, 'agents'), listen(store, 'users')]);
    const agent = { name: 'billing', tokenDigest: 'b'.repeat(64), roles: [], scopes: [], createdAt: new Date() };
    await store.agents.add({ ...agent, expiresAt: undefined }, 'local');
    expect(agents).toMatchObject({ bodies: [{ name: 'billing', change: 'added' }], own: [true] });
    const user = userOf();
    await store.users.create(user);
    const change = { email: user.email, grants: { roles: ['Clerk'], scopes: [] }, actor: 'local', at: new Date() };
    await store.people.grant(change);
    expect(users.bodies).toEqual([{ user_id: user.id }]);
    // Nothing changes, so nothing is told.
    await store.people.grant(change);
    await store.people.ungrant(change);
    await store.users.delete(user.id);
    expect(users).toMatchObject({ bodies: Array(3).fill({ user_id: user.id }), own: [true, true, true] });
  });

  test('what a transaction announced that was not committed is not told to its own process (N3)', async () => {
    const announced: unknown[] = [];
    await open().migrate();
    await onDatabase(place, async (database) => {
      const telling = tellOwnAnnouncements(database, ({ message }) => announced.push(message.body));
      const say = (name: string) => announce(telling.dialect, 'agents', { name }, 'here');
      const failing = telling.write(function* () {
        yield* say('never');
        yield plain('SELECT 1 FROM there_is_no_such_table');
      });
      await expect(failing).rejects.toThrow();
      await telling.write(() => say('now'));
    });
    expect(announced).toEqual([{ name: 'now' }]);
  });

  test('long ones, odd ones and many at once arrive whole and in order (N3)', async () => {
    const [sender, reader] = [open(), open()];
    const heard = await listen(reader);
    const bodies = [
      { text: 'x'.repeat(100_000) },
      { text: "'; DROP TABLE repertoire_events; --\0\ud800 ä", $1: '?' },
      ...Array.from({ length: 300 }, (_, number) => ({ number })),
    ];
    for (const body of bodies) sender.bus.publish('news', body);
    await expect.poll(() => heard.bodies.length).toBe(bodies.length);
    // A lone surrogate stays one: JSON writes it as an escape.
    expect(new Set(heard.bodies.map((body) => JSON.stringify(body)))).toEqual(
      new Set(bodies.map((body) => JSON.stringify(body))),
    );
    const numbers = heard.bodies.flatMap((body) => (body as { number?: number }).number ?? []);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });

  test('a process that only speaks opens nothing to hear with, and what it said is sent before it closes (N3)', async () => {
    const reader = open();
    const heard = await listen(reader);
    const speaker = open();
    speaker.bus.publish('news', { last: 'words' });
    await speaker.close();
    await expect.poll(() => heard.bodies).toEqual([{ last: 'words' }]);
  });

  test('what was said before anyone listened is no news (N3)', async () => {
    const speaker = open();
    speaker.bus.publish('news', { old: true });
    await speaker.close();
    const [reader, other] = [open(), open()];
    const heard = await listen(reader);
    other.bus.publish('news', { old: false });
    await expect.poll(() => heard.bodies).toEqual([{ old: false }]);
  });

  test('rows are deleted some minutes later (N3)', async () => {
    const store = open();
    await store.migrate();
    await onDatabase(place, async (database) => {
      const write = (topic: string) => database.write(() => announce(database.dialect, topic, {}, 'elsewhere'));
      await write('old');
      await database.write(function* () {
        yield plain(
          kind === 'sqlite'
            ? 'UPDATE repertoire_events SET at = at - 601000'
            : "UPDATE repertoire_events SET at = at - INTERVAL '601 seconds'",
        );
      });
      await write('new');
      await deleteOldMessages(database);
      expect(await database.read(plain('SELECT topic FROM repertoire_events'))).toEqual([{ topic: 'new' }]);
    });
  });
});

/** A notification without a row. Only one that has heard can notice that it does not any more. */
async function hearsNotifications(place: StorePlace, heard: Heard): Promise<void> {
  const body = { isNotified: true };
  const payload = findWholePayload({ topic: 'news', body, origin: 'elsewhere', isTold: true }, null) ?? '';
  await onDatabase(place, (database) =>
    expect
      .poll(async () => {
        await database.read(notify(payload));
        return heard.bodies;
      })
      .toContainEqual(body),
  );
}

describe('notifications of PostgreSQL fail (N3)', () => {
  test('without them everything is heard by reading, from those that use them and those that do not (N3)', async () => {
    const place = await world.place('postgres');
    const deaf = world.open(place, { busRhythm: { isNotified: false, deafMs: 100 } });
    const other = world.open(place);
    const [heard, heardByOther] = await Promise.all([listen(deaf), listen(other)]);
    other.bus.publish('news', { number: 1 });
    await expect.poll(() => heard.bodies).toEqual([{ number: 1 }]);
    deaf.bus.publish('news', { number: 2 });
    await expect.poll(() => heardByOther.bodies).toContainEqual({ number: 2 });
    expect(await world.query(place, LISTENERS)).toHaveLength(1);
    // It has said that it hears nothing: from then on what passes is written down as well.
    await expect
      .poll(() => {
        other.bus.publish('news', { passing: true }, 'passing');
        return heard.bodies.some((body) => Object.hasOwn(body as object, 'passing'));
      })
      .toBe(true);
  });

  test('a connection that is cut again and again is opened again, nothing is lost, and a gap is told (N3)', async () => {
    const place = await world.place('postgres');
    const [sender, reader] = [world.open(place), world.open(place, { busRhythm: { deafMs: 200 } })];
    const heard = await listen(reader);
    await expect.poll(() => world.query(place, LISTENERS)).toHaveLength(1);
    for (let round = 0; round < 4; round++) {
      await world.query(place, `SELECT pg_terminate_backend(pid) FROM (${LISTENERS}) AS listeners`);
      sender.bus.publish('news', { round });
    }
    await expect.poll(() => heard.bodies).toEqual([0, 1, 2, 3].map((round) => ({ round })));
    await expect.poll(() => reader.bus.counts().gaps).toBeGreaterThan(0);
    await expect.poll(() => world.query(place, LISTENERS)).toHaveLength(1);
  });

  test('rows whose numbers become visible out of order are all heard (N3)', async () => {
    const place = await world.place('postgres');
    const reader = world.open(place, { busRhythm: { isNotified: false, deafMs: 50 } });
    const heard = await listen(reader);
    await onDatabase(place, async (database) => {
      let arrive = () => {};
      const late = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      let began = () => {};
      const begun = new Promise<void>((resolve) => {
        began = resolve;
      });
      // The first takes its number, and commits after the second.
      const first = slowWrite(place, began, late);
      await begun;
      await database.write(() => announce(database.dialect, 'news', { number: 2 }, 'elsewhere'));
      await expect.poll(() => heard.bodies).toEqual([{ number: 2 }]);
      arrive();
      await first;
      await expect.poll(() => heard.bodies).toEqual([{ number: 2 }, { number: 1 }]);
    });
  });

  test('a connection that is open and silent is found out, and its messages are read meanwhile (N3)', async () => {
    const { place, proxy } = await throughProxy();
    // A connection that is opened in the silence is given up before the test is.
    const reader = world.open(place, { busRhythm: { quietMs: 200, deafMs: 100 }, operationLimitMs: 2_000 });
    const [heard, sender] = [await listen(reader), world.open(place)];
    const passes = async (number: number) =>
      expect
        .poll(() => {
          sender.bus.publish('news', { number }, 'passing');
          return heard.bodies;
        })
        .toContainEqual({ number });
    await passes(1);
    await hearsNotifications(place, heard);
    const { sent } = reader.bus.counts();
    proxy.silence(true);
    sender.bus.publish('news', { number: 2 });
    await expect.poll(() => heard.bodies).toContainEqual({ number: 2 });
    // It says that it hears nothing.
    await expect.poll(() => reader.bus.counts().sent).toBeGreaterThan(sent);
    proxy.silence(false);
    await expect.poll(() => reader.bus.counts().gaps).toBeGreaterThan(0);
    await passes(3);
  });

  test('while the database is away a message waits, nothing throws, and afterwards a gap is told (N3, N7)', async () => {
    const { place, proxy } = await throughProxy();
    const busRhythm = { retryMs: 50, deafMs: 100 };
    const [sender, reader] = [world.open(place, { busRhythm }), world.open(place, { busRhythm })];
    const [own, heard] = await Promise.all([listen(sender), listen(reader)]);
    // Only one that heard can notice that it does not any more.
    await expect.poll(() => world.query(place, LISTENERS)).toHaveLength(2);
    const before = heard.gaps;
    proxy.open(false);
    sender.bus.publish('news', { number: 1 });
    sender.bus.publish('news', { number: 2 }, 'passing');
    expect(own.bodies).toEqual([{ number: 1 }, { number: 2 }]);
    proxy.open(true);
    await expect.poll(() => heard.bodies).toContainEqual({ number: 1 });
    await expect.poll(() => heard.gaps).toBeGreaterThan(before);
  });

  async function throughProxy() {
    const direct = await world.place('postgres');
    const proxy = await openPostgresProxy(direct.kind === 'postgres' ? direct.url : '');
    return { proxy, place: { kind: 'postgres', url: proxy.url } as const };
  }

  async function slowWrite(place: StorePlace, began: () => void, late: Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: place.kind === 'postgres' ? place.url : '' });
    await client.connect();
    await client.query('BEGIN');
    await client.query(`INSERT INTO repertoire_events (topic, body, origin, is_told, at)
      VALUES ('news', '{"number":1}', 'elsewhere', false, clock_timestamp())`);
    began();
    await late;
    await client.query('COMMIT');
    await client.end();
  }
});
