// The overview from roll-ups, the same on every database (X8, D9).
import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { failureOf, invocationOf, logRun, moment, successOf } from './stores/store-world.ts';
import { useStoreWorld } from './stores/use-store-world.ts';

const world = useStoreWorld();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  test('counts by step, by outcome and by skill, with percentiles and loads (X8, D9)', async () => {
    const store = await openStore(kind);
    await run(store, 0, 4);
    await run(store, 30_000, 6);
    await run(store, 2 * MINUTE, 8, 'NOT_FOUND', 'part');
    await run(store, 2 * MINUTE, 2, 'TIMEOUT', 'part');
    await load(store, [0, 1, 2 * MINUTE + 1], 'one');
    await load(store, [2 * MINUTE], 'other');
    const { replicas, ...overview } = await store.overview.read({ since: moment(), until: moment(3 * MINUTE) });
    const none = { successCount: 0, failureCount: 0, failures: {}, loads: 0, durationMs: undefined };
    const failures = { NOT_FOUND: 1, TIMEOUT: 1 };
    const part = { skillName: 'part', successCount: 0, failureCount: 2 };
    expect(overview).toEqual({
      stepSeconds: 60,
      series: [
        { ...none, start: moment(), successCount: 2, loads: 2, durationMs: { p50: 4, p95: 6, p99: 6 } },
        { ...none, start: moment(MINUTE) },
        {
          start: moment(2 * MINUTE),
          successCount: 0,
          failureCount: 2,
          failures,
          loads: 2,
          durationMs: { p50: 2, p95: 8, p99: 8 },
        },
      ],
      totals: { successCount: 2, failureCount: 2, failures, loads: 4, durationMs: { p50: 4, p95: 8, p99: 8 } },
      busiest: [{ skillName: 'greet', successCount: 2, failureCount: 0 }, part],
      mostFailing: [part],
      mostLoaded: [
        { skillName: 'one', loadCount: 3 },
        { skillName: 'other', loadCount: 1 },
      ],
    });
    expect(replicas).toEqual([]);
  });

  test.each([
    ['1h', HOUR, 60, 60],
    ['3h', 3 * HOUR, 60, 180],
    ['1d', DAY, 3_600, 25],
    ['7d', 7 * DAY, 3_600, 169],
    ['30d', 30 * DAY, 86_400, 31],
  ])('a window of %s is whole, whatever counters it is made of (X8)', async (_name, length, step, points) => {
    const store = await openStore(kind);
    const until = moment(17 * MINUTE + 12_345);
    const since = new Date(until.getTime() - length);
    // In the minute before the first that counts, in the first, an hour and a day on, and now.
    const first = Math.ceil(since.getTime() / MINUTE) * MINUTE - moment().getTime();
    const times = [first - 1, first, first + HOUR - 1, first + length / 2, until.getTime() - moment().getTime() - 1];
    for (const at of times) await run(store, at, 1);
    await load(store, times, 'one');
    const { series, totals, stepSeconds, busiest, mostLoaded } = await store.overview.read({ since, until });
    expect([stepSeconds, series.length]).toEqual([step, points]);
    expect([totals.successCount, totals.loads]).toEqual([4, 4]);
    expect(busiest).toEqual([{ skillName: 'greet', successCount: 4, failureCount: 0 }]);
    expect(mostLoaded).toEqual([{ skillName: 'one', loadCount: 4 }]);
    const sum = (field: 'successCount' | 'loads') => series.reduce((total, each) => total + each[field], 0);
    expect([sum('successCount'), sum('loads')]).toEqual([4, 4]);
    const starts = series.map(({ start }) => start.getTime());
    expect(starts.slice(1).every((start, index) => start - (starts[index] ?? 0) === step * 1_000)).toBe(true);
  });

  test('the ten largest, equal ones in name order (X8)', async () => {
    const store = await openStore(kind);
    const names = Array.from({ length: 12 }, (_, index) => `s${String(index).padStart(2, '0')}`);
    for (const name of names) await run(store, 0, 1, 'TIMEOUT', name);
    await run(store, 0, 1, undefined, 's11');
    await load(store, [0], ...names);
    const { busiest, mostFailing, mostLoaded } = await store.overview.read({ since: moment(), until: moment(MINUTE) });
    expect(busiest.map(({ skillName }) => skillName)).toEqual(['s11', ...names.slice(0, 9)]);
    expect(mostFailing.map(({ skillName }) => skillName)).toEqual(names.slice(0, 10));
    expect(mostLoaded.map(({ skillName }) => skillName)).toEqual(names.slice(0, 10));
  });

  test('processes that were seen lately, and which of them this is (F1)', async () => {
    const place = await world.place(kind);
    const [one, other] = [world.open(place), world.open(place)];
    const before = Date.now();
    await one.health();
    await other.health();
    const { replicas } = await one.overview.read({ since: moment(), until: moment(MINUTE) });
    expect(replicas.map(({ isThis }) => isThis).sort()).toEqual([false, true]);
    for (const { lastSeen } of replicas) {
      expect(lastSeen.getTime()).toBeGreaterThanOrEqual(before);
      expect(lastSeen.getTime()).toBeLessThanOrEqual(Date.now());
    }
    await other.close();
    const later = await one.overview.read({ since: moment(), until: moment(MINUTE) });
    expect(later.replicas).toMatchObject([{ isThis: true }]);
  });
});

async function openStore(kind: 'sqlite' | 'postgres'): Promise<Store> {
  const store = world.open(await world.place(kind));
  await store.migrate();
  return store;
}

async function run(store: Store, at: number, ms: number, code?: 'NOT_FOUND' | 'TIMEOUT', skillName = 'greet') {
  const invocation = invocationOf({ timestamp: moment(at), skillName });
  const result = code === undefined ? successOf(invocation, ms) : failureOf(invocation, code, ms);
  await logRun(store.invocations, invocation, result);
}

async function load(store: Store, times: readonly number[], ...names: readonly string[]) {
  const note = { digest: 'sha256:0', client: 'test', surface: 'api' };
  const loads = names.flatMap((skillName) => times.map((at) => ({ ...note, skillName, loadedAt: moment(at) })));
  expect(await store.loads.record(loads)).toEqual({ ok: true, value: 0 });
}
