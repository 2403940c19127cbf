// Loads on their way to the log, kept in a file of this process: killed before they are written, another process finds them.
// A process that is killed between the log and the emptying of this file has its last loads in the log twice.
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createTurns } from '../async/turns.ts';
import type { Load, LoadJournal } from '../repertoire/load-log.ts';
import type { StorePlace } from '../settings/store-place.ts';
import { makeDirectory } from './data-directory.ts';
import { headText, type JournalHead, lineOf } from './journal-text.ts';
import { journalName, takeUpJournals } from './left-journals.ts';
import { readProcessOwner } from './process-owner.ts';

/** Further loads are not noted here until it has been emptied: a flood, or a store that is away, must not fill the disk. */
const MOST_BYTES = 1_000_000;

export interface JournalPlace {
  readonly dataDirectory: string;
  readonly storePlace: StorePlace;
}

export function openLoadJournal({ dataDirectory, storePlace }: JournalPlace): LoadJournal {
  const head: JournalHead = { ...readProcessOwner(randomUUID()), store: storeName(storePlace) };
  const file = createJournalFile(join(dataDirectory, journalName(randomUUID())), headText(head));
  const inTurn = createTurns();
  /** Neither in the log nor lost. */
  const open = new Set<Load>();
  let waiting: Load[] = [];
  let isClosed = false;
  const write = async (): Promise<void> => {
    const loads = waiting.filter((load) => open.has(load));
    waiting = [];
    if (isClosed) return;
    if (loads.length > 0) await file.append(loads.map(lineOf));
    if (open.size === 0) await file.empty();
  };
  /** One write at a time, with all that came meanwhile. */
  const writeSoon = (): void => void inTurn(write);
  const add = (load: Load): void => {
    open.add(load);
    if (waiting.push(load) === 1) writeSoon();
  };
  return {
    add,
    settle: (loads) => {
      for (const load of loads) open.delete(load);
      if (open.size === 0) writeSoon();
    },
    takeUp: (hand) =>
      takeUpJournals(dataDirectory, head, async (loads) => {
        if (isClosed) return false;
        for (const load of loads) if (hand(load)) add(load);
        // They are in this journal before the other one goes.
        await inTurn(write);
        return !isClosed;
      }),
    close: async () => {
      isClosed = true;
      await inTurn(file.remove);
    },
  };
}

/** Without what may be secret in an address. */
function storeName(place: StorePlace): string {
  if (place.kind === 'sqlite') return 'sqlite';
  const { host, pathname } = URL.canParse(place.url) ? new URL(place.url) : { host: '', pathname: '' };
  return createHash('sha256').update(`${host}${pathname}`).digest('hex').slice(0, 16);
}

/** Made at the first use. Where it cannot be written nothing is said: the log itself says what is wrong with the disk (F5). */
function createJournalFile(path: string, head: string) {
  let handle: FileHandle | undefined;
  /** Behind the head. */
  let size = 0;
  let isBroken = false;
  const make = async (): Promise<FileHandle> => {
    makeDirectory(dirname(path));
    handle = await open(path, 'ax', 0o600);
    return handle;
  };
  const remove = async (): Promise<void> => {
    const opened = handle;
    handle = undefined;
    if (opened !== undefined) await rm(path, { force: true });
    await opened?.close();
  };
  const tryTo = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch {
      // A full disk, a directory that may not be written, a line that is half there. It is used again once it was emptied.
      isBroken = true;
    }
  };
  return {
    append: (lines: readonly string[]) =>
      tryTo(async () => {
        if (isBroken || size >= MOST_BYTES) return;
        const text = lines.join('').slice(0, MOST_BYTES - size);
        size += text.length;
        // The head in the same write: without it a process would not be known to be gone.
        if (handle === undefined) await (await make()).appendFile(head + text);
        else await handle.appendFile(text);
      }),
    empty: () =>
      tryTo(async () => {
        if (handle === undefined || size === 0) return;
        // Of a head that is half there nothing can be told: another file is begun.
        if (isBroken) await remove();
        else await handle.truncate(Buffer.byteLength(head));
        size = 0;
        isBroken = false;
      }),
    remove: () => tryTo(remove),
  };
}
