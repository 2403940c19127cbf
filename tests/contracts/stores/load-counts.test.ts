// Counted loads: an overview from counts says what the loads themselves say, on both databases (D9, X8).
import { describe, expect, test } from 'vitest';
import type { Load } from '../../../src/repertoire/load-log.ts';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import type { Overview } from '../../../src/skills/record/overview-log.ts';
import { insertLoads } from '../../../src/store/load-store.ts';
import { EVERYTHING, migrate, migrations } from '../../../src/store/migrate.ts';
import { plain, sql, tuples } from '../../../src/store/sql.ts';
import fc from '../../support/property.ts';
import { onDatabase } from './on-database.ts';
import { moment } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const loadOf = (at: number, skillName = 'sql-review'): Load => ({
  skillName,
  digest: 'sha256:0',
  client: 'test',
  surface: 'skill',
  loadedAt: moment(at),
});

const write = (place: StorePlace, loads: readonly Load[]) =>
  onDatabase(place, (database) => database.write(() => insertLoads(place.kind, loads)));

/** The loads that the table holds, oldest first. */
async function rowsIn(place: StorePlace): Promise<readonly { at: number; name: string }[]> {
  const rows = await onDatabase(place, (database) =>
    database.read(plain('SELECT skill_name, loaded_at FROM skill_loads ORDER BY loaded_at')),
  );
  return rows.map(({ skill_name, loaded_at }) => ({ at: Number(loaded_at), name: String(skill_name) }));
}

type Rows = Awaited<ReturnType<typeof rowsIn>>;
type Counted = Pick<Overview, 'mostLoaded'> & { readonly total: number; readonly series: readonly number[] };

/** What an overview says of loads, from the rows alone. Its window begins and ends at the next full minute. */
function countRows(rows: Rows, { stepSeconds, series }: Overview, since: Date, until: Date): Counted {
  const [from, to] = [since, until].map((date) => Math.ceil(date.getTime() / MINUTE) * MINUTE) as [number, number];
  const inside = rows.filter(({ at }) => at >= from && at < to);
  const byName = new Map<string, number>();
  for (const { name } of inside) byName.set(name, (byName.get(name) ?? 0) + 1);
  const mostLoaded = [...byName]
    .map(([skillName, loadCount]) => ({ skillName, loadCount }))
    .sort((a, b) => b.loadCount - a.loadCount || (a.skillName < b.skillName ? -1 : 1))
    .slice(0, 10);
  const isIn = (start: number) => (row: Rows[number]) => row.at >= start && row.at < start + stepSeconds * 1_000;
  return {
    total: inside.length,
    mostLoaded,
    series: series.map(({ start }) => inside.filter(isIn(start.getTime())).length),
  };
}

const countedBy = ({ totals, mostLoaded, series }: Overview): Counted => ({
  total: totals.loads,
  mostLoaded,
  series: series.map(({ loads }) => loads),
});

/** Over windows of every length that begin and end anywhere. */
async function expectCountsAsRows(place: StorePlace, numRuns: number): Promise<void> {
  const rows = await rowsIn(place);
  const { overview, loads } = world.open(place);
  const length = fc.oneof(...[3 * MINUTE, 2 * HOUR, 6 * HOUR, 10 * DAY].map((max) => fc.integer({ min: 1, max })));
  const window = fc.tuple(fc.integer({ min: -HOUR, max: 9 * DAY }), length);
  await fc.assert(
    fc.asyncProperty(window, async ([from, ms]) => {
      const [since, until] = [moment(from), moment(from + ms)];
      const seen = await overview.read({ since, until });
      expect(countedBy(seen)).toEqual(countRows(rows, seen, since, until));
      const counts = await loads.counts(since);
      const later = rows.filter(({ at }) => at >= since.getTime());
      expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(later.length);
    }),
    { numRuns },
  );
}

