// Schedules on a database (J7): over all processes each time is run once, and what was missed is made up by one run; also on the days
// on which clocks change.
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLocalBus } from '../../../src/async/bus.ts';
import { sleep } from '../../../src/async/sleep.ts';
import { LOCAL_OPERATOR } from '../../../src/identity/caller.ts';
import { defineSkill } from '../../../src/skills/define/define-skill.ts';
import { createRuns, type OpenRuns } from '../../../src/skills/durable/create-runs.ts';
import { createLookingQueue } from '../../../src/skills/durable/run-queue.ts';
import { parseSchedules } from '../../../src/skills/durable/schedule.ts';
import type { RuntimeEvent } from '../../../src/skills/record/runtime-log.ts';
import { createRuntime } from '../../../src/skills/run/runtime.ts';
import { openStore } from '../../../src/store/store.ts';
import { PATIENT } from '../../support/patience.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
const DAY_MS = 86_400_000;
const text = z.object({ text: z.string() });
const skillOf = (ran: string[]) =>
  defineSkill({
    name: 'work',
    description: 'Works.',
    category: 'execution',
    input: text,
    output: text,
    run: async (input) => {
      ran.push(input.text);
      return input;
    },
  });
const nightly = { name: 'nightly', skill: 'work', input: { text: 'hi' }, cron: '0 3 * * *', timezone: 'UTC' };

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function openEngines(count: number, schedules: readonly unknown[], clock: { at: Date }) {
    const place = await world.place(kind);
    const ran: string[] = [];
    const lines: RuntimeEvent[] = [];
    const open = async (): Promise<OpenRuns> => {
      const store = openStore(place, PATIENT);
      await store.migrate();
      const runtime = createRuntime({ skills: [skillOf(ran)], invocationLog: store.invocations });
      const runs = createRuns({
        runtime,
        store: store.runs,
        queue: createLookingQueue(20),
        bus: createLocalBus((error) => {
          throw error;
        }),
        secret: () => store.secrets.getOrAdd('run-key', () => 'k'.repeat(43)),
        schedules,
        log: (event) => void lines.push(event),
        now: () => clock.at,
        random: Math.random,
      });
      await runs.open();
      const close = async () => {
        await runs.close(0);
        await runtime.close();
        await store.close();
      };
      closing.push(close);
      return runs;
    };
    const engines = await Promise.all(Array.from({ length: count }, open));
    return { engines, ran, lines, open };
  }

  test('each time is run once over all processes, as schedule:NAME (J7)', async () => {
    const clock = { at: new Date('2026-01-10T02:59:00Z') };
    const { engines, ran } = await openEngines(3, [nightly], clock);
    expect(ran).toEqual([]);
    clock.at = new Date('2026-01-10T03:00:01Z');
    await expect.poll(() => ran).toEqual(['hi']);
    const states = async () => (await engines[1]?.schedules()) ?? [];
    await expect.poll(async () => (await states())[0]?.lastAt).toEqual(clock.at);
    await expect.poll(async () => (await states())[0]?.lastStatus).toBe('completed');
    expect(await states()).toMatchObject([{ name: 'nightly', nextAt: new Date('2026-01-11T03:00:00Z') }]);
    clock.at = new Date('2026-01-11T03:00:02Z');
    await expect.poll(() => ran.length).toBe(2);
    clock.at = new Date('2026-01-11T03:00:20Z');
    const page = await engines[0]?.list({ limit: 9 }, LOCAL_OPERATOR);
    expect(page?.runs.map(({ invocation }) => invocation.invokingAgent)).toEqual([
      'schedule:nightly',
      'schedule:nightly',
    ]);
  });

  test.each(['2026-03-29T00:57:01Z', '2026-10-25T00:57:01Z'])(
    'every minute over a change of clocks runs once on three processes that end and begin, from %s (J7)',
    async (from) => {
      const clock = { at: new Date(from) };
      const minutely = { ...nightly, name: 'minutely', cron: '* * * * *', timezone: 'Europe/Berlin' };
      const { engines, ran, open } = await openEngines(3, [minutely], clock);
      const alive = [...engines];
      for (let minute = 1; minute <= 8; minute += 1) {
        clock.at = new Date(clock.at.getTime() + 60_000);
        await expect.poll(() => ran.length, { message: `minute ${minute}` }).toBeGreaterThanOrEqual(minute);
        await alive.shift()?.close(0);
        alive.push(await open());
        expect(ran).toHaveLength(minute);
      }
      // Who looks again at the same time, or after the clock went back, makes none.
      clock.at = new Date(clock.at.getTime() - 180_000);
      await Promise.all([open(), open()]);
      await sleep(100);
      expect(ran).toHaveLength(8);
    },
  );

  test('times that were missed while nothing ran are made up by one run; a schedule that is new makes up none (J7)', async () => {
    const clock = { at: new Date('2026-01-10T02:59:00Z') };
    const { engines, ran, open } = await openEngines(1, [nightly], clock);
    await engines[0]?.close(0);
    clock.at = new Date('2026-01-15T12:00:00Z');
    await open();
    await expect.poll(() => ran).toEqual(['hi']);
    const later = await open();
    expect(await later.schedules()).toMatchObject([{ nextAt: new Date('2026-01-16T03:00:00Z') }]);
    expect(ran).toEqual(['hi']);
  });

  test('a clock that was years ahead, and was set right, does not silence a schedule; one that goes back an hour repeats no time (J7, F12)', async () => {
    const clock = { at: new Date(Date.now() + 5 * 365 * DAY_MS) };
    const { ran, engines } = await openEngines(2, [{ ...nightly, cron: '* * * * *' }], clock);
    const passes = async (ms: number) => {
      clock.at = new Date(clock.at.getTime() + ms);
      await sleep(100);
    };
    await passes(60_000);
    await expect.poll(() => ran).toHaveLength(1);
    clock.at = new Date();
    // A look at the wrong row, then the minute.
    await passes(1_000);
    const lastAt = async () => (await engines[0]?.schedules())?.[0]?.lastAt?.getTime();
    await expect.poll(lastAt).toBeLessThanOrEqual(clock.at.getTime());
    await passes(60_000);
    await expect.poll(() => ran).toHaveLength(2);
    await passes(-3_600_000);
    for (let minute = 0; minute < 5; minute += 1) await passes(60_000);
    expect(ran).toHaveLength(2);
    expect((await engines[0]?.schedules())?.[0]?.problem).toBeUndefined();
  });

  test('a bad entry is told by name, the others run (J7)', async () => {
    const clock = { at: new Date('2026-01-10T02:59:00Z') };
    const bad = { ...nightly, name: 'odd', cron: '61 * * * *' };
    const { ran, lines } = await openEngines(1, [bad, nightly], clock);
    expect(lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('schedule "odd": its cron') }]);
    clock.at = new Date('2026-01-10T03:00:01Z');
    await expect.poll(() => ran).toEqual(['hi']);
  });
});

