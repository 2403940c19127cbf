// Writers at the same time share a commit: while one is under way, the next batch collects. Bounded in number, bytes and time.
import { LONGEST_TURN_MS } from '../async/awake-clock.ts';
import { monotonicMs } from '../async/monotonic-clock.ts';
import { nextTurn } from '../async/next-turn.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { RecordRefused, tooSlow } from './store-errors.ts';

const MOST_ENTRIES = 30_000;
const MOST_BYTES = 64 * 2 ** 20;
const BATCH_ENTRIES = 256;
/** What a slow database takes well within the time that an entry may wait. */
const BATCH_BYTES = 2 * 2 ** 20;
/** How long an entry waits in all, whatever the database takes meanwhile. */
const LONGEST_WAIT_MS = 30_000;

/** Writes a batch whole or throws; answers for each entry why it was refused, or undefined. */
export type Commit<T> = (entries: readonly T[]) => Promise<readonly (Error | undefined)[]>;

export interface CommitQueue<T> {
  /**
   * Resolves when the entry is durable. `bytes`: about how much memory it holds. `brief`: what is written instead when there
   * is no room for it, or when its time would be over before its turn; without it the entry is refused then.
   */
  push(entry: T, bytes: number, brief?: () => Sized<T>): Promise<void>;
  /** How many wait or are being written. */
  readonly length: number;
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
}

export interface Sized<T> {
  readonly entry: T;
  readonly bytes: number;
}

interface Waiting<T> {
  given: Sized<T>;
  readonly brief: (() => Sized<T>) | undefined;
  readonly since: number;
  /** The first call counts. */
  readonly settle: (failure: Error | undefined) => void;
  isSettled: boolean;
}

/**
 * `limitMs`: how long an entry waits while the database takes nothing, for its turn and for its commit together. While it
 * takes others, up to 30 s in all.
 */
export function createCommitQueue<T>(commit: Commit<T>, limitMs: number): CommitQueue<T> {
  const room = createRoom<T>();
  let waiting: Waiting<T>[] = [];
  let running: Promise<void> | undefined;
  let takenAt = Number.NEGATIVE_INFINITY;
  const commitNoting: Commit<T> = async (batch) => {
    const outcomes = await commit(batch);
    takenAt = monotonicMs();
    return outcomes;
  };
  const patience: Patience = { limitMs, leftMs: () => takenAt + limitMs - monotonicMs() };

  const drain = async (): Promise<void> => {
    // A turn of the event loop: all entries that are pushed in it share the batch.
    for (await nextTurn(); waiting.length > 0; await nextTurn()) {
      const batch = takeBatch(waiting, monotonicMs() - limitMs / 2, room.shorten);
      waiting = waiting.slice(batch.length);
      await commitBatch(
        batch.filter(({ isSettled }) => !isSettled),
        commitNoting,
      );
    }
    running = undefined;
  };

  return {
    push: (entry, bytes, brief) => {
      const admitted = room.admit({ entry, bytes }, brief);
      if (admitted === undefined) return Promise.reject(cannotKeepUp());
      const { item, written } = createWaiting(admitted, patience, () => room.release(item));
      waiting.push(item);
      running ??= drain();
      return written;
    },
    get length() {
      return room.entries;
    },
    idle: async () => running,
  };
}

type Admitted<T> = Pick<Waiting<T>, 'given' | 'brief'>;

/** How much waits or is being written, in number and in bytes. */
function createRoom<T>() {
  let entries = 0;
  let bytes = 0;
  return {
    get entries() {
      return entries;
    },
    /** `undefined`: there is no room. However full it is, a brief one is taken: their number is bounded. */
    admit: (whole: Sized<T>, brief: Waiting<T>['brief']): Admitted<T> | undefined => {
      const fits = bytes + whole.bytes <= MOST_BYTES;
      if (entries >= MOST_ENTRIES || (!fits && brief === undefined)) return undefined;
      const given = fits || brief === undefined ? whole : brief();
      entries += 1;
      bytes += given.bytes;
      return { given, brief: fits ? brief : () => given };
    },
    release: ({ given }: Waiting<T>): void => {
      entries -= 1;
      bytes -= given.bytes;
    },
    shorten: (item: Waiting<T>): void => {
      if (item.isSettled || item.brief === undefined) return;
      bytes -= item.given.bytes;
      item.given = item.brief();
      bytes += item.given.bytes;
    },
  };
}

interface Patience {
  readonly limitMs: number;
  /** Until a database that took something a moment ago counts as one that takes nothing. */
  readonly leftMs: () => number;
}

/** Settled by its commit, or as too slow. With a timer of its own: `within` around every entry takes twice the time. */
function createWaiting<T>(admitted: Admitted<T>, { limitMs, leftMs }: Patience, onSettled: () => void) {
  let settle: Waiting<T>['settle'] = () => {};
  const since = monotonicMs();
  const written = new Promise<void>((resolve, reject) => {
    const end = since + Math.max(limitMs, LONGEST_WAIT_MS);
    let due = since + limitMs;
    const look = () => {
      const now = monotonicMs();
      // The timer is late: this process had no turn, and what the database took meanwhile is not heard yet.
      const isAwake = now - due < LONGEST_TURN_MS;
      // Entries are taken in their order: while others are, the turn of this one comes.
      const left = Math.min(isAwake ? leftMs() : limitMs / 2, end - now);
      if (left <= 0) return settle(tooSlow());
      due = now + left;
      timer = setTimeout(look, left);
    };
    let timer = setTimeout(look, limitMs);
    settle = (failure) => {
      if (item.isSettled) return;
      item.isSettled = true;
      clearTimeout(timer);
      onSettled();
      if (failure === undefined) resolve();
      else reject(failure);
    };
  });
  const item: Waiting<T> = { ...admitted, since, settle, isSettled: false };
  return { item, written };
}

/** A batch that one bad entry spoils is halved until that one stands alone. Never rejects. */
async function commitBatch<T>(batch: readonly Waiting<T>[], commit: Commit<T>): Promise<void> {
  if (batch.length === 0) return;
  try {
    const outcomes = await commit(batch.map(({ given }) => given.entry));
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

/** What came before `late` and does not fit goes along in its brief form: behind another batch its time might be over. */
function takeBatch<T>(
  waiting: readonly Waiting<T>[],
  late: number,
  shorten: (item: Waiting<T>) => void,
): readonly Waiting<T>[] {
  let size = 0;
  const end = waiting.findIndex((item, index) => {
    if (index >= BATCH_ENTRIES) return true;
    const hasRoom = size + item.given.bytes <= BATCH_BYTES;
    if (!hasRoom && item.since < late && item.brief !== undefined) shorten(item);
    else if (!hasRoom && index > 0) return true;
    size += item.given.bytes;
    return false;
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}

export const cannotKeepUp = () =>
  new StoreUnavailable('Cannot write the log: the database cannot keep up; look whether it is overloaded');
