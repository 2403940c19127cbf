// The log of a running server: which documents were read, and from time to time what the store itself needs.

import type { NoteLoad } from '../../repertoire/load-log.ts';
import { createLoadRecorder } from '../../repertoire/load-recorder.ts';
import type { Settings } from '../../settings/config.ts';
import { startHousekeeping, startStore } from '../../start.ts';
import type { Store } from '../../store/store.ts';
import type { LogEvent } from './event-log.ts';

export interface Records {
  readonly noteLoad: NoteLoad;
  readonly countOf: (skillName: string) => number;
  readonly lost: () => number;
  /** Hands over what waits; lets go of the store, unless it is somebody else's. */
  close(): Promise<void>;
}

/** `known`: the store that typed skills are recorded in, if there are any. Else it is opened behind the first load (D9). */
export function keepRecords(settings: Settings, known: Store | undefined, log: (event: LogEvent) => void): Records {
  if (!settings.isLogged) return NO_RECORDS;
  // Promises, not values: two who come at the same time must not open two stores or keep house twice.
  let opened: Promise<Store> | undefined = known && Promise.resolve(known);
  let housekeeping: Promise<() => void> | undefined;
  const keepHouse = (store: Store): Promise<() => void> => {
    housekeeping ??= startHousekeeping(store, settings, (error) =>
      log({ level: 'warn', message: 'Cannot keep the store in order', reason: sentenceOf(error) }),
    );
    return housekeeping;
  };
  // Where typed skills are recorded the store is needed anyway: what others left running is closed, what is old forgotten.
  const timer = known && setTimeout(() => keepHouse(known), HOUSEKEEPING_MS).unref();
  const recorder = createLoadRecorder({
    openLog: async () => {
      opened ??= startStore(settings);
      const store = await opened;
      await keepHouse(store);
      return store.loads;
    },
    now: () => new Date(),
    onFailure: (error) =>
      log({ level: 'warn', message: 'Cannot record which skills are read', reason: sentenceOf(error) }),
  });
  return {
    noteLoad: recorder.note,
    countOf: recorder.countOf,
    lost: recorder.lost,
    async close() {
      clearTimeout(timer);
      await recorder.close();
      (await housekeeping)?.();
      if (known === undefined) await (await opened)?.close();
    },
  };
}

/** After the first answers. */
const HOUSEKEEPING_MS = 1_000;

const NO_RECORDS: Records = {
  noteLoad: () => undefined,
  countOf: () => 0,
  lost: () => 0,
  close: async () => undefined,
};

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');
