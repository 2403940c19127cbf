// Runs of a program that is closed while it looks whether there are any: nothing is opened any more (J5).
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunPage } from '../skills/durable/runs.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { createRuntime } from '../skills/run/runtime.ts';
import { createProgramRuns, type ProgramRunsParts } from './open-runs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Of a program without durable skills: it looks whether a process that died has left something. */
function openProgram() {
  const looks: { readonly answer: (page: RunPage) => void; readonly refuse: (error: Error) => void }[] = [];
  const list = () => new Promise<RunPage>((answer, refuse) => void looks.push({ answer, refuse }));
  const subscribe = vi.fn(() => () => undefined);
  // Nothing else is asked of it here.
  const store = { kind: 'sqlite', runs: { list }, bus: { subscribe } } as unknown as ProgramRunsParts['store'];
  const runtime = createRuntime({ skills: [] });
  const runs = createProgramRuns({ runtime, store, signingSecret: undefined, takes: 'all', log: () => undefined });
  return { runs, looks, subscribe };
}

const HOUR_MS = 3_600_000;

test('what is found after the close is left to others (J5)', async () => {
  const { runs, looks, subscribe } = openProgram();
  await vi.advanceTimersByTimeAsync(1_000);
  await runs.close(0);
  looks[0]?.answer({ runs: [{} as RunPage['runs'][number]], nextCursor: undefined });
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.dynamicImportSettled();
  expect(looks).toHaveLength(1);
  expect(subscribe).not.toHaveBeenCalled();
});

test('a store that is away at the close is not looked at again (J5)', async () => {
  const { runs, looks } = openProgram();
  await vi.advanceTimersByTimeAsync(1_000);
  await runs.close(0);
  looks[0]?.refuse(new StoreUnavailable('closed'));
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(looks).toHaveLength(1);
});
