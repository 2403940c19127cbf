// Waits for a promise no longer than so many milliseconds.

/**
 * When the time is up, `late` decides: what it returns is the result, what it throws is the failure. What the promise comes
 * to afterwards is ignored, also its rejection. The timer keeps the process alive, so that the caller gets its answer.
 *
 * @example
 * const inTime = await within(idle.then(() => true), 500, () => false);
 */
export function within<T, L>(promise: Promise<T>, milliseconds: number, late: () => L): Promise<T | L> {
  // One promise, not a race of several: half the cost, and it stands around every question to the store.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, milliseconds);
    const settle = (pass: () => void): void => {
      clearTimeout(timer);
      pass();
    };
    promise.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

/** Whether the promise is fulfilled in time; a rejection is passed on. */
export const doneWithin = (promise: Promise<unknown>, milliseconds: number): Promise<boolean> =>
  within(
    promise.then(() => true),
    milliseconds,
    () => false,
  );
