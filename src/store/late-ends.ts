// Ends of runs that the store could not take: kept within bounds and written when it is back, so that the log says how a run
// ended and not that it still runs.
import { nextTurn } from '../async/next-turn.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { briefEnd } from './brief-entry.ts';
import { type Ended, endRunning } from './invocation-writes.ts';
import type { Sql } from './sql.ts';

/** So that a store that stays away cannot fill the memory (F4): some 16,000. The sweep closes the runs beyond it. */
const MOST_BYTES = 8 * 2 ** 20;
/** A transaction of SQLite blocks the event loop. */
const WRITE_AT_ONCE = 200;

export interface LateEnds {
  /** Without its payloads if they are too large, and not at all if there are too many. */
  keep(end: Ended): void;
  has(id: string): boolean;
  /** Writes all that are kept, if the store takes them now. Never rejects. */
  write(): Promise<void>;
}

export function createLateEnds(database: Sql): LateEnds {
  const kept = new Map<string, Ended>();
  let bytes = 0;
  let writing: Promise<void> | undefined;
  const drop = ({ result }: Ended) => {
    const known = kept.get(result.invocationId);
    if (known !== undefined) bytes -= sizeOf(known);
    kept.delete(result.invocationId);
  };
  const writeAll = async (): Promise<void> => {
    while (await writeEnds(database, [...kept.values()].slice(0, WRITE_AT_ONCE), drop)) {
      if (kept.size === 0) return;
      await nextTurn();
    }
  };
  return {
    keep({ record: { skillName, invokingAgent }, result }) {
      const whole = { record: { skillName, invokingAgent }, result };
      drop(whole);
      const end = bytes + sizeOf(whole) <= MOST_BYTES ? whole : briefEnd(whole);
      if (bytes + sizeOf(end) > MOST_BYTES) return;
      kept.set(result.invocationId, end);
      bytes += sizeOf(end);
    },
    has: (id) => kept.has(id),
    async write() {
      if (kept.size === 0) return;
      writing ??= writeAll().finally(() => {
        writing = undefined;
      });
      await writing;
    },
  };
}

/** Drops what is written or refused. False: the store is away. One that is refused costs no other. */
async function writeEnds(database: Sql, ends: readonly Ended[], drop: (end: Ended) => void): Promise<boolean> {
  try {
    await database.write(() => endRunning(ends));
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    if (ends.length > 1) {
      for (const end of ends) if (!(await writeEnds(database, [end], drop))) return false;
    }
    // Alone and refused: its values do not fit. It is given up, and the sweep closes its invocation.
  }
  ends.forEach(drop);
  return true;
}

/** Roughly: the texts take most of it. */
const sizeOf = ({ result }: Ended): number =>
  500 + (result.outputPayload?.length ?? 0) + (result.failureDetails?.length ?? 0);
