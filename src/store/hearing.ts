// Whether notifications reach this process: a connection of its own that listens, opened again when it is lost, and tried by a
// notification of our own when none came for a while.
import { monotonicMs } from '../async/monotonic-clock.ts';
import { within } from '../async/within.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import type { BusRhythm } from './bus-inlet.ts';
import { notify } from './event-table.ts';
import type { GuardedSql } from './guarded-sql.ts';
import type { Listening } from './sql.ts';

export interface Hearing {
  /** Opens what is not open, and tries what was silent. `regained`: nothing was heard for a while before. */
  readonly look: () => Promise<'regained' | 'as before'>;
  readonly isHearing: () => boolean;
  readonly close: () => Promise<void>;
}

export interface HearingParts {
  readonly database: GuardedSql;
  readonly rhythm: BusRhythm;
  readonly onPayload: (payload: string) => void;
  /** It is time to look. */
  readonly onChange: () => void;
}

/** Between two tries to listen, unless what was opened lasts. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
const LASTING_MS = 10_000;

/** Said to ourselves. By another connection than the one that listens: a pooler answers on the same, and passes nothing else on. */
const PING = 'ping';

export function createHearing({ database, rhythm, onPayload, onChange }: HearingParts): Hearing {
  let listening: Listening | undefined;
  let [openedAt, heardAt, pingedAt] = [0, 0, 0];
  let isProven = false;
  let wasLost = false;
  let pauseMs = 0;
  let retryAt = 0;
  let isClosed = false;
  const lose = () => {
    const lost = listening;
    listening = undefined;
    if (lost !== undefined) wasLost = true;
    isProven = false;
    void lost?.close();
  };
  const heard = (payload: string) => {
    heardAt = monotonicMs();
    if (heardAt - openedAt > LASTING_MS) pauseMs = 0;
    const isNews = !isProven;
    isProven = true;
    onPayload(payload);
    if (isNews) onChange();
  };
  let opening: Promise<void> | undefined;
  const open = async () => {
    retryAt = monotonicMs() + pauseMs;
    pauseMs = Math.min(Math.max(2 * pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    const onLost = () => {
      lose();
      if (!isClosed) onChange();
    };
    const opened = await orUnavailable(database.listen(heard, onLost));
    if (isClosed) return opened?.close();
    listening = opened;
    openedAt = monotonicMs();
    onChange();
  };
  /** Not waited for longer than a round may last: rows are read while a connection hangs. */
  const openSoon = async () => {
    opening ??= open().finally(() => {
      opening = undefined;
    });
    await within(opening, rhythm.deafMs, () => undefined);
  };
  const ping = async () => {
    pingedAt = monotonicMs();
    await database.read(notify(PING));
  };
  return {
    async look() {
      if (!rhythm.isNotified) return 'as before';
      if (listening !== undefined && pingedAt > heardAt && monotonicMs() - pingedAt >= rhythm.deafMs) lose();
      if (listening === undefined && monotonicMs() >= retryAt) await openSoon();
      if (listening !== undefined && (!isProven || monotonicMs() - heardAt >= rhythm.quietMs)) await ping();
      if (!isProven || !wasLost) return 'as before';
      wasLost = false;
      return 'regained';
    },
    isHearing: () => isProven,
    async close() {
      isClosed = true;
      await Promise.all([listening?.close(), opening]);
    },
  };
}

/** The rows are read meanwhile, and say what is wrong with the store. */
async function orUnavailable<T>(opening: Promise<T>): Promise<T | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  }
}
