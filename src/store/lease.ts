// Says to the database that this process lives, while it runs something: else its running invocations would be swept.
import type { ProcessOwner } from './process-owner.ts';

const RENEW_MS = 10_000;

export interface Lease {
  readonly owner: ProcessOwner;
  /** The database has not heard of us for a while. */
  isDue(): boolean;
  renewed(): void;
  /** It runs from now on; the log says so, or may say so at any time. */
  began(id: string): void;
  ended(id: string): void;
  isRunning(id: string): boolean;
  /** The database has heard of this process, and nothing of it runs any more. */
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
  // It ends itself: to set and clear it around each run would cost more than to let it look once for nothing.
  const look = () => {
    if (running.size === 0) stop();
    else void renew();
  };
  return {
    owner,
    isDue: () => monotonicMs() - renewedAt >= RENEW_MS,
    renewed() {
      renewedAt = monotonicMs();
    },
    began(id) {
      running.add(id);
      timer ??= setInterval(look, RENEW_MS).unref();
    },
    ended(id) {
      running.delete(id);
    },
    isRunning: (id) => running.has(id),
    isOver: () => running.size === 0 && renewedAt > Number.NEGATIVE_INFINITY,
    stop,
  };
}
