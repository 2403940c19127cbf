// The next turn of the event loop: everything that waits, answers to clients above all, runs before it.

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
