import type { Output } from './output.ts';
// A line about what is going on, for a person who has waited a second. Only on a terminal, only on standard error.

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
