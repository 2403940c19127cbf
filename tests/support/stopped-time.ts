// Time that passes only when the test says so, for timers and for the monotonic clock: how long a wait is, not how long it
// took. The event loop goes on.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { useOwnTimers } from '../../src/async/fixtures/own-timers.ts';

export interface StoppedTime {
  pass(milliseconds: number): Promise<void>;
  /** As for a process that is halted meanwhile: the clock went on, and all timers that were due by then are late. */
  leap(milliseconds: number): Promise<void>;
  /** Since it was stopped. */
  passedMs(): number;
  /** Timers that what this test called waits for. */
  waiting(): number;
}

const TIMEOUTS = ['setTimeout', 'clearTimeout'] as const;
const INTERVALS = ['setInterval', 'clearInterval'] as const;

const STEP_MS = 100;

/** Until the test is over. Timers of the other kind go on. */
export function stopTime(timers: 'timeouts' | 'intervals' = 'timeouts'): StoppedTime {
  let ms = 0;
  const own = useOwnTimers({ toFake: [...(timers === 'timeouts' ? TIMEOUTS : INTERVALS)] });
  const uptime = vi.spyOn(process, 'uptime').mockImplementation(() => ms / 1_000);
  onTestFinished(() => {
    uptime.mockRestore();
  });
  return {
    async pass(milliseconds) {
      for (let left = milliseconds; left > 0; left -= STEP_MS) {
        const step = Math.min(left, STEP_MS);
        ms += step;
        await vi.advanceTimersByTimeAsync(step);
      }
    },
    async leap(milliseconds) {
      ms += milliseconds;
      await vi.advanceTimersToNextTimerAsync();
    },
    passedMs: () => ms,
    waiting: own.count,
  };
}

/** Waits without letting time pass, as expect.poll() does. Throws when the test is over: nothing goes on behind it. */
export async function until(condition: () => boolean): Promise<void> {
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  do {
    await nextTurn();
    if (isOver) throw new Error('The test ended before the condition held');
  } while (!condition());
}
