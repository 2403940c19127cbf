// A line about what is going on, for a person who has waited a second. Only on a terminal, only on standard error.
import type { Output } from './output.ts';

export interface Progress {
  /** Replaces the line; shown when a second has passed. */
  update(text: string): void;
  end(): void;
}

const quietMs = 1000;
const betweenMs = 100;

export function startProgress(errors: Output, now: () => number): Progress {
  if (!errors.isTerminal) return { update: () => {}, end: () => {} };
  const started = now();
  let shownAt: number | undefined;
  return {
    update(text) {
      const time = now();
      if (time - started < quietMs || (shownAt !== undefined && time - shownAt < betweenMs)) return;
      shownAt = time;
      errors.write(`\r\u001b[K${errors.paint.dim(text)}`);
    },
    end() {
      if (shownAt !== undefined) errors.write('\r\u001b[K');
    },
  };
}

/** How often a line is shown that nothing else updates. */
export const SHOW_EVERY_MS = 250;

/** Says what it is that takes so long. */
export async function withProgress<T>(errors: Output, text: string, work: () => Promise<T>): Promise<T> {
  const progress = startProgress(errors, Date.now);
  const timer = setInterval(() => progress.update(text), SHOW_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    progress.end();
  }
}
