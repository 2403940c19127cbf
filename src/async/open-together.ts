// Several things that are opened one after the other and closed together: nothing stays open when one of them fails.
import type { Result } from '../values/result.ts';

export interface Closing {
  /** To be called when all is closed, before what was added earlier. */
  readonly add: (close: () => unknown) => void;
  /** Calls each once, the last first, and all of them: when several fail, the last error is thrown. */
  readonly close: () => Promise<void>;
}

/**
 * What was opened until then is closed when `open` answers a failure or throws.
 *
 * @example
 * const opened = await openTogether(async (closing) => {
 *   const store = await openStore();
 *   closing.add(store.close);
 *   return isGood(store) ? ok({ store, close: closing.close }) : fail('Cannot use the store');
 * });
 */
export async function openTogether<T, F>(open: (closing: Closing) => Promise<Result<T, F>>): Promise<Result<T, F>> {
  const closing = createClosing();
  let isOpen = false;
  try {
    const opened = await open(closing);
    isOpen = opened.ok;
    return opened;
  } finally {
    // Why it could not be opened is what the caller is to hear, not what then could not be closed.
    if (!isOpen) await closing.close().catch(() => undefined);
  }
}

function createClosing(): Closing {
  const waiting: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    const next = waiting.pop();
    if (next === undefined) return;
    try {
      await next();
    } finally {
      await close();
    }
  };
  return { add: (each) => void waiting.push(each), close };
}
