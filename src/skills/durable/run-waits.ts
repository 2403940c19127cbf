// Waiting for the end of a run, wherever it is carried out: told by this process and by others, and looked at now and then,
// because what others tell may be lost (J2, J4).

import type { RunStore } from './run-store.ts';
import type { Run } from './runs.ts';

export interface RunWaits {
  /** Something about this run changed. */
  tell(id: string): void;
  subscribe(listener: (id: string) => void): () => void;
  /** As soon as it has ended, or as it is after so long. `undefined`: there is none. */
  untilEnded(id: string, patience: { readonly ms: number; readonly signal?: AbortSignal }): Promise<Run | undefined>;
  /** Those that wait are answered with what is known. */
  close(): void;
}

const LOOK_MS = 1_000;

export function createRunWaits(store: Pick<RunStore, 'find'>): RunWaits {
  const listeners = new Set<(id: string) => void>();
  const closing = new AbortController();
  const subscribe = (listener: (id: string) => void) => {
    const own = (id: string) => listener(id);
    listeners.add(own);
    return () => void listeners.delete(own);
  };
  return {
    tell: (id) => {
      for (const listener of [...listeners]) listener(id);
    },
    subscribe,
    untilEnded: async (id, { ms, signal }) => {
      const over = new AbortController();
      const timer = setTimeout(() => over.abort(), ms);
      const ends = AbortSignal.any([over.signal, closing.signal, ...(signal === undefined ? [] : [signal])]);
      try {
        for (;;) {
          const news = nextNews(id, subscribe, ends);
          const run = await store.find(id);
          if (run === undefined || run.result !== undefined || ends.aborted) return run;
          await news;
        }
      } finally {
        clearTimeout(timer);
        over.abort();
      }
    },
    close: () => closing.abort(),
  };
}

/** Listened for before the look: what changes in between is not missed. */
export function nextNews(id: string, subscribe: RunWaits['subscribe'], ends: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = subscribe((told) => told === id && finish());
    const timer = setTimeout(() => finish(), LOOK_MS);
    const finish = () => {
      stop();
      clearTimeout(timer);
      ends.removeEventListener('abort', finish);
      resolve();
    };
    if (ends.aborted) finish();
    else ends.addEventListener('abort', finish, { once: true });
  });
}
