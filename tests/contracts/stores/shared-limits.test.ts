// What the processes on one PostgreSQL count together: decided by the database, one statement for each question (N1).
import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { openCounting } from '../../../src/app/counting.ts';
import type { WindowAsk } from '../../../src/limits/shared-counts.ts';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import type { RuntimeLog } from '../../../src/skills/record/runtime-log.ts';
import type { SharedLimits } from '../../../src/store/shared-limits.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
let place: StorePlace;
beforeAll(async () => {
  place = await world.place('postgres');
  await world.open(place).migrate();
});

/** Each as another process would open it. */
function openReplica(): SharedLimits {
  const { limits } = world.open(place);
  if (limits === undefined) throw new Error('PostgreSQL has shared limits');
  return limits;
}

const askFor = (key: string, given: Partial<WindowAsk>): WindowAsk => ({
  key,
  told: 0,
  asked: 0,
  unit: 1,
  most: 10,
  ...given,
});

const totalOf = (bursts: readonly { readonly count: number }[]) => bursts.reduce((sum, { count }) => sum + count, 0);

/** Moves all that was counted of a key into the past. */
const age = (key: string, ms: number) =>
  world.query(
    place,
    `UPDATE repertoire_minutes SET started = started - ${ms},
       ends = ARRAY(SELECT e - ${ms} FROM unnest(ends) WITH ORDINALITY AS u(e, n) ORDER BY n) WHERE key = '${key}'`,
  );

async function askOne(replica: SharedLimits, key: string, given: Partial<WindowAsk>) {
  const [answer] = (await replica.countMinutes([askFor(key, given)])) ?? [];
  if (answer === undefined) throw new Error('The database is away');
  return { granted: answer.granted, total: totalOf(answer.bursts), bursts: answer.bursts };
}

test('what is told is counted, what is asked for only as far as there is room, over all replicas (N1)', async () => {
  const [one, other] = [openReplica(), openReplica()];
  const key = randomUUID();
  expect(await askOne(one, key, { told: 3, asked: 2 })).toMatchObject({ granted: 2, total: 5 });
  expect(await askOne(other, key, { told: 2, asked: 9 })).toMatchObject({ granted: 3, total: 10 });
  expect(await askOne(one, key, { asked: 1 })).toMatchObject({ granted: 0, total: 10 });
  // It has passed already: it counts, although there is no room.
  expect(await askOne(one, key, { told: 4, asked: 1 })).toMatchObject({ granted: 0, total: 14 });
});

test('a new key with too much is granted what fits (N1)', async () => {
  expect(await askOne(openReplica(), randomUUID(), { told: 4, asked: 9 })).toMatchObject({ granted: 6, total: 10 });
});

test('whole units are granted: a batch of requests passes as a whole or not at all (N1)', async () => {
  const replica = openReplica();
  const key = randomUUID();
  expect(await askOne(replica, key, { asked: 8, unit: 4, most: 7 })).toMatchObject({ granted: 4, total: 4 });
  expect(await askOne(replica, key, { asked: 4, unit: 4, most: 7 })).toMatchObject({ granted: 0, total: 4 });
  expect(await askOne(replica, key, { asked: 3, unit: 3, most: 7 })).toMatchObject({ granted: 3, total: 7 });
});

test('what is a minute old does not count any more, and looking does not make it younger (N1)', async () => {
  const replica = openReplica();
  const key = randomUUID();
  await askOne(replica, key, { asked: 6 });
  // Far from the minute and after it, so that the time which the test itself takes makes no difference.
  await age(key, 20_000);
  expect(await askOne(replica, key, { asked: 4 })).toMatchObject({ granted: 4, total: 10 });
  expect((await askOne(replica, key, { asked: 1 })).granted).toBe(0);
  await age(key, 10_000);
  expect(await askOne(replica, key, {})).toMatchObject({ total: 10 });
  await age(key, 30_000);
  const { total, bursts } = await askOne(replica, key, { asked: 9 });
  expect(total).toBe(10);
  expect(bursts.map(({ count }) => count)).toEqual([4, 6]);
  // What passed in between, and the time that the test itself took.
  expect((bursts[0]?.ageMs ?? 0) - (bursts[1]?.ageMs ?? 0)).toBeGreaterThanOrEqual(40_000);
});

test('at most 61 bursts of a key are kept (F4, N1)', async () => {
  const replica = openReplica();
  const key = randomUUID();
  for (let second = 0; second < 70; second += 1) {
    await askOne(replica, key, { asked: 1, most: 1_000 });
    await age(key, 1_000);
  }
  const { bursts, total } = await askOne(replica, key, {});
  expect(bursts.length).toBeLessThanOrEqual(61);
  // Time goes on beside what the test lets pass.
  expect(total).toBeGreaterThan(20);
  expect(total).toBeLessThanOrEqual(61);
});

test('those that fill a fiftieth of the limit are a burst of their own, so that few leave late (N1)', async () => {
  const [one, other] = [openReplica(), openReplica()];
  const key = randomUUID();
  for (const replica of [one, other, one]) await askOne(replica, key, { told: 12, most: 600 });
  const { bursts } = await askOne(other, key, { most: 600 });
  expect(bursts.map(({ count }) => count)).toEqual([12, 12, 12]);
});

