// What a caller is told of a run that it waits for, when the store goes away meanwhile (J2, F1).
import { expect, test } from 'vitest';
import { z } from 'zod';
import { LOCAL_OPERATOR } from '../../identity/caller.ts';
import { defineSkill } from '../define/define-skill.ts';
import { StoreUnavailable } from '../record/invocation-log.ts';
import { createRuntime } from '../run/runtime.ts';
import { invokeOrRun } from './invoke-or-run.ts';
import type { Run, Runs } from './runs.ts';

const work = defineSkill({
  name: 'work',
  description: 'Works.',
  category: 'execution',
  input: z.object({}),
  output: z.object({}),
  durable: {},
  run: async () => ({}),
});

const at = new Date('2026-01-01T00:00:00Z');
const stored: Run = {
  invocation: {
    id: '00000000-0000-4000-8000-000000000001',
    skillName: 'work',
    inputPayload: {},
    invokingAgent: 'local',
    correlationId: '00000000-0000-4000-8000-000000000002',
    timestamp: at,
    status: 'pending',
  },
  result: undefined,
  owner: LOCAL_OPERATOR,
  attempts: [],
  progress: undefined,
  approval: undefined,
  isCancelled: false,
  updatedAt: at,
};

const runsThatWait = (wait: Runs['wait']) =>
  ({ start: async () => ({ state: 'stored', run: stored, isNew: true }), wait }) as Partial<Runs> as Runs;

test('a run that is stored is accepted, not failed, when the store goes away while its end is waited for (J2, F1)', async () => {
  const runs = runsThatWait(() => Promise.reject(new StoreUnavailable('away')));
  const invoked = await invokeOrRun(
    { runtime: createRuntime({ skills: [work] }), runs },
    { name: 'work', input: {}, caller: LOCAL_OPERATOR },
  );
  expect(invoked).toEqual({ kind: 'accepted', run: stored });
});

test('a fault of ours while a run is waited for is not hidden (J2)', async () => {
  const runs = runsThatWait(() => Promise.reject(new Error('a fault')));
  const invoking = invokeOrRun(
    { runtime: createRuntime({ skills: [work] }), runs },
    { name: 'work', input: {}, caller: LOCAL_OPERATOR },
  );
  await expect(invoking).rejects.toThrow('a fault');
});
