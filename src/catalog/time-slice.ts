// Long work in short pieces: the process answers between two of them.
import { monotonicMs } from '../monotonic-clock.ts';

export interface TimeSlice {
  isSpent(): boolean;
  /** Lets everything else run, then starts the next piece. */
  rest(): Promise<void>;
}

/** Looking at the clock costs as much as the shortest piece of work: done only every so often. */
const STEPS_PER_LOOK = 16;

export function createTimeSlice(milliseconds: number): TimeSlice {
  let end = monotonicMs() + milliseconds;
  let steps = 0;
  return {
    isSpent: () => {
      steps += 1;
      return steps % STEPS_PER_LOOK === 0 && monotonicMs() >= end;
    },
    rest: () =>
      new Promise((resolve) => {
        setImmediate(() => {
          end = monotonicMs() + milliseconds;
          resolve();
        });
      }),
  };
}
