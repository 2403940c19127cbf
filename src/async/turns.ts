// Work in turns: one after the other, or a few at once; the others wait in their order.

/** Work whose signal is aborted before its turn comes is not begun. A failure does not stop those that wait. */
export type InTurn = <T>(work: () => T | Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * @example
 * const inTurn = createTurns();
 * await Promise.all(texts.map((text) => inTurn(() => inspect(text))));
 */
export function createTurns(atOnce = 1): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    // The one that leaves hands its place to the first that waits.
    if (running === atOnce) return await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (work, signal) => {
    await enter();
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      leave();
    }
  };
}
