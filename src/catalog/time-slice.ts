// Long work in short pieces: the process answers between two of them.

export interface TimeSlice {
  isSpent(): boolean;
  /** Lets everything else run, then starts the next piece. */
  rest(): Promise<void>;
}

export function createTimeSlice(milliseconds: number): TimeSlice {
  let end = performance.now() + milliseconds;
  return {
    isSpent: () => performance.now() >= end,
    rest: () =>
      new Promise((resolve) => {
        setImmediate(() => {
          end = performance.now() + milliseconds;
          resolve();
        });
      }),
  };
}
