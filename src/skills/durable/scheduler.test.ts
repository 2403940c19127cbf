// A schedule that fails costs itself alone (J7). What schedules do on a database: tests/contracts/stores/schedules.test.ts.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineSkill } from '../define/define-skill.ts';
import { StoreUnavailable } from '../record/invocation-log.ts';
import type { RuntimeEvent } from '../record/runtime-log.ts';
import { createRuntime } from '../run/runtime.ts';
import { parseSchedules } from './schedule.ts';
import { createScheduler, type SchedulerParts } from './scheduler.ts';

const work = defineSkill({
  name: 'work',
  description: 'Works.',
  category: 'execution',
  input: z.object({}),
  output: z.object({}),
  run: async () => ({}),
});

/** Two schedules that are due; what adding the run of the first comes to is given. */
function openScheduler(fault: Error) {
  const at = new Date('2026-01-02T04:00:00Z');
  const runtime = createRuntime({ skills: [work] });
  const given = ['first', 'second'].map((name) => ({ name, skill: 'work', cron: '0 3 * * *' }));
  const lines: RuntimeEvent[] = [];
  const added: string[] = [];
  const last = { at: new Date('2026-01-01T04:00:00Z'), invocationId: undefined };
  const add: SchedulerParts['add'] = async ({ name }) => {
    if (name === 'first') throw fault;
    added.push(name);
    return true;
  };
  const scheduler = createScheduler({
    schedules: parseSchedules(given, runtime.find),
    store: {
      knowSchedules: async (schedules) => new Map(schedules.map(({ name }) => [name, last])),
      ticks: async () => new Map(),
    },
    add,
    wakeIn: () => undefined,
    log: (event) => void lines.push(event),
    now: () => at,
  });
  return { scheduler, added, lines };
}

test('the run of one schedule that cannot be made does not keep the others from running (J7)', async () => {
  const { scheduler, added, lines } = openScheduler(new Error('no room'));
  await scheduler.look();
  expect(added).toEqual(['second']);
  expect(lines).toEqual([{ level: 'error', message: 'Cannot run the schedule "first"', error: 'no room' }]);
});

test('while the store is away all of them wait, and nothing is logged: the next look finds them (J7)', async () => {
  const { scheduler, added, lines } = openScheduler(new StoreUnavailable('away'));
  await scheduler.look();
  expect({ added, lines }).toEqual({ added: [], lines: [] });
});
