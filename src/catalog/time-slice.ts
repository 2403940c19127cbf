// Long work in short pieces: the process answers between two of them.
import { monotonicMs } from '../monotonic-clock.ts';

export interface TimeSlice {
  isSpent(): boolean;
  /** Lets everything else run, then starts the next piece. */
  rest(): Promise<void>;
}

export function createTimeSlice(milliseconds: number): TimeSlice {
  let end = monotonicMs() + milliseconds;
  return {
    isSpent: () => monotonicMs() >= end,
    rest: () =>
      new Promise((resolve) => {
        setImmediate(() => {
          end = monotonicMs() + milliseconds;
          resolve();
        });
      }),
  };
}
