// A database that says nothing: who waits for it waits together, and one that is only slow is waited for.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSilence } from './silence.ts';

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'performance'],
    }),
);
afterEach(() => void vi.useRealTimers());

const MOST_MS = 1_600;
const late = () => new Error('late');
const never = () => new Promise<never>(() => undefined);

function open(probe: () => Promise<boolean> = never) {
  let haltedMs = 0;
  const silence = createSilence({ mostMs: MOST_MS, probe, monotonicMs: () => performance.now() + haltedMs });
  /** This process has no turn meanwhile: no timer is on time. */
  const halt = (milliseconds: number): void => {
    haltedMs += milliseconds;
  };
  /** A question that is never answered; milliseconds until its asker was told so, to the nearest ten. */
  const ask = async (limitMs = 10_000): Promise<number> => {
    const began = performance.now();
    silence.asked();
    await expect(silence.wait(never(), limitMs, late)).rejects.toThrow('late');
    silence.over();
    return Math.round((performance.now() - began) / 10) * 10;
  };
  return { silence, ask, halt };
}

test('questions one after the other wait no longer than one (F1, N7)', async () => {
  const { silence, ask } = open();
  const first = ask(1_000);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(await first).toBe(1_000);
  const second = ask();
  await vi.advanceTimersByTimeAsync(601);
  expect(await second).toBe(600);
  expect(silence.isTooLong()).toBe(true);
});

test('a slow statement beside which it answers is waited for as long as its own limit says (A7)', async () => {
  const { silence, ask } = open(async () => true);
  const slow = ask(5_000);
  await vi.advanceTimersByTimeAsync(4_990);
  expect(silence.isTooLong()).toBe(false);
  await vi.advanceTimersByTimeAsync(20);
  expect(await slow).toBe(5_000);
});

test('answers to others count: the time begins anew with each', async () => {
  const { silence, ask } = open();
  const waiting = ask();
  await vi.advanceTimersByTimeAsync(1_500);
  silence.heard();
  await vi.advanceTimersByTimeAsync(1_700);
  expect(await waiting).toBe(3_100);
});

test('it is asked until it answers, also when no one else asks; then nothing is owed (F1)', async () => {
  let isBack = false;
  const { silence, ask } = open(async () => isBack);
  const waiting = ask();
  await vi.advanceTimersByTimeAsync(1_700);
  await waiting;
  expect(silence.isTooLong()).toBe(true);
  isBack = true;
  await vi.advanceTimersByTimeAsync(400);
  expect(silence.ms()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('an answer that came in while the process was busy is read before it gives up', async () => {
  const { silence } = open();
  silence.asked();
  const answer = new Promise((resolve) => setTimeout(() => setImmediate(() => resolve('there')), MOST_MS));
  const waiting = silence.wait(answer, 10_000, late);
  await vi.advanceTimersByTimeAsync(MOST_MS + 1);
  expect(await waiting).toBe('there');
});

test('a process that was halted itself refuses no one for it: the database has time to answer (A7, F1)', async () => {
  const { silence, ask, halt } = open();
  const waiting = ask();
  await vi.advanceTimersByTimeAsync(100);
  halt(60_000);
  expect(silence.isTooLong()).toBe(false);
  await vi.advanceTimersByTimeAsync(900);
  expect(silence.isTooLong()).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(silence.isTooLong()).toBe(true);
  await vi.advanceTimersByTimeAsync(500);
  await waiting;
});
