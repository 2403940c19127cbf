// Says to the database that this process lives, while it runs something: else its running invocations would be swept.
import type { ProcessOwner } from './process-owner.ts';

const RENEW_MS = 10_000;

export interface Lease {
  readonly owner: ProcessOwner;
  /** The database has not heard of us for a while. */
  isDue(): boolean;
  renewed(): void;
  /** What runs now and is in the log as running. */
  began(ids: readonly string[]): void;
  ended(id: string): void;
  /** Nothing runs any more that the database has heard of. */
  isOver(): boolean;
  stop(): void;
}

/** `renew` never rejects: when the database is away, the next time will do. */
export function createLease(owner: ProcessOwner, monotonicMs: () => number, renew: () => Promise<void>): Lease {
  const running = new Set<string>();
  let renewedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    owner,
    isDue: () => monotonicMs() - renewedAt >= RENEW_MS,
    renewed() {
      renewedAt = monotonicMs();
    },
    began(ids) {
      for (const id of ids) running.add(id);
      if (running.size > 0) timer ??= setInterval(renew, RENEW_MS).unref();
    },
    ended(id) {
      if (running.delete(id) && running.size === 0) stop();
    },
    isOver: () => running.size === 0 && renewedAt > Number.NEGATIVE_INFINITY,
    stop,
  };
}