/** Many in few minutes, some at the very edge of one, the others anywhere in nine days. */
const someLoads = fc.array(
  fc
    .tuple(
      fc.oneof(
        fc.integer({ min: 0, max: 3 * MINUTE }),
        fc.integer({ min: 0, max: 200 }).chain((minute) => fc.constantFrom(-1, 0, 1).map((ms) => minute * MINUTE + ms)),
        fc.integer({ min: 0, max: 9 * DAY }),
      ),
      fc.integer({ min: 0, max: 12 }),
    )
    .map(([at, number]) => loadOf(at, `skill-${number}`)),
  { minLength: 200, maxLength: 400, size: 'max' },
);

describe.each(['sqlite', 'postgres'] as const)('counted loads on %s', (kind) => {
  test('say what the rows say, over any window (D9)', async () => {
    const place = await world.place(kind);
    await world.open(place).migrate();
    for (const loads of fc.sample(someLoads, 3)) await write(place, loads);
    await expectCountsAsRows(place, 150);
  });

  test('of loads that an earlier version wrote are made by the migration, and added to (X7)', async () => {
    const place = await world.place(kind);
    const [before, after] = fc.sample(someLoads, 2);
    await onDatabase(place, async (database) => {
      await migrate(database, { ...EVERYTHING, known: migrations.slice(0, 6) });
      await database.write(() => insertAsBefore(before ?? []));
      expect(await migrate(database)).toContain('0007-load-minutes');
    });
    await write(place, after ?? []);
    await expectCountsAsRows(place, 50);
  });

  test('go with their loads: only the minute that the limit cuts stays whole', async () => {
    const place = await world.place(kind);
    const store = world.open(place);
    await store.migrate();
    await write(
      place,
      [0, 1, 29.9, 30, 30.4, 30.6, 31, 59, 60, 61].map((minute) => loadOf(minute * MINUTE)),
    );
    await store.prune(moment(30.5 * MINUTE));
    const minutes = await onDatabase(place, (database) =>
      database.read(plain('SELECT start, loads FROM skill_load_minutes ORDER BY start')),
    );
    expect(minutes.map(({ start, loads }) => [Number(start), Number(loads)])).toEqual(
      [30, 31, 59, 60, 61].map((minute) => [moment(minute * MINUTE).getTime(), minute === 30 ? 3 : 1]),
    );
    const window = { since: moment(30.5 * MINUTE), until: moment(2 * HOUR) };
    const seen = await store.overview.read(window);
    expect(countedBy(seen)).toEqual(countRows(await rowsIn(place), seen, window.since, window.until));
    expect(seen.totals.loads).toBe(4);
  });
});

/** As it was before there were counts per minute. */
function* insertAsBefore(loads: readonly Load[]) {
  const rows = loads.map((load) => [load.skillName, load.digest, load.client, load.surface, load.loadedAt]);
  yield sql`INSERT INTO skill_loads (skill_name, digest, client, surface, loaded_at) VALUES ${tuples(rows)}`;
  const hours = new Map<string, [Date, string, number]>();
  for (const { skillName, loadedAt } of loads) {
    const start = new Date(Math.floor(loadedAt.getTime() / HOUR) * HOUR);
    const hour = hours.get(`${start.getTime()} ${skillName}`) ?? [start, skillName, 0];
    hour[2] += 1;
    hours.set(`${start.getTime()} ${skillName}`, hour);
  }
  yield sql`INSERT INTO skill_load_counts (start, skill_name, loads) VALUES ${tuples([...hours.values()])}`;
}

test('writers of the same minutes and skills in any order never deadlock on PostgreSQL (D9)', async () => {
  const place = await world.place('postgres');
  await world.open(place).migrate();
  const loads = Array.from({ length: 400 }, (_, index) => loadOf((index % 5) * MINUTE, `skill-${index}`));
  const orders = [loads, [...loads].reverse(), [...loads.slice(200), ...loads.slice(0, 200)]];
  const rounds = 10;
  await Promise.all(
    orders.map((order) =>
      onDatabase(place, async (database) => {
        for (let round = 0; round < rounds; round++) await database.write(() => insertLoads('postgres', order));
      }),
    ),
  );
  // Connections that are closed have told what they met.
  const [met] = await world.query(place, 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
  expect(Number(met?.deadlocks)).toBe(0);
  const { totals } = await world.open(place).overview.read({ since: moment(), until: moment(HOUR) });
  expect(totals.loads).toBe(orders.length * rounds * loads.length);
});
