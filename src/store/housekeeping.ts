// What a store needs from time to time while a process runs: a sweep every minute, and once an hour the old is deleted.
import { StoreUnavailable } from '../execution/invocation-log.ts';
import type { Store } from './store.ts';

const SWEEP_MS = 60_000;
const PRUNE_EVERY = 60;

export interface HousekeepingOptions {
  /** How long invocations and loads are kept; undefined: for ever. */
  readonly keepMs: number | undefined;
  readonly now: () => Date;
}

/** Begins at once, which opens the store. Holds no process up. Answers how to stop it. */
export function startHousekeeping(store: Pick<Store, 'sweep' | 'prune'>, options: HousekeepingOptions): () => void {
  let rounds = 0;
  let isBusy = false;
  const round = async () => {
    if (isBusy) return;
    isBusy = true;
    await keepHouse(store, options, rounds % PRUNE_EVERY === 0);
    rounds += 1;
    isBusy = false;
  };
  void round();
  const timer = setInterval(round, SWEEP_MS).unref();
  return () => clearInterval(timer);
}

async function keepHouse(
  store: Pick<Store, 'sweep' | 'prune'>,
  { keepMs, now }: HousekeepingOptions,
  isTimeToPrune: boolean,
): Promise<void> {
  try {
    await store.sweep();
    if (keepMs !== undefined && isTimeToPrune) await store.prune(new Date(now().getTime() - keepMs));
  } catch (error) {
    // Whoever writes hears of it; the next round comes.
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}
