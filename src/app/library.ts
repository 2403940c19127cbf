// The library of a server: opened beside its store, and what waits for a decision said once (L1, L3).
import { within } from '../async/within.ts';
import { openServedLibrary, type ServedLibrary } from '../library/served-library.ts';
import type { Settings } from '../settings/config.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import { counted } from '../text/counted.ts';
import type { Store } from './store.ts';

/** Longer than the store itself waits for a database that is away. */
const FIRST_LOOK_MS = 3_000;

export async function startServedLibrary(
  { dataDirectory }: Pick<Settings, 'dataDirectory'>,
  { library, bus }: Pick<Store, 'library' | 'bus'>,
  log: RuntimeLog,
): Promise<ServedLibrary> {
  const served = openServedLibrary({ dataDirectory, library, bus, log });
  await within(served.refresh(), FIRST_LOOK_MS, () => undefined);
  void sayWaiting(library, log);
  return served;
}

/** One line, where there is something to decide. */
async function sayWaiting(library: Store['library'], log: RuntimeLog): Promise<void> {
  try {
    const waiting = (await library.list()).flatMap(({ proposed }) => proposed).length;
    if (waiting === 0) return;
    const message = `${counted(waiting, 'proposed version')} of skills ${waiting === 1 ? 'waits' : 'wait'} for review: run \`repertoire review\``;
    log({ level: 'info', message });
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}
