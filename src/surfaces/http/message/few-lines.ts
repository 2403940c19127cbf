// Log lines that others can cause at will: a few a second at most, with how many were left out.
import type { RuntimeLog } from '../../../skills/record/runtime-log.ts';

const PER_SECOND = 5;

/** `details` are made only for a line that is written. */
export type SayFew = (message: string, details: () => object) => void;

export function createFewLines(log: RuntimeLog, monotonicMs: () => number): SayFew {
  let startedMs = Number.NEGATIVE_INFINITY;
  let said = 0;
  let unsaid = 0;
  return (message, details) => {
    if (monotonicMs() - startedMs >= 1_000) {
      startedMs = monotonicMs();
      said = 0;
    }
    if (said >= PER_SECOND) {
      unsaid += 1;
      return;
    }
    said += 1;
    log({ level: 'warn', message, ...details(), ...(unsaid > 0 ? { unsaid } : undefined) });
    unsaid = 0;
  };
}
