// Loads on their way to the log, kept in a file of this process: killed before they are written, another process finds them.
// A process that is killed between the log and the note that it has them has its last loads in the log twice.
import { createHash, randomUUID } from 'node:crypto';
import { createTurns } from '../async/turns.ts';
import type { Load, LoadJournal } from '../repertoire/load-log.ts';
import type { StorePlace } from '../settings/store-place.ts';
import { createJournalFile } from './journal-file.ts';
import { headText, type JournalHead, lineOf } from './journal-text.ts';
import { takeUpJournals } from './left-journals.ts';
import { readProcessOwner } from './process-owner.ts';

interface LoadJournalOptions {
  readonly dataDirectory: string;
  readonly storePlace: StorePlace;
  readonly now: () => Date;
}

/** Well below the hour after which another machine takes a journal for left. */
const REFRESH_MS = 10 * 60_000;

export function openLoadJournal({ dataDirectory, storePlace, now }: LoadJournalOptions): LoadJournal {
  const own: JournalHead = { ...readProcessOwner(randomUUID()), store: storeName(storePlace) };
  const file = createJournalFile({ dataDirectory, head: headText(own), now });
  const inTurn = createTurns();
  /** Neither in the log nor lost, with their numbers in the file. */
  const open = new Map<Load, number>();
  let lastNumber = 0;
  let waiting: Load[] = [];
  let settled: number[] = [];
  let isDue = false;
  let isClosed = false;
  const timer = setInterval(() => void inTurn(file.refresh), REFRESH_MS).unref();

  const write = async (): Promise<void> => {
    isDue = false;
    const lines = new Map(waiting.flatMap((load) => lineIn(open, load)));
    const numbers = settled;
    waiting = [];
    settled = [];
    await file.write(lines, numbers);
  };
  /** One write at a time, with all that came meanwhile. */
  const writeSoon = (): void => {
    if (isDue || isClosed) return;
    isDue = true;
    void inTurn(write);
  };
  const add = (load: Load): void => {
    lastNumber += 1;
    open.set(load, lastNumber);
    waiting.push(load);
    writeSoon();
  };
  const settle = (loads: readonly Load[]): void => {
    for (const load of loads) {
      const number = open.get(load);
      if (number !== undefined) settled.push(number);
      open.delete(load);
    }
    writeSoon();
  };
  return {
    add,
    settle,
    takeUp: (hand) =>
      takeUpJournals({ dataDirectory, own, now }, async (loads) => {
        if (isClosed) return false;
        for (const load of loads) add(load);
        await inTurn(write);
        // They are in this journal before the other one goes. Closed meanwhile, it is left for another process with them.
        const isNoted = loads.every((load) => file.has(open.get(load) ?? 0));
        if (isNoted && (isClosed || hand(loads))) return true;
        settle(loads);
        return false;
      }),
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await inTurn(write);
      return await inTurn(file.letGo);
    },
  };
}

/** None for a load that was settled before its turn came. */
function lineIn(open: ReadonlyMap<Load, number>, load: Load): readonly (readonly [number, string])[] {
  const number = open.get(load);
  return number === undefined ? [] : [[number, lineOf(number, load)]];
}

/** Without what may be secret in an address. */
function storeName(place: StorePlace): string {
  if (place.kind === 'sqlite') return 'sqlite';
  const { host, pathname } = URL.canParse(place.url) ? new URL(place.url) : { host: '', pathname: '' };
  return createHash('sha256').update(`${host}${pathname}`).digest('hex').slice(0, 16);
}
