// The file of one process's journal: made at its first load, begun again when most of it is settled, gone when all of it is.
// Where it cannot be written nothing is said: the log itself says what is wrong with the disk (F5).
import { constants } from 'node:fs';
import { appendFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '../files/make-directory.ts';
import { settledLine } from './journal-text.ts';
import { journalPath } from './left-journals.ts';

/** Further loads are not noted until there is room: a flood, or a store that is away, must not fill the disk. */
const MOST_BYTES = 1_000_000;
/** With so much of it settled the file is begun again: less would be copied too often. */
const SETTLED_BYTES = 250_000;

interface JournalFile {
  /** Whether a load is in it, and not settled. */
  readonly has: (number: number) => boolean;
  /** Notes new loads, as far as there is room, and that others are settled. Never rejects. */
  write(lines: ReadonlyMap<number, string>, settled: readonly number[]): Promise<void>;
  /** A file that stays as it is for long is taken for one that was left. Never rejects. */
  refresh(): Promise<void>;
  /** For another process to take up, if anything is in it. Answers how many loads those are. Never rejects. */
  letGo(): Promise<number>;
}

interface JournalFileOptions {
  readonly dataDirectory: string;
  readonly head: string;
  readonly now: () => Date;
}

export function createJournalFile({ dataDirectory, head, now }: JournalFileOptions): JournalFile {
  const path = journalPath(dataDirectory, 'jsonl');
  /** The lines of loads that are in the file and not settled. */
  const kept = new Map<number, string>();
  /** Of the file behind its head, and of `kept`. */
  const bytes = { all: 0, kept: 0 };
  let isThere = false;
  /** It may end in half a line, or is not there any more. */
  let isBroken = false;

  const keep = (lines: ReadonlyMap<number, string>): void => {
    for (const [number, line] of lines) {
      kept.set(number, line);
      bytes.kept += Buffer.byteLength(line);
    }
  };
  /** Answers those that were in the file. */
  const forget = (numbers: readonly number[]): readonly number[] => {
    const known = numbers.filter((number) => kept.has(number));
    for (const number of known) {
      bytes.kept -= Buffer.byteLength(kept.get(number) ?? '');
      kept.delete(number);
    }
    return known;
  };
  const make = async (text: string): Promise<void> => {
    makeDirectory(dirname(path));
    isThere = true;
    // The head in the same write: without it a process would not be known to be gone.
    await writeFile(path, head + text, { flag: 'wx', mode: 0o600 });
    bytes.all = Buffer.byteLength(text);
    isBroken = false;
  };
  const append = async (text: string): Promise<void> => {
    // It is not made: one that was taken away has its head elsewhere.
    await appendFile(path, text, { flag: constants.O_WRONLY | constants.O_APPEND });
    bytes.all += Buffer.byteLength(text);
  };
  /** With what is kept, and these. */
  const beginAgain = async (text: string): Promise<void> => {
    const lines = [...kept.values(), text].join('');
    const draft = journalPath(dataDirectory, 'new');
    try {
      await writeFile(draft, head + lines, { flag: 'wx', mode: 0o600 });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    bytes.all = Buffer.byteLength(lines);
    isBroken = false;
  };
  const remove = async (): Promise<void> => {
    if (isThere) await rm(path, { force: true });
    bytes.all = 0;
    isThere = false;
    isBroken = false;
  };
  const put = async (lines: ReadonlyMap<number, string>, settled: readonly number[]): Promise<void> => {
    if (lines.size + settled.length === 0) return;
    const known = forget(settled);
    const isOld = bytes.all - bytes.kept >= SETTLED_BYTES;
    const isNew = isBroken ? known.length > 0 || kept.size === 0 : isOld;
    const fitting = firstLines(lines, MOST_BYTES - (isNew ? bytes.kept : bytes.all));
    const text = [...fitting.values()].join('');
    if (kept.size + fitting.size === 0) return await remove();
    if (!isThere) await make(text);
    else if (isNew) await beginAgain(text);
    else if (isBroken) return;
    else if (known.length + fitting.size > 0) await append((known.length > 0 ? settledLine(known) : '') + text);
    keep(fitting);
  };
  const tryTo = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch {
      // A full disk, a directory that may not be written, a file that was taken away.
      isBroken = true;
    }
  };
  return {
    has: (number) => kept.has(number),
    write: (lines, settled) => tryTo(() => put(lines, settled)),
    refresh: () =>
      tryTo(async () => {
        if (!isThere) return;
        await utimes(path, now(), now()).catch(() => beginAgain(''));
      }),
    letGo: async () => {
      if (kept.size === 0) return 0;
      await tryTo(async () => {
        if (isBroken) await beginAgain('');
        await rename(path, journalPath(dataDirectory, 'left'));
        isThere = false;
      });
      return kept.size;
    },
  };
}

function firstLines(lines: ReadonlyMap<number, string>, room: number): ReadonlyMap<number, string> {
  const fitting = new Map<number, string>();
  let left = room;
  for (const [number, line] of lines) {
    left -= Buffer.byteLength(line);
    if (left < 0) break;
    fitting.set(number, line);
  }
  return fitting;
}
