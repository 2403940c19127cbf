// Looks at the store of a running server now and then, and tells when it goes away and when it is back (H6).
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import { messageOf } from '../values/error-text.ts';
import type { Store } from './store.ts';

type Health = Store['health'];

export interface WatchRhythm {
  readonly everyMs: number;
  /** While it is away. */
  readonly awayMs: number;
}

/** Well within the minute after which others take a process for gone: to look is also to be seen. */
const RHYTHM: WatchRhythm = { everyMs: 20_000, awayMs: 2_000 };

/** Looks at once. Answers how to stop. */
export function watchStore(health: Health, log: RuntimeLog, rhythm: WatchRhythm = RHYTHM): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isReady = true;
  const note = (state: Awaited<ReturnType<Health>>) => {
    if (isReady && !state.isReady) log({ level: 'warn', message: 'The store is away', reason: state.reason });
    if (!isReady && state.isReady) log({ level: 'info', message: 'The store is back' });
    isReady = state.isReady;
  };
  const look = async () => {
    try {
      const state = await health();
      if (!isStopped) note(state);
    } catch (error) {
      // It says what is wrong by a value; whatever it throws must not end the server.
      if (!isStopped) note({ isReady: false, reason: `Cannot look at it: ${messageOf(error)}` });
    } finally {
      if (!isStopped) timer = setTimeout(() => void look(), isReady ? rhythm.everyMs : rhythm.awayMs).unref();
    }
  };
  void look();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
