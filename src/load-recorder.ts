// Records which document skills were read, behind the answers: nothing here delays, fails or blocks a read (D9).
import { digestOf } from './document/manifest.ts';
import type { LoadLog, LoadNote, NoteLoad } from './load-log.ts';

export interface LoadRecorder {
  readonly note: NoteLoad;
  /** How often a skill was read lately, as far as it is known; nothing is looked up for it. */
  readonly countOf: (skillName: string) => number;
  /** Loads that could not be handed to the log. */
  readonly lost: () => number;
  /** Hands over what waits. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  /** Called after a load, again for each batch: the store is not opened for a server that only lists. */
  readonly openLog: () => Promise<LoadLog>;
  readonly now: () => Date;
  /** Told once when loads cannot be recorded. */
  readonly onFailure: (error: unknown) => void;
}

/** The host that asked has its answer by then. */
const BEHIND_MS = 150;
/** So that a store that never opens cannot fill the memory (F4). */
const MAX_WAITING = 10_000;
/** What counts as lately. */
const LATELY_MS = 30 * 86_400_000;

type Waiting = LoadNote & { readonly loadedAt: Date };

export function createLoadRecorder({ openLog, now, onFailure }: RecorderOptions): LoadRecorder {
  let waiting: Waiting[] = [];
  let lost = 0;
  let hasFailed = false;
  let timer: NodeJS.Timeout | undefined;
  let counts: ReadonlyMap<string, number> | undefined;
  const handOver = async (batch: readonly Waiting[]): Promise<void> => {
    const log = await openLog();
    for (const { text, ...load } of batch) log.record({ ...load, digest: knownDigestOf(text) });
    counts ??= await log.counts(new Date(now().getTime() - LATELY_MS));
  };
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) await handOver(batch).catch((error: unknown) => fallShort(batch.length, error));
  };
  const fallShort = (count: number, error: unknown): void => {
    if (!hasFailed) onFailure(error);
    hasFailed = true;
    lost += count;
  };
  return {
    note: (load) => {
      if (waiting.length >= MAX_WAITING) lost += 1;
      else waiting.push({ ...load, loadedAt: now() });
      timer ??= setTimeout(flush, BEHIND_MS).unref();
    },
    countOf: (skillName) => counts?.get(skillName) ?? 0,
    lost: () => lost,
    close: flush,
  };
}

/** The same skills are read again and again, and their bytes never change: half the cost of a load was its digest. */
const digests = new WeakMap<Buffer, string>();

function knownDigestOf(text: Buffer | string): string {
  if (typeof text === 'string') return digestOf(Buffer.from(text));
  const digest = digests.get(text) ?? digestOf(text);
  digests.set(text, digest);
  return digest;
}
