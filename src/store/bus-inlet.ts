// How the messages of other processes come in: the port that has a driver for each kind of database (N3).
import { monotonicMs } from '../async/monotonic-clock.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { deleteOldMessages, type HeardMessage } from './event-table.ts';
import type { GuardedSql } from './guarded-sql.ts';

export interface BusInlet {
  /** Also while the store is away: it goes on when that is back. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

export interface InletParts {
  readonly database: GuardedSql;
  readonly hear: (message: HeardMessage) => void;
  /** Messages may have been missed. `isFirst`: only before the first look. */
  readonly gap: (isFirst: boolean) => void;
  readonly onFault: (error: unknown) => void;
  readonly rhythm: BusRhythm;
}

/** Milliseconds. */
export interface BusRhythm {
  /** False: the notifications of PostgreSQL are not used, as if they failed. */
  readonly isNotified: boolean;
  /** How often the rows are read while notifications come: a connection can be dead and silent. */
  readonly quietMs: number;
  /** And while they do not. */
  readonly deafMs: number;
  /** How often a file is looked at for changes of other processes. */
  readonly fileMs: number;
  /** After a failure. */
  readonly retryMs: number;
}

/** Within a second, and within ten without notifications (N3). */
export const BUS_RHYTHM: BusRhythm = {
  isNotified: true,
  quietMs: 4_000,
  deafMs: 2_000,
  fileMs: 300,
  retryMs: 1_000,
};

export interface Looks {
  readonly start: () => void;
  /** The next round begins now, or when the one under way has ended. */
  readonly hurry: () => void;
  readonly close: () => Promise<void>;
}

/** One look after the other. `look` answers how long the next one can wait; timers do not keep the process alive. */
export function createLooks(look: () => Promise<number>, onFault: (error: unknown) => void, retryMs: number): Looks {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStarted = false;
  let isClosed = false;
  let isHurried = false;
  const round = async () => {
    const waitMs = await look().catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) onFault(error);
      return retryMs;
    });
    running = undefined;
    if (isClosed) return;
    timer = setTimeout(begin, isHurried ? 0 : waitMs).unref();
    isHurried = false;
  };
  const begin = () => {
    if (isClosed || running !== undefined) return;
    clearTimeout(timer);
    running = round();
  };
  return {
    start: () => {
      if (!isStarted) begin();
      isStarted = true;
    },
    hurry: () => {
      if (running !== undefined) isHurried = true;
      else if (isStarted) begin();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

const DELETE_MS = 60_000;

/** Called in every round; about once a minute it deletes what is old. */
export function createCleaning(database: GuardedSql): () => Promise<void> {
  let cleanedAt = monotonicMs();
  return async () => {
    if (monotonicMs() - cleanedAt < DELETE_MS) return;
    // Before: while it cannot be done, it is not tried in every round.
    cleanedAt = monotonicMs();
    await deleteOldMessages(database);
  };
}
