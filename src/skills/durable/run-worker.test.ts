// What a worker does when its store goes away, or when another process has its run (J5, J6). Over a real store:
// tests/contracts/stores/run-engine.test.ts.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { LOCAL_OPERATOR } from '../../identity/caller.ts';
import { defineSkill } from '../define/define-skill.ts';
import { StoreUnavailable } from '../record/invocation-log.ts';
import type { CarriedOut, CarryOut } from '../run/carry-out.ts';
import { createRuntime } from '../run/runtime.ts';
import type { RunQuestions } from './run-questions.ts';
import type { RunStore, TakenRun } from './run-store.ts';
import { createRunWorker } from './run-worker.ts';
import { createSealedJson } from './sealed-json.ts';

const work = defineSkill({
  name: 'work',
  description: 'Works.',
  category: 'execution',
  input: z.object({}),
  output: z.object({}),
  durable: {},
  run: async () => ({}),
});

const id = '00000000-0000-4000-8000-000000000001';
const at = new Date('2026-01-01T00:00:00Z');
/** Longer than the pauses between a few questions to the store. */
const OUTAGE_MS = 10_000;
const sealed = createSealedJson(async () => 's'.repeat(43));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A worker with one run to take. `store`: what is special about its store. */
async function openWorker(
  store: Partial<RunStore>,
  carry: (run: Parameters<CarryOut>[0]) => Promise<unknown>,
  ask: RunQuestions['ask'] = async () => ({}),
) {
  const told: string[] = [];
  const lines: unknown[] = [];
  const taken: TakenRun = {
    id,
    skillName: 'work',
    caller: LOCAL_OPERATOR,
    invokingAgent: 'local',
    correlationId: '00000000-0000-4000-8000-000000000002',
    sealed: await sealed.seal({}, id),
    attempt: 1,
    mostAttempts: 1,
    createdAt: at,
  };
  const due = [{ id, ownerKey: 'operator:local', skillName: 'work' }];
  const carryOut: CarryOut = async (run) => {
    await carry(run);
    const { skillName, invokingAgent, correlationId } = run;
    const invocation = { id, skillName, invokingAgent, correlationId, inputPayload: {}, timestamp: at } as const;
    const result = { invocationId: id, success: true, outputPayload: {}, durationMs: 1, timestamp: at } as const;
    return {
      invocation: { ...invocation, status: 'completed' },
      result,
      isCancelled: false,
      announce: () => void told.push('announced'),
    } satisfies CarriedOut;
  };
  const usual: Partial<RunStore> = {
    take: async () => taken,
    renew: async () => ({ lost: [], cancelled: [] }),
    finish: async () => true,
    steps: async () => new Map(),
    keepStep: async () => undefined,
  };
  const worker = createRunWorker({
    // Nothing else is asked of it here.
    store: { ...usual, ...store } as RunStore,
    due: async () => due.splice(0),
    sealed,
    questions: { ask },
    find: createRuntime({ skills: [work] }).find,
    names: () => ['work'],
    carryOut,
    resumeSpan: () => undefined,
    places: { enter: () => true, leave: () => undefined },
    onChanged: () => undefined,
    onEnded: () => void told.push('ended'),
    wakeIn: () => undefined,
    log: (event) => void lines.push(event),
    random: () => 0.5,
  });
  worker.wake();
  return { worker, told, lines };
}

test('the end of a run is announced once it is stored (J5)', async () => {
  const { told, worker } = await openWorker({}, async () => undefined);
  await expect.poll(() => worker.running).toBe(0);
  await vi.waitFor(() => expect(told).toEqual(['ended', 'announced']));
});

test('a process that lost its run does not announce an end: the other process does (J5)', async () => {
  const finish = vi.fn(async () => false);
  const { told, worker } = await openWorker({ finish }, async () => undefined);
  await vi.waitFor(() => expect(finish).toHaveBeenCalledOnce());
  await expect.poll(() => worker.running).toBe(0);
  expect(told).toEqual(['ended']);
});

test('a step waits for a store that is away for a moment, and the run goes on (J6)', async () => {
  let outages = 2;
  const kept: string[] = [];
  const keepStep: RunStore['keepStep'] = async (_id, step) => {
    outages -= 1;
    if (outages >= 0) throw new StoreUnavailable('away');
    kept.push(step);
  };
  const { told, lines, worker } = await openWorker({ keepStep }, async ({ steps }) => {
    expect(await steps.find('first')).toBeUndefined();
    await steps.began('first');
  });
  await vi.advanceTimersByTimeAsync(OUTAGE_MS);
  expect(worker.running).toBe(0);
  expect(told).toContain('announced');
  expect({ kept, lines }).toEqual({ kept: ['first began'], lines: [] });
});

test('a question to a person outlives a store that is away for a moment (J6)', async () => {
  const ask = vi.fn<RunQuestions['ask']>(async () => ({ colour: { action: 'accept', content: {} } }));
  ask.mockRejectedValueOnce(new StoreUnavailable('away'));
  const { told } = await openWorker({}, ({ steps, signal }) => steps.ask({}, signal), ask);
  await vi.advanceTimersByTimeAsync(OUTAGE_MS);
  expect(told).toEqual(['ended', 'announced']);
  expect(ask).toHaveBeenCalledTimes(2);
});

test('a run that is to end waits for no store (J6)', async () => {
  const keepStep = vi.fn(() => Promise.reject(new StoreUnavailable('away')));
  const failures: unknown[] = [];
  const { worker } = await openWorker({ keepStep }, ({ steps }) =>
    steps.began('first').catch((error: unknown) => void failures.push(error)),
  );
  await vi.advanceTimersByTimeAsync(1);
  expect(keepStep).toHaveBeenCalledOnce();
  worker.abort(id);
  await vi.advanceTimersByTimeAsync(OUTAGE_MS);
  expect(failures).toEqual([expect.any(StoreUnavailable)]);
});
