// Waits for a promise no longer than so many milliseconds.

/**
 * When the time is up, `late` decides: what it returns is the result, what it throws is the failure. What the promise comes
 * to afterwards is ignored, also its rejection. The timer keeps the process alive, so that the caller gets its answer.
 *
 * @example
 * const inTime = await within(idle.then(() => true), 500, () => false);
 */
export async function within<T, L>(promise: Promise<T>, milliseconds: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    return await Promise.race([promise, timeUp.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the promise is fulfilled in time; a rejection is passed on. */
export const doneWithin = (promise: Promise<unknown>, milliseconds: number): Promise<boolean> =>
  within(
    promise.then(() => true),
    milliseconds,
    () => false,
  );
