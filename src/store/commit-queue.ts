// Writers at the same time share a commit: while one is under way, the next batch collects. Bounded in number, bytes and time.
import { nextTurn } from '../async/next-turn.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { RecordRefused, tooSlow } from './store-errors.ts';

const MOST_ENTRIES = 10_000;
const MOST_BYTES = 16 * 2 ** 20;
const BATCH_ENTRIES = 256;
const BATCH_BYTES = 4 * 2 ** 20;

/** Writes a batch whole or throws; answers for each entry why it was refused, or undefined. */
export type Commit<T> = (entries: readonly T[]) => Promise<readonly (Error | undefined)[]>;

export interface CommitQueue<T> {
  /** Resolves when the entry is durable. `bytes`: about how much memory it holds. */
  push(entry: T, bytes: number): Promise<void>;
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
}

interface Waiting<T> {
  readonly entry: T;
  readonly bytes: number;
  /** The first call counts. */
  readonly settle: (failure: Error | undefined) => void;
  isSettled: boolean;
}

/** `limitMs`: how long an entry waits at most, for its turn and for its commit together. */
export function createCommitQueue<T>(commit: Commit<T>, limitMs: number): CommitQueue<T> {
  let waiting: Waiting<T>[] = [];
  let entries = 0;
  let bytes = 0;
  let running: Promise<void> | undefined;

  const push = (entry: T, size: number): Promise<void> => {
    if (entries >= MOST_ENTRIES || bytes + size > MOST_BYTES) return Promise.reject(cannotKeepUp());
    entries += 1;
    bytes += size;
    const { item, written } = createWaiting(entry, size, limitMs, () => {
      entries -= 1;
      bytes -= size;
    });
    waiting.push(item);
    running ??= drain();
    return written;
  };

  const drain = async (): Promise<void> => {
    // A turn of the event loop: all entries that are pushed in it share the batch.
    for (await nextTurn(); waiting.length > 0; await nextTurn()) {
      const batch = takeBatch(waiting);
      waiting = waiting.slice(batch.length);
      await commitBatch(
        batch.filter(({ isSettled }) => !isSettled),
        commit,
      );
    }
    running = undefined;
  };

  return { push, idle: async () => running };
}

/** Settled by its commit, or as too slow. With a timer of its own: `within` around every entry takes twice the time. */
function createWaiting<T>(entry: T, bytes: number, limitMs: number, onSettled: () => void) {
  let settle: Waiting<T>['settle'] = () => {};
  const written = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => settle(tooSlow()), limitMs);
    settle = (failure) => {
      if (item.isSettled) return;
      item.isSettled = true;
      clearTimeout(timer);
      onSettled();
      if (failure === undefined) resolve();
      else reject(failure);
    };
  });
  const item: Waiting<T> = { entry, bytes, settle, isSettled: false };
  return { item, written };
}

/** A batch that one bad entry spoils is halved until that one stands alone. Never rejects. */
async function commitBatch<T>(batch: readonly Waiting<T>[], commit: Commit<T>): Promise<void> {
  if (batch.length === 0) return;
  try {
    const outcomes = await commit(batch.map(({ entry }) => entry));
    for (const [index, item] of batch.entries()) item.settle(outcomes[index]);
  } catch (error) {
    if (error instanceof RecordRefused && batch.length > 1) {
      const middle = batch.length >> 1;
      await commitBatch(batch.slice(0, middle), commit);
      await commitBatch(batch.slice(middle), commit);
    } else {
      for (const item of batch)
        item.settle(error instanceof Error ? error : new Error('Cannot commit', { cause: error }));
    }
  }
}

function takeBatch<T>(waiting: readonly Waiting<T>[]): readonly Waiting<T>[] {
  let size = 0;
  const end = waiting.findIndex((item, index) => {
    size += item.bytes;
    return index > 0 && (index >= BATCH_ENTRIES || size > BATCH_BYTES);
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}

const cannotKeepUp = () =>
  new StoreUnavailable('Cannot write the log: the database cannot keep up; look whether it is overloaded');