test('of many who ask at once, on several replicas, exactly as many pass as may (N1)', async () => {
  const replicas = [openReplica(), openReplica(), openReplica()];
  const key = randomUUID();
  const others = Array.from({ length: 20 }, () => randomUUID());
  const asks = Array.from({ length: 60 }, (_, index) => {
    const shuffled = index % 2 === 0 ? [key, ...others] : [...others.toReversed(), key];
    return replicas[index % 3]?.countMinutes(shuffled.map((each) => askFor(each, { asked: 3, most: 100 })));
  });
  const answers = await Promise.all(asks);
  const granted = answers.map((answer, index) => answer?.[index % 2 === 0 ? 0 : others.length]?.granted ?? Number.NaN);
  expect(granted.reduce((sum, each) => sum + each, 0)).toBe(100);
});

test('places are counted over all replicas, and what one holds is told as it is (N1)', async () => {
  const [one, other] = [openReplica(), openReplica()];
  const name = randomUUID();
  const hold = async (replica: SharedLimits, mine: number, asked: number) =>
    (await replica.holdPlaces([{ name, mine, asked, most: 4 }]))?.[0];
  expect(await hold(one, 0, 3)).toBe(3);
  expect(await hold(other, 0, 3)).toBe(1);
  expect(await hold(one, 3, 1)).toBe(0);
  expect(await hold(one, 1, 0)).toBe(0);
  expect(await hold(other, 1, 3)).toBe(2);
  expect(await hold(one, 0, 0)).toBe(0);
  expect(await hold(other, 3, 2)).toBe(1);
});

test('the places of a replica that is not heard of for 10 s are free, by the clock of the database (N1)', async () => {
  const [dead, living] = [openReplica(), openReplica()];
  const name = randomUUID();
  await dead.holdPlaces([{ name, mine: 0, asked: 2, most: 2 }]);
  const later = (ms: number) =>
    world.query(
      place,
      `UPDATE repertoire_places SET untils = ARRAY(SELECT u - ${ms} FROM unnest(untils) u) WHERE name = '${name}'`,
    );
  const enter = () => living.holdPlaces([{ name, mine: 0, asked: 2, most: 2 }]);
  const [row] = await world.query(
    place,
    `SELECT untils[1] - extract(epoch FROM now()) * 1000 AS lease FROM repertoire_places WHERE name = '${name}'`,
  );
  expect(Number(row?.lease)).toBeLessThanOrEqual(10_000);
  expect(await enter()).toEqual([0]);
  await later(10_000);
  expect(await enter()).toEqual([2]);
});

test('replicas know how many others there are, and forget one that is gone (N1)', async () => {
  await world.query(place, 'DELETE FROM repertoire_replicas');
  const [one, other] = [openReplica(), openReplica()];
  expect(await one.signOn()).toBe(0);
  expect([await other.signOn(), await one.signOn()]).toEqual([1, 1]);
  await other.signOff();
  expect(await one.signOn()).toBe(0);
  await other.signOn();
  await world.query(place, "UPDATE repertoire_replicas SET seen_at = seen_at - interval '10 seconds'");
  expect(await one.signOn()).toBe(0);
});

test('forgetOld() removes what does not count any more, and nothing else (N1)', async () => {
  const replica = openReplica();
  const [old, young] = [randomUUID(), randomUUID()];
  await replica.countMinutes([askFor(old, { told: 1 }), askFor(young, { told: 1 })]);
  await replica.holdPlaces([
    { name: old, mine: 0, asked: 0, most: 1 },
    { name: young, mine: 0, asked: 1, most: 1 },
  ]);
  await age(old, 61_000);
  await replica.forgetOld();
  const left = async (table: string, column: string) =>
    (await world.query(place, `SELECT ${column} AS key FROM ${table} WHERE ${column} IN ('${old}', '${young}')`)).map(
      ({ key }) => key,
    );
  expect([await left('repertoire_minutes', 'key'), await left('repertoire_places', 'name')]).toEqual([
    [young],
    [young],
  ]);
});

test('with REPERTOIRE_SECRET the name of who is counted is the same everywhere, and cannot be made without it (N1)', async () => {
  const email = `${randomUUID()}@example.org`;
  const namesAfterTry = async (secret: string | undefined) => {
    await world.query(place, 'DELETE FROM repertoire_minutes');
    const counting = await openCounting(world.open(place), { log: fail, secret, isServer: true });
    expect(await counting.passwordTries.take(email, PATIENCE_MS)).toBeUndefined();
    await counting.close();
    return (await world.query(place, 'SELECT key FROM repertoire_minutes')).map(({ key }) => String(key));
  };
  const plainName = createHash('sha256').update(`password ${email}`).digest('base64url');
  expect(await namesAfterTry(undefined)).toEqual([plainName]);
  const keyed = await namesAfterTry('s'.repeat(32));
  expect(keyed).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  expect(keyed).not.toEqual([plainName]);
  expect(await namesAfterTry('s'.repeat(32))).toEqual(keyed);
  expect(await namesAfterTry('t'.repeat(32))).not.toEqual(keyed);
});

/** Nothing goes wrong. */
const fail: RuntimeLog = ({ message }) => expect.fail(message);

test('SQLite has none: its one process counts by itself (N1)', async () => {
  expect(world.open(await world.place('sqlite')).limits).toBeUndefined();
});
