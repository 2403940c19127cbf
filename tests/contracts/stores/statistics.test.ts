// Statistics from roll-ups: one suite for every store (X8).

import { beforeEach, describe, expect, test } from 'vitest';
import type { InvocationLog } from '../../../src/skills/record/invocation-log.ts';
import fc from '../../support/property.ts';
import { failureOf, invocationOf, logRun, moment, successOf } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

const MINUTE = 60_000;

describe.each(['memory', 'sqlite', 'postgres'] as const)('on %s', (kind) => {
  let log: InvocationLog;
  beforeEach(async () => {
    log = (await world.logs(kind)).invocations;
  });

  const run = async (at: number, durationMs: number, code?: 'NOT_FOUND' | 'TIMEOUT', skillName = 'greet') => {
    const invocation = invocationOf({ timestamp: moment(at), skillName });
    const result = code === undefined ? successOf(invocation, durationMs) : failureOf(invocation, code, durationMs);
    await logRun(log, invocation, result);
  };

  test('counts, failures by code and a series without gaps (X8)', async () => {
    await Promise.all([run(0, 5), run(1, 7), run(2 * MINUTE, 9, 'NOT_FOUND'), run(2 * MINUTE, 3, 'TIMEOUT', 'part')]);
    const stats = await log.stats({ since: moment(), until: moment(3 * MINUTE) });
    expect(stats.skills).toEqual([
      {
        skillName: 'greet',
        count: 3,
        successCount: 2,
        failureCount: 1,
        failures: { NOT_FOUND: 1 },
        durationMs: { p50: 7, p95: 9, p99: 9 },
      },
      {
        skillName: 'part',
        count: 1,
        successCount: 0,
        failureCount: 1,
        failures: { TIMEOUT: 1 },
        durationMs: { p50: 3, p95: 3, p99: 3 },
      },
    ]);
    expect(stats.series).toEqual([
      { start: moment(), count: 2, failureCount: 0 },
      { start: moment(MINUTE), count: 0, failureCount: 0 },
      { start: moment(2 * MINUTE), count: 2, failureCount: 2 },
    ]);
  });

  test('one skill alone; what runs still is not counted (X8)', async () => {
    await Promise.all([run(0, 5), run(0, 5, undefined, 'part'), log.begin(invocationOf())]);
    const stats = await log.stats({ skill: 'part', since: moment(), until: moment(MINUTE) });
    expect(stats.skills.map(({ skillName, count }) => [skillName, count])).toEqual([['part', 1]]);
    expect(stats.series).toEqual([{ start: moment(), count: 1, failureCount: 0 }]);
  });

  test('counts by agent and by what a name stands for, as by skill (X8) (M9)', async () => {
    const as = async (invokingAgent: string, skillName: string, code?: 'UNAUTHORIZED' | 'TIMEOUT') => {
      const invocation = invocationOf({ invokingAgent, skillName });
      await logRun(log, invocation, code === undefined ? successOf(invocation, 5) : failureOf(invocation, code, 7));
    };
    await Promise.all([as('b', 'greet'), as('a', 'greet'), as('a', 'part', 'UNAUTHORIZED'), as('a', 'sum', 'TIMEOUT')]);
    const window = { since: moment(), until: moment(MINUTE) };
    expect(await log.statsBy({ ...window, by: 'agent' })).toEqual([
      {
        key: 'a',
        count: 3,
        successCount: 1,
        failureCount: 2,
        failures: { UNAUTHORIZED: 1, TIMEOUT: 1 },
        durationMs: { p50: 7, p95: 7, p99: 7 },
      },
      {
        key: 'b',
        count: 1,
        successCount: 1,
        failureCount: 0,
        failures: {},
        durationMs: { p50: 5, p95: 5, p99: 5 },
      },
    ]);
    const brief = async (query: Parameters<InvocationLog['statsBy']>[0]) =>
      (await log.statsBy(query)).map(({ key, count }) => [key, count]);
    expect(await brief({ ...window, by: 'agent', skill: 'greet' })).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect(await brief({ ...window, by: (name) => (name === 'greet' ? 'planning' : 'unknown') })).toEqual([
      ['planning', 2],
      ['unknown', 2],
    ]);
    expect(await brief({ since: moment(-MINUTE), until: moment(-1), by: 'agent' })).toEqual([]);
  });

  test('a window with nothing in it has a series of zeros (X8)', async () => {
    const stats = await log.stats({ since: moment(), until: moment(2 * MINUTE) });
    expect(stats).toEqual({
      skills: [],
      series: [0, MINUTE].map((at) => ({ start: moment(at), count: 0, failureCount: 0 })),
    });
  });

  test('what is counted already is added to (X8)', async () => {
    for (let runs = 0; runs < 3; runs += 1) await run(0, 5);
    expect((await log.stats({ since: moment(), until: moment(MINUTE) })).skills[0]?.count).toBe(3);
  });

  test('a refused second result is not counted (X8)', async () => {
    const invocation = invocationOf();
    await logRun(log, invocation);
    await expect(log.end(invocation, successOf(invocation))).rejects.toThrow();
    expect((await log.stats({ since: moment(), until: moment(MINUTE) })).skills[0]?.count).toBe(1);
  });

  test('windows of any length count the minutes they touch, exactly (X8)', async () => {
    const day = 24 * 60 * MINUTE;
    const times = Array.from({ length: 120 }, (_, index) => Math.floor((index * 9 * day) / 119));
    await Promise.all(times.map((at) => run(at, 5)));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 9 * day }),
        fc.integer({ min: 1, max: 9 * day }),
        async (from, length) => {
          const until = from + length;
          const floor = Math.floor(from / MINUTE) * MINUTE;
          const ceiling = Math.ceil(until / MINUTE) * MINUTE;
          const wanted = times.filter((at) => at >= floor && at < ceiling).length;
          const { skills, series } = await log.stats({ since: moment(from), until: moment(until) });
          expect(skills[0]?.count ?? 0).toBe(wanted);
          expect(series.reduce((sum, { count }) => sum + count, 0)).toBe(wanted);
          expect(series.length).toBeLessThan(200);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('percentiles are within 5 % of the exact ones (X8)', async () => {
    const durations = Array.from({ length: 400 }, (_, index) => Math.round(1.03 ** index));
    await Promise.all(durations.map((duration) => run(0, duration)));
    const { skills } = await log.stats({ since: moment(), until: moment(MINUTE) });
    const exact = (share: number) => durations[Math.ceil(share * durations.length) - 1] ?? 0;
    for (const [name, share] of [
      ['p50', 0.5],
      ['p95', 0.95],
      ['p99', 0.99],
    ] as const) {
      const found = skills[0]?.durationMs[name] ?? 0;
      expect(Math.abs(found - exact(share)) / exact(share)).toBeLessThan(0.05);
    }
  });
});
