// What `serve --sync` does: fetches what the locks name, at the start and whenever a lock changes (S4). One bad source never holds up
// the others.
import { sideBySide } from '../async/side-by-side.ts';
import { messageOf } from '../values/error-text.ts';
import { fail } from '../values/result.ts';
import { contentPlace } from './content.ts';
import type { LockedSource } from './lock.ts';
import { loadLock, registerLock } from './lock-file.ts';
import { type LockPlace, lockPlaces, lockStamp } from './lock-stamp.ts';
import { QUIET_MS } from './offer.ts';
import { labelOf } from './pinned-roots.ts';
import { syncSource } from './sync-source.ts';

export interface KeepSyncedOptions {
  readonly project: string;
  readonly dataDirectory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly log: (event: { readonly level: 'info' | 'warn'; readonly message: string }) => void;
}

const LOOK_MS = 1_000;
/** One that does not move is given up after a minute: the others do not wait for it. */
const SYNCED_AT_ONCE = 4;

/** Answers the function that ends it. */
export function keepSynced(options: KeepSyncedOptions): () => Promise<void> {
  const { project, dataDirectory, log } = options;
  const places = lockPlaces(project, dataDirectory);
  const stop = new AbortController();
  let stamp: string | undefined;
  let running: Promise<void> | undefined;
  const look = (): void => {
    const now = places.map(({ path }) => lockStamp(path)).join('\n');
    if (now === stamp || running !== undefined || stop.signal.aborted) return;
    stamp = now;
    running = syncPlaces(places, options, stop.signal)
      .catch((error: unknown) => log({ level: 'warn', message: `Cannot sync the sources: ${messageOf(error)}` }))
      .finally(() => {
        running = undefined;
      });
  };
  look();
  const timer = setInterval(look, LOOK_MS).unref();
  return async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  };
}

async function syncPlaces(
  places: readonly LockPlace[],
  options: KeepSyncedOptions,
  signal: AbortSignal,
): Promise<void> {
  const { dataDirectory, variables, log } = options;
  const content = contentPlace(dataDirectory);
  const waiting: { readonly source: LockedSource; readonly lock: LockPlace }[] = [];
  for (const lock of places) {
    const loaded = loadLock(lock.path);
    if (!loaded.ok) log({ level: 'warn', message: loaded.failure });
    const sources = loaded.ok ? (loaded.value?.sources ?? []) : [];
    if (sources.length > 0) registerLock(content, lock.path);
    waiting.push(...sources.map((source) => ({ source, lock })));
  }
  await sideBySide(waiting, SYNCED_AT_ONCE, async ({ source, lock }) => {
    if (signal.aborted) return;
    const done = await syncSource({ source, lock, content, world: { variables, quietMs: QUIET_MS, signal } }).catch(
      // A full disk, for example: it costs this source, and the next look waits until all others are done.
      (error: unknown) => fail(messageOf(error)),
    );
    if (!done.ok) log({ level: 'warn', message: `Cannot sync ${labelOf(source)}: ${done.failure}` });
    else if (done.value !== 'ready') log({ level: 'info', message: `Synced ${labelOf(source)}` });
  });
}
