// What becomes of a call that is to be a run, and of the time of a schedule.
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { defineSkill } from '../define/define-skill.ts';
import { StoreUnavailable } from '../record/invocation-log.ts';
import { createRuntime, runHooksOf } from '../run/runtime.ts';
import { createRunStarts } from './run-starts.ts';
import type { NewRun } from './run-store.ts';
import { parseSchedules } from './schedule.ts';
import { createSealedJson } from './sealed-json.ts';

type StartsParts = Parameters<typeof createRunStarts>[0];

const limited = defineSkill({
  name: 'limited',
  description: 'Works once a minute.',
  category: 'execution',
  limits: { perMinute: 1 },
  input: z.object({}),
  output: z.object({}),
  run: async () => ({}),
});

test('a run that is stored is answered as stored, also when the store goes away right behind it (J1, F1)', async () => {
  const runtime = createRuntime({ skills: [limited] });
  const secret = async () => 's'.repeat(43);
  const away = async () => {
    throw new StoreUnavailable('away');
  };
  const woken: string[] = [];
  const starts = createRunStarts({
    // Nothing else is asked of it here.
    store: { add: async () => ({ kind: 'added' }), find: away } as unknown as StartsParts['store'],
    find: runtime.find,
    ...runHooksOf(runtime),
    sealed: createSealedJson(secret),
    secret,
    wake: (id) => void woken.push(id),
    now: () => new Date('2026-01-01T03:00:00Z'),
  });
  const caller: Caller = { kind: 'agent', name: 'ada', roles: ['*'], scopes: [] };
  const started = await starts.start({ name: 'limited', input: {}, caller });
  const run = { invocation: { id: woken[0], status: 'pending' }, owner: { kind: 'agent', name: 'ada' }, attempts: [] };
  expect(started).toMatchObject({ state: 'stored', run, isNew: true });
});

test('a time is not used up by a process that counts it a second time: no limit a minute refuses a schedule (J7)', async () => {
  const runtime = createRuntime({ skills: [limited] });
  const secret = async () => 's'.repeat(43);
  const added: (NewRun | undefined)[] = [];
  const tick = async (_tick: unknown, run: NewRun | undefined) => added.push(run) > 0;
  const starts = createRunStarts({
    // Nothing else is asked of it here.
    store: { tick } as unknown as StartsParts['store'],
    find: runtime.find,
    ...runHooksOf(runtime),
    sealed: createSealedJson(secret),
    secret,
    wake: () => undefined,
    now: () => new Date('2026-01-01T03:00:00Z'),
  });
  const { usable } = parseSchedules([{ name: 'nightly', skill: 'limited', cron: '0 3 * * *' }], runtime.find);
  const caller: Caller = { kind: 'operator', name: 'schedule:nightly', roles: [], scopes: [] };
  const [from, to] = [new Date('2025-12-31T03:00:00Z'), new Date('2026-01-01T03:00:00Z')];
  for (const schedule of [...usable, ...usable])
    await starts.addScheduled(schedule, { name: 'nightly', from, to }, caller);
  expect(added).toEqual([expect.objectContaining({ caller }), expect.objectContaining({ caller })]);
});
