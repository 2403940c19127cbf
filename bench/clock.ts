// The bench's one clock, and waiting on it.
import { setTimeout } from 'node:timers/promises';

/** Milliseconds with a resolution of microseconds; only differences mean something. */
export const now = (): number => performance.now();

export const sleep = (milliseconds: number): Promise<void> => setTimeout(milliseconds);
