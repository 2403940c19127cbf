// What a part of the long fault tests is given: a seed, folders, and a place to report each fault.
import type { Random } from '../../../bench/random.ts';

export interface FaultContext {
  /** Begins anew for every fault, so that one can be repeated without the others. */
  random(): Random;
  /** Made empty; deleted at the end of the run. */
  folder(name: string): string;
  /** One fault: `work` answers with its figures or throws what is wrong. Never rejects. */
  check(name: string, work: () => Promise<string>): Promise<void>;
  /** A fault that cannot be made here. */
  skip(name: string, reason: string): void;
  /** Which round is going on, for a person who waits. */
  progress(text: string): void;
}

export type FaultPart = (context: FaultContext) => Promise<void>;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Throws when it took longer. Time limits are checked here and not in `npm test`, which also runs on slow machines. */
export function expectWithin(limitMs: number, what: string, ms: number): void {
  if (ms > limitMs) throw new Error(`${what}: ${Math.round(ms)} ms instead of ${limitMs} at most`);
}
