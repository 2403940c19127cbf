// Journals that killed processes left in the data directory: what is in them is handed over once, then they are gone.
import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Load } from '../repertoire/load-log.ts';
import { codeOf } from '../values/error-code.ts';
import { type JournalHead, parseJournal } from './journal-text.ts';
import { isGone } from './process-owner.ts';

export const journalName = (id: string): string => `reads.${id}.jsonl`;

const NAME = /^reads\.[0-9a-f-]{36}\.(jsonl|taken)$/;

/** Far above what a journal is allowed to be. */
const MOST_BYTES = 4_000_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MONTH_MS = 30 * 24 * HOUR_MS;

/** `hand`: false when they cannot be taken any more; then another process may. */
type Hand = (loads: readonly Load[]) => Promise<boolean>;

/** `own`: of the process that looks. */
export async function takeUpJournals(dataDirectory: string, own: JournalHead, hand: Hand): Promise<void> {
  for (const name of (await orNothing(readdir(dataDirectory))) ?? []) {
    if (NAME.test(name)) await orNothing(takeUp(join(dataDirectory, name), own, hand));
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

async function takeUp(path: string, own: JournalHead, hand: Hand): Promise<void> {
  if (!(await isLeft(path, own))) return;
  // Of those who try, one succeeds.
  const claimed = join(dirname(path), `reads.${randomUUID()}.taken`);
  await rename(path, claimed);
  const { loads } = parseJournal(await readFile(claimed, 'utf8'));
  if (await hand(loads)) await rm(claimed, { force: true });
}

async function isLeft(path: string, own: JournalHead): Promise<boolean> {
  const stats = await lstat(path);
  if (!stats.isFile() || stats.size > MOST_BYTES) return false;
  if (Date.now() - stats.mtimeMs > MONTH_MS) return true;
  const { head } = parseJournal(await readFile(path, 'utf8'));
  if (head !== undefined && head.store !== own.store) return false;
  // Claimed by a process that was killed then; a rename changes this time.
  if (path.endsWith('.taken')) return Date.now() - stats.ctimeMs > MINUTE_MS;
  if (head?.machine !== undefined && head.machine === own.machine) return isGone(head);
  // Of a process that cannot be seen from here. One that lives empties its journal within a second, if the store is there.
  return Date.now() - stats.mtimeMs > HOUR_MS;
}
