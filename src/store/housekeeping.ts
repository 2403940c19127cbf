// What a store needs from time to time while a process runs: a sweep every minute, and once an hour the old is deleted.
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import type { Store } from './store.ts';

const SWEEP_MS = 60_000;
const PRUNE_EVERY = 60;

export interface HousekeepingOptions {
  /** How long invocations and loads are kept. */
  readonly keepMs: number;
  /** Called with a fault of ours: no caller waits for a round. */
  readonly onFault: (error: unknown) => void;
}

/** Begins at once, which opens the store. Does not keep the process alive. Answers how to stop it. */
export function startHousekeeping(store: Pick<Store, 'sweep' | 'pruneKept'>, options: HousekeepingOptions): () => void {
  let rounds = 0;
  let isBusy = false;
  const round = async () => {
    if (isBusy) return;
    isBusy = true;
    const isTimeToPrune = rounds % PRUNE_EVERY === 0;
    rounds += 1;
    try {
      await keepHouse(store, options, isTimeToPrune);
    } catch (error) {
      // While the store is away its callers are told. Either way the next round comes.
      if (!(error instanceof StoreUnavailable)) options.onFault(error);
    } finally {
      isBusy = false;
    }
  };
  void round();
  const timer = setInterval(round, SWEEP_MS).unref();
  return () => clearInterval(timer);
}

async function keepHouse(
  store: Pick<Store, 'sweep' | 'pruneKept'>,
  { keepMs }: HousekeepingOptions,
  isTimeToPrune: boolean,
): Promise<void> {
  await store.sweep();
  if (isTimeToPrune) await store.pruneKept(keepMs);
}
