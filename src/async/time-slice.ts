// Long work in short pieces: the process answers between two of them.
import { monotonicMs } from './monotonic-clock.ts';

export interface TimeSlice {
  isSpent(): boolean;
  /** Lets everything else run, then starts the next piece. */
  rest(): Promise<void>;
}

/** `stepsPerLook`: for steps so short that looking at the clock costs as much, it is looked at only every so often. */
export function createTimeSlice(milliseconds: number, stepsPerLook = 1): TimeSlice {
  let end = monotonicMs() + milliseconds;
  let steps = 0;
  return {
    isSpent: () => {
      steps += 1;
      return steps % stepsPerLook === 0 && monotonicMs() >= end;
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
