// Messages in a PostgreSQL: its notifications tell of them at once. The rows are read as well, now and then, or often while
// no notification comes: a connection can be lost, dead and silent, or lead through a pooler that passes none on (N3).
import { monotonicMs } from '../async/monotonic-clock.ts';
import { type BusInlet, createCleaning, createLooks, type InletParts } from './bus-inlet.ts';
import { KEPT_SECONDS, parsePayload, selectMessages, selectRecentIds } from './event-table.ts';
import { createHearing } from './hearing.ts';
import { createSeenIds } from './seen-ids.ts';

export interface NotifiedParts extends InletParts {
  /** Now and then while no notification comes: others have to write rows. */
  readonly onDeaf: () => void;
}

const KEPT_MS = KEPT_SECONDS * 1_000;

export function createNotifiedInlet({ database, hear, gap, onFault, rhythm, onDeaf }: NotifiedParts): BusInlet {
  const seen = createSeenIds();
  const clean = createCleaning(database);
  const noteRound = createDeafness(onDeaf);
  let isFirst = true;
  let hasMissed = false;
  const readRows = async (ids: readonly number[]) => {
    for (const message of await selectMessages(database, ids)) hear(message);
  };
  const miss = () => {
    hasMissed = true;
    rounds.hurry();
  };
  const onPayload = (payload: string) => {
    const message = parsePayload(payload);
    if (message === undefined || (message.id !== undefined && !seen.add(message.id))) return;
    if ('topic' in message) hear(message);
    // Too long for a notification. No round looks for its number again: if it cannot be read now, it was missed.
    else void readRows([message.id]).catch(miss);
  };
  const hearing = createHearing({ database, rhythm, onPayload, onChange: () => rounds.hurry() });
  const readNew = async () => {
    const [beganAt, windowMs] = [monotonicMs(), seen.windowMs()];
    const recent = await selectRecentIds(database, Math.min(windowMs, KEPT_MS) / 1_000);
    const ids = recent.filter((id) => seen.add(id));
    // What was said before anything listened here is no news.
    if (!isFirst && ids.length > 0) await readRows(ids);
    seen.noteRead(beganAt);
    if (windowMs > KEPT_MS) hasMissed = true;
  };
  const look = async (): Promise<number> => {
    try {
      if ((await hearing.look()) === 'regained') hasMissed = true;
      await readNew();
      await clean();
    } catch (error) {
      hasMissed = true;
      throw error;
    }
    const [isGap, wasFirst] = [hasMissed || isFirst, isFirst];
    [hasMissed, isFirst] = [false, false];
    if (isGap) gap(wasFirst);
    noteRound(hearing.isHearing());
    return hearing.isHearing() ? rhythm.quietMs : rhythm.deafMs;
  };
  const rounds = createLooks(look, onFault, rhythm.retryMs);
  return {
    start: rounds.start,
    close: async () => {
      await Promise.all([rounds.close(), hearing.close()]);
    },
  };
}

/** Rounds without a notification before it is said, and between two times: the first may end before one can come. */
const PATIENT_ROUNDS = 2;
const SAID_EVERY = 5;

function createDeafness(onDeaf: () => void): (isHearing: boolean) => void {
  let rounds = 0;
  return (isHearing) => {
    rounds = isHearing ? 0 : rounds + 1;
    if (rounds >= PATIENT_ROUNDS && (rounds - PATIENT_ROUNDS) % SAID_EVERY === 0) onDeaf();
  };
}
