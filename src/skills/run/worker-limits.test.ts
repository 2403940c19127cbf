// The bounds of worker skills, one of each kind; worker-bombs.test.ts and worker-processes.test.ts try many more.
import { afterAll, expect, test } from 'vitest';
import { bombSkill } from '../fixtures/bomb-skill.ts';
import type { RuntimeEvent } from '../record/runtime-log.ts';
import { createRuntime } from './runtime.ts';

const lines: RuntimeEvent[] = [];

const runtime = createRuntime({
  skills: ['map', 'manyValues', 'forgedFailure', 'pause', 'spawnSleeper'].map((name) => bombSkill(name)),
  log: (line) => lines.push(line),
});

const invoke = (name: string, signal?: AbortSignal) => runtime.invoke({ name, input: {}, signal });

afterAll(() => runtime.close());

test.each([
  ['map', /Its process (?:died of|took more than)/],
  ['manyvalues', /^Cannot hand over its output: it has more than 50,000 values/],
  ['forgedfailure', /^Its process sent what is no answer$/],
])('%s: costs its own call, beside one that succeeds (F14) (A1) (A4)', async (name, error) => {
  const [bad, good] = await Promise.all([invoke(name), invoke('pause')]);
  expect(bad).toMatchObject({ failure: { code: 'INTERNAL_ERROR', details: undefined } });
  expect(good).toMatchObject({ success: true });
  expect(lines.findLast(({ message }) => message === `Skill "${name}" threw an error`)?.error).toMatch(error);
});

test('what a worker skill started ends with its call (F11)', async () => {
  const stop = new AbortController();
  const stuck = invoke('spawnsleeper', stop.signal);
  const sleeper = () => lines.map(({ text }) => /^sleeper (\d+)/.exec(String(text))?.[1]).find(Boolean);
  await expect.poll(sleeper).toBeDefined();
  stop.abort();
  await stuck;
  await expect.poll(() => isRunning(Number(sleeper()))).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
