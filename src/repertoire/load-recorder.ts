// Records which document skills were read, behind the answers: nothing here delays, fails or blocks a read (D9).
import { createBacklog } from '../async/backlog.ts';
import { keptPromise } from '../async/kept-promise.ts';
import { nextTurn } from '../async/next-turn.ts';
import { digestOf } from '../document/manifest.ts';
import type { FileNote, Load, LoadJournal, LoadLog, LoadNote, NoteFile, NoteLoad } from './load-log.ts';

export interface LoadRecorder {
  readonly note: NoteLoad;
  readonly noteFile: NoteFile;
  /** How often a skill was read lately, as far as it is known; nothing is looked up for it. */
  readonly countOf: (skillName: string) => number;
  /** Loads that are not in the log and will not be. */
  readonly lost: () => number;
  /** Writes what other processes left, soon. A load does so, too; looked for at most every five minutes. */
  takeUp(): Promise<void>;
  /** Writes what waits. What cannot be written now stays in the journal; answers how many loads those are. */
  close(): Promise<number>;
}

export interface LoadRecorderOptions {
  /** Called after a load, again for each batch: the store is not opened for a server that only lists. */
  readonly openLog: () => Promise<LoadLog>;
  /** Called after the first load. */
  readonly openJournal: () => Promise<LoadJournal>;
  readonly now: () => Date;
  /** Called once for each time that the store is away. */
  readonly onFailure: (error: unknown) => void;
}

const WRITING = {
  /** The host that asked has its answer by then. */
  behindMs: 150,
  retryMs: 1_000,
  /** So that a store that stays away cannot fill the memory (F4). */
  most: 10_000,
  /**
   * SQLite writes on this thread: so many take about two milliseconds, and answers go out between two batches. In batches
   * of a hundred each load costs twice as much, because most of it is the commit.
   */
  batch: 400,
} as const;
/** How long the end waits for a store that is away: another process may hold the lock for a moment. */
const LAST_PATIENCE_MS = 2_000;
/** What counts as lately. */
const LATELY_MS = 30 * 86_400_000;
/** Counts older than this are asked for again, and what others left is looked for. */
const COUNTS_MS = 5 * 60_000;

export function createLoadRecorder({ openLog, openJournal, now, onFailure }: LoadRecorderOptions): LoadRecorder {
  const recent = createRecentCounts(now);
  const journal = keptPromise(() => openJournal().catch(() => NO_JOURNAL));
  let isAway = false;
  // A store that never took anything will not do so at the end: a host that stops its server would wait in vain.
  let hasWorked = false;
  let isClosing = false;
  /** In the journal, at the end. */
  let left = 0;
  let lookedMs = Number.NEGATIVE_INFINITY;
  const noteAway = (error: unknown): void => {
    if (!isAway) onFailure(error);
    isAway = true;
  };
  const refreshCounts = async (log: LoadLog): Promise<void> => {
    try {
      await recent.refresh(log);
      isAway = false;
    } catch (error) {
      noteAway(error);
    }
  };
  /** What processes that were killed did not write any more. All of a process, or none of it. */
  const takeAll = (loads: readonly Load[]): boolean => {
    if (backlog.room < loads.length) return false;
    for (const load of loads) backlog.add(load);
    return true;
  };
  const takeUp = async (): Promise<void> => {
    const nowMs = now().getTime();
    if (isClosing || nowMs - lookedMs < COUNTS_MS) return;
    lookedMs = nowMs;
    try {
      await (await journal.get()).takeUp(takeAll);
    } catch (error) {
      noteAway(error);
    }
  };
  const record = async (loads: readonly Load[]): Promise<number | 'later'> => {
    try {
      const log = await openLog();
      const recorded = await log.record(loads);
      if (recorded.ok) hasWorked = true;
      if (recorded.ok) await refreshCounts(log);
      else noteAway(recorded.failure);
      return recorded.ok ? recorded.value : 'later';
    } catch (error) {
      // There is no store to be had: these loads are lost.
      noteAway(error);
      return loads.length;
    }
  };
  const write = async (loads: readonly Load[]): Promise<number | 'later'> => {
    const outcome = await record(loads);
    if (outcome === 'later') return outcome;
    (await journal.get()).settle(loads);
    await takeUp();
    return outcome;
  };
  const backlog = createBacklog<Load>({ ...WRITING, write });
  const add = (load: Load): void => {
    // One that may not wait is lost already, and is not to come back.
    if (backlog.room > 0) void journal.get().then((opened) => opened.add(load));
    backlog.add(load);
  };
  return {
    note: (note) => {
      const loadedAt = now();
      // The digest takes a moment, so the answer goes first. Soon, because what waits does not keep whole texts in memory.
      void nextTurn().then(() => add(loadOf(note, loadedAt)));
    },
    noteFile: (note) => {
      const loadedAt = now();
      void nextTurn().then(() => add(fileOf(note, loadedAt)));
    },
    countOf: recent.countOf,
    lost: () => backlog.lost - left,
    takeUp,
    close: async () => {
      // What was noted in this turn.
      await nextTurn();
      isClosing = true;
      await backlog.close(hasWorked || !isAway ? LAST_PATIENCE_MS : 0);
      // It may also have what it was just taking up: that was not lost.
      left = Math.min((await (await journal.find())?.close()) ?? 0, backlog.lost);
      return left;
    },
  };
}

/** Of a program whose files were replaced under it: loads go straight to the log. */
const NO_JOURNAL: LoadJournal = {
  add: () => undefined,
  settle: () => undefined,
  takeUp: async () => undefined,
  close: async () => 0,
};

/** How often each skill was read lately. */
function createRecentCounts(now: () => Date) {
  let counts: ReadonlyMap<string, number> | undefined;
  let askedMs = 0;
  return {
    countOf: (skillName: string): number => counts?.get(skillName) ?? 0,
    /** Unless they are fresh. */
    refresh: async (log: LoadLog): Promise<void> => {
      const nowMs = now().getTime();
      if (counts !== undefined && nowMs - askedMs < COUNTS_MS) return;
      counts = await log.counts(new Date(nowMs - LATELY_MS));
      askedMs = nowMs;
    },
  };
}

/** Field by field: with spreads it took several times as long. */
const loadOf = ({ skillName, text, client, surface }: LoadNote, loadedAt: Date): Load => ({
  skillName,
  digest: knownDigestOf(text),
  client,
  surface,
  loadedAt,
});

const fileOf = ({ skillName, path, digest, client, surface }: FileNote, loadedAt: Date): Load => ({
  skillName,
  digest,
  client,
  surface,
  path,
  loadedAt,
});

/** The same skills are read again and again, and their bytes never change: half the cost of a load was its digest. */
const digests = new WeakMap<Buffer, string>();

function knownDigestOf(text: Buffer | string): string {
  if (typeof text === 'string') return digestOf(Buffer.from(text));
  const known = digests.get(text);
  if (known !== undefined) return known;
  const digest = digestOf(text);
  digests.set(text, digest);
  return digest;
}
