// Journals that other processes left in the data directory: what is in them is handed over once, then they are gone.
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Load } from '../repertoire/load-log.ts';
import { codeOf } from '../values/error-code.ts';
import { type JournalHead, parseJournal } from './journal-text.ts';
import { isGone } from './process-owner.ts';

/** `left`: for any process to take up. `taken`: by a process that is taking it up. `new`: to become a `jsonl`. */
type Ending = 'jsonl' | 'left' | 'taken' | 'new';

/** Another one at each call. */
export const journalPath = (dataDirectory: string, ending: Ending): string =>
  join(dataDirectory, `reads.${randomUUID()}.${ending}`);

const NAME = /^reads\.[0-9a-f-]{36}\.(jsonl|left|taken|new)$/;

/** Far above what a journal is allowed to be. */
const MOST_BYTES = 4_000_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MONTH_MS = 30 * 24 * HOUR_MS;

/** `false`: they cannot be taken; then they stay for another time, or another process. */
type Hand = (loads: readonly Load[]) => Promise<boolean>;

interface Looking {
  readonly dataDirectory: string;
  /** Of the process that looks. */
  readonly own: JournalHead;
  readonly now: () => Date;
}

export async function takeUpJournals(looking: Looking, hand: Hand): Promise<void> {
  for (const name of (await orNothing(readdir(looking.dataDirectory))) ?? []) {
    if (NAME.test(name)) await orNothing(takeUp(join(looking.dataDirectory, name), looking, hand));
  }
}

/** There is no such directory, another process was faster, or it may not be read: nothing is lost by leaving it. */
async function orNothing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

async function takeUp(path: string, { dataDirectory, own, now }: Looking, hand: Hand): Promise<void> {
  const stats = await lstat(path);
  if (!stats.isFile() || stats.size > MOST_BYTES) return;
  const { head } = parseJournal(await readFile(path, 'utf8'));
  const fate = fateOf({ ending: extname(path), stats, head, own, nowMs: now().getTime() });
  if (fate === 'leave') return;
  if (fate === 'delete') return await rm(path, { force: true });
  // Of those who try, one succeeds.
  const claimed = journalPath(dataDirectory, 'taken');
  await rename(path, claimed);
  const { loads } = parseJournal(await readFile(claimed, 'utf8'));
  if (await hand(loads)) await rm(claimed, { force: true });
  else await rename(claimed, journalPath(dataDirectory, 'left'));
}

interface Found {
  readonly ending: string;
  readonly stats: Pick<Stats, 'mtimeMs' | 'ctimeMs'>;
  readonly head: JournalHead | undefined;
  readonly own: JournalHead;
  readonly nowMs: number;
}

/** A process that lives removes its journal once the log has everything, and until then keeps its time fresh. */
function fateOf({ ending, stats, head, own, nowMs }: Found): 'leave' | 'take' | 'delete' {
  const ageMs = nowMs - stats.mtimeMs;
  // Its log is not the one that is written here, and no process of that log came for it.
  if (head !== undefined && head.store !== own.store) return ageMs > MONTH_MS ? 'delete' : 'leave';
  if (ending === '.left') return 'take';
  // Claimed by a process that was killed then; a rename changes this time.
  if (ending === '.taken') return nowMs - stats.ctimeMs > MINUTE_MS ? 'take' : 'leave';
  const isSeen = head?.machine !== undefined && head.machine === own.machine;
  const isLeft = isSeen ? isGone(head) || ageMs > MONTH_MS : ageMs > HOUR_MS;
  if (!isLeft) return 'leave';
  // What was to be in it is in the journal that it did not replace.
  return ending === '.new' ? 'delete' : 'take';
}
