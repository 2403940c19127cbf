// Records which document skills were read, behind the answers: nothing here delays, fails or blocks a read (D9).
import { digestOf } from '../document/manifest.ts';
import type { Load, LoadLog, LoadNote, NoteLoad } from './load-log.ts';

export interface LoadRecorder {
  readonly note: NoteLoad;
  /** How often a skill was read lately, as far as it is known; nothing is looked up for it. */
  readonly countOf: (skillName: string) => number;
  /** Loads that are not in the log and will not be. */
  readonly lost: () => number;
  /** Hands over what waits, and waits for a hand-over under way. */
  close(): Promise<void>;
}

export interface LoadRecorderOptions {
  /** Called after a load, again for each batch: the store is not opened for a server that only lists. */
  readonly openLog: () => Promise<LoadLog>;
  readonly now: () => Date;
  /** Told once for each time that the store is away. */
  readonly onFailure: (error: unknown) => void;
}

/** The host that asked has its answer by then. */
const BEHIND_MS = 150;
/** So that a store that never opens cannot fill the memory (F4). */
const MAX_WAITING = 10_000;
/** What counts as lately. */
const LATELY_MS = 30 * 86_400_000;
/** Counts older than this are asked for again, which also tells whether the store is there. */
const COUNTS_MS = 5 * 60_000;

interface Waiting {
  readonly note: LoadNote;
  readonly loadedAt: Date;
}

export function createLoadRecorder({ openLog, now, onFailure }: LoadRecorderOptions): LoadRecorder {
  const recent = createRecentCounts({ now, onFailure });
  const backlog = createBacklog(openLog, recent);
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    flushing ??= backlog.handOver().finally(() => {
      flushing = undefined;
    });
    return flushing;
  };
  return {
    note: (note) => {
      backlog.add({ note, loadedAt: now() });
      timer ??= setTimeout(flush, BEHIND_MS).unref();
    },
    countOf: recent.countOf,
    lost: backlog.lost,
    close: flush,
  };
}

/** Loads on their way to the log, within bounds. */
function createBacklog(openLog: LoadRecorderOptions['openLog'], recent: RecentCounts) {
  let waiting: Waiting[] = [];
  let underWay = 0;
  let dropped = 0;
  let log: LoadLog | undefined;
  const handOverBatch = async (batch: readonly Waiting[]): Promise<void> => {
    underWay = batch.length;
    try {
      log = await openLog();
      for (const each of batch) log.record(loadOf(each));
      await recent.refresh(log);
    } catch (error) {
      recent.noteAway(error);
      dropped += batch.length;
    } finally {
      underWay = 0;
    }
  };
  return {
    add(load: Waiting): void {
      if (waiting.length + underWay >= MAX_WAITING) dropped += 1;
      else waiting.push(load);
    },
    /** Until nothing waits. Never rejects. */
    async handOver(): Promise<void> {
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        await handOverBatch(batch);
      }
    },
    lost: (): number => dropped + (log?.lost ?? 0),
  };
}

type RecentCounts = ReturnType<typeof createRecentCounts>;

/** How often each skill was read lately, and whether the store was there when it was asked. */
function createRecentCounts({ now, onFailure }: Pick<LoadRecorderOptions, 'now' | 'onFailure'>) {
  let counts: ReadonlyMap<string, number> | undefined;
  let askedMs = 0;
  let isAway = false;
  const noteAway = (error: unknown): void => {
    if (!isAway) onFailure(error);
    isAway = true;
  };
  return {
    countOf: (skillName: string): number => counts?.get(skillName) ?? 0,
    noteAway,
    /** Never rejects: the loads are the log's by now, which keeps them until the store is back. */
    refresh: async (log: LoadLog): Promise<void> => {
      const nowMs = now().getTime();
      if (counts !== undefined && !isAway && nowMs - askedMs < COUNTS_MS) return;
      try {
        counts = await log.counts(new Date(nowMs - LATELY_MS));
        askedMs = nowMs;
        isAway = false;
      } catch (error) {
        noteAway(error);
      }
    },
  };
}

/** Field by field: with spreads it took several times as long. */
const loadOf = ({ note: { skillName, text, client, surface }, loadedAt }: Waiting): Load => ({
  skillName,
  digest: knownDigestOf(text),
  client,
  surface,
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