const find = createRuntime({ skills: [skillOf([])] }).find;

test.each([
  ['a cron with seconds', { cron: '* * * * * *' }, 'its cron cannot be read'],
  ['a timezone that is not known', { timezone: 'Mars/Olympus' }, 'its timezone "Mars/Olympus" is not known'],
  ['a skill that is not there', { skill: 'nope' }, 'there is no typed skill "nope"'],
  ['an input that does not fit', { input: { text: 1 } }, 'its input does not fit the skill'],
  ['a field that is not known', { crom: 1 }, 'it has the unknown field "crom"'],
  ['a time that never comes', { cron: '0 0 30 2 *' }, 'has no time in the future'],
  ['no name', { name: '' }, 'it has no name'],
  ['a date in place of a cron', { cron: '2099-11-20T00:00:00' }, 'its cron cannot be read (it has 1 field)'],
])('%s is a bad entry (J7)', (_what, change, problem) => {
  const { usable, bad } = parseSchedules(
    [
      { ...nightly, ...change },
      { ...nightly, name: 'good' },
    ],
    find,
  );
  expect(usable.map(({ name }) => name)).toEqual(['good']);
  expect(bad).toMatchObject([{ problem: expect.stringContaining(problem) }]);
});

test('two entries of one name are both bad (J7)', () => {
  expect(parseSchedules([nightly, nightly], find)).toMatchObject({ usable: [], bad: [{}, {}] });
});

test('entries without a name are told by their place, each by what is wrong with it (J7)', () => {
  const { bad } = parseSchedules(['text', { ...nightly, name: '' }], find);
  expect(bad).toMatchObject([
    { problem: expect.stringContaining('"number 1": it is not an object') },
    { problem: expect.stringContaining('"number 2": it has no name') },
  ]);
});

function timesOf(cron: string, from: string, count: number): readonly string[] {
  const { usable } = parseSchedules([{ ...nightly, cron, timezone: 'Europe/Berlin' }], find);
  const times: string[] = [];
  let at = new Date(from);
  for (let n = 0; n < count; n += 1) {
    at = usable[0]?.nextAfter(at) ?? at;
    times.push(at.toISOString());
    // As a process that is a second late has it.
    at = new Date(at.getTime() + 1_000);
  }
  return times;
}

test('a time that does not exist on the day of the change runs when the clock has leapt; one that exists twice runs once (J7)', () => {
  expect(timesOf('30 2 * * *', '2026-03-28T12:00:00Z', 2)).toEqual([
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ]);
  expect(timesOf('30 2 * * *', '2026-10-24T12:00:00Z', 2)).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
  // Of every hour there is one run, the hour that comes twice included.
  expect(timesOf('30 * * * *', '2026-10-24T23:45:00Z', 3)).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:30:00.000Z',
    '2026-10-25T02:30:00.000Z',
  ]);
});

test('so do several times a day, in lists, ranges and steps: none is lost, and none runs twice (J7)', () => {
  // Both are left out on that day: one run makes up for them.
  expect(timesOf('0,30 2 * * *', '2026-03-28T12:00:00Z', 2)).toEqual([
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:00:00.000Z',
  ]);
  expect(timesOf('30 2,4 * * *', '2026-03-28T12:00:00Z', 2)).toEqual([
    '2026-03-29T01:00:00.000Z',
    '2026-03-29T02:30:00.000Z',
  ]);
  expect(timesOf('30 1-3 * * *', '2026-10-24T12:00:00Z', 4)).toEqual([
    '2026-10-24T23:30:00.000Z',
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T02:30:00.000Z',
    '2026-10-26T00:30:00.000Z',
  ]);
  expect(timesOf('*/30 2 * * *', '2026-10-24T12:00:00Z', 3)).toEqual([
    '2026-10-25T00:00:00.000Z',
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:00:00.000Z',
  ]);
});
