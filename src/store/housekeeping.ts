// What a store needs from time to time while a process runs: a sweep every minute, and once an hour the old is deleted.
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import type { Store } from './store.ts';

const SWEEP_MS = 60_000;
const PRUNE_EVERY = 60;

export interface HousekeepingOptions {
  /** How long invocations and loads are kept. */
  readonly keepMs: number;
  readonly now: () => Date;
  /** Told of a fault of ours: nobody waits for a round who could hear of it. */
  readonly onFault: (error: unknown) => void;
}

/** Begins at once, which opens the store. Holds no process up. Answers how to stop it. */
export function startHousekeeping(store: Pick<Store, 'sweep' | 'prune'>, options: HousekeepingOptions): () => void {
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
      // While the store is away whoever writes hears of it. Either way the next round comes.
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
  store: Pick<Store, 'sweep' | 'prune'>,
  { keepMs, now }: HousekeepingOptions,
  isTimeToPrune: boolean,
): Promise<void> {
  await store.sweep();
  if (isTimeToPrune) await store.prune(new Date(now().getTime() - keepMs));
}
