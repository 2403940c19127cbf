// Lets a few run at once; the others wait, first come first served.

/** Work whose signal is aborted before its turn comes is not begun. */
export type InTurn = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

export function createTurns(atOnce: number): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    // Who waits is handed the place of the one who leaves.
    if (running === atOnce) return await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (signal, work) => {
    await enter();
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      leave();
    }
  };
}
