// The log of a running server: which documents were read, and from time to time what the store itself needs.
import { keptPromise } from '../async/kept-promise.ts';
import type { NoteFile, NoteLoad } from '../repertoire/load-log.ts';
import { createLoadRecorder, type LoadRecorder } from '../repertoire/load-recorder.ts';
import type { Settings } from '../settings/config.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import { messageOf } from '../values/error-text.ts';
import { type Store, startHousekeeping, startLoadJournal, startStore, tellSurprises } from './store.ts';

export interface Records {
  readonly noteLoad: NoteLoad;
  readonly noteFile: NoteFile;
  readonly countOf: (skillName: string) => number;
  readonly lost: () => number;
  /** Hands over what waits, and closes the store if it was opened here. */
  close(): Promise<void>;
}

/** `known`: the store of the typed skills, if there are any. Without it one is opened behind the first load (D9). */
export function keepRecords(settings: Settings, known: Store | undefined, log: RuntimeLog): Records {
  if (!settings.isLogged) return NO_RECORDS;
  const warn = (message: string) => (error: unknown) => log({ level: 'warn', message, reason: messageOf(error) });
  const onDisorder = warn('Cannot keep the store in order');
  const opened = keptPromise(async () => known ?? (await startStore(settings, tellSurprises(log))));
  const housekeeping = keptPromise(async () => startHousekeeping(await opened.get(), settings, onDisorder));
  // Where typed skills are recorded the store is needed anyway: what others left running is closed, what is old forgotten.
  const keepHouse = async (): Promise<void> => {
    await housekeeping.get();
    await recorder.takeUp();
  };
  const timer = known && setTimeout(() => void keepHouse().catch(onDisorder), HOUSEKEEPING_MS).unref();
  const recorder = createLoadRecorder({
    openLog: async () => {
      await housekeeping.get();
      return (await opened.get()).loads;
    },
    openJournal: () => startLoadJournal(settings),
    now: () => new Date(),
    onFailure: warn('Cannot record which skills are read'),
  });
  return {
    noteLoad: recorder.note,
    noteFile: recorder.noteFile,
    countOf: recorder.countOf,
    lost: recorder.lost,
    async close() {
      clearTimeout(timer);
      await closeSaying(recorder, log);
      (await housekeeping.find())?.();
      if (known === undefined) await (await opened.find())?.close();
    },
  };
}

const LEFT =
  'Loads are not in the log yet: the store was away at the end; the next process with this data directory writes them';

/** What is lost at the end is said: no counter is asked any more. */
async function closeSaying(recorder: LoadRecorder, log: RuntimeLog): Promise<void> {
  const before = recorder.lost();
  const left = await recorder.close();
  const lost = recorder.lost() - before;
  if (left > 0) log({ level: 'warn', message: LEFT, left });
  if (lost > 0) log({ level: 'warn', message: 'Loads were lost: the store was away at the end', lost });
}

/** After the first answers. */
const HOUSEKEEPING_MS = 1_000;

const NO_RECORDS: Records = {
  noteLoad: () => undefined,
  noteFile: () => undefined,
  countOf: () => 0,
  lost: () => 0,
  close: async () => undefined,
};
