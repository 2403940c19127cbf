// Reads for the overview: shared by all requests for the same window, kept for a moment, and paced, so that however slow they
// are they take a twentieth of the time at most.
import { createBoundedMap } from '../../../async/bounded-map.ts';
import { sleep } from '../../../async/sleep.ts';
import { createTurns } from '../../../async/turns.ts';
import { shareBriefly } from './share-briefly.ts';

export interface OverviewLooks<Look> {
  /** `key`: what is looked at. `too-many`: too many others wait for their turn. */
  at(key: string, look: () => Promise<Look>): Promise<Look | 'too-many'>;
  retryAfterSeconds(): number;
}

export interface LooksOptions {
  /** One after the other, with rests between them. */
  readonly isPaced: boolean;
  readonly monotonicMs: () => number;
}

/** Many pages that show the same window cost as much as one. */
const KEEP_MS = 1_000;
/** Windows that are kept. */
const MOST_WINDOWS = 20;

export function createOverviewLooks<Look>({ isPaced, monotonicMs }: LooksOptions): OverviewLooks<Look> {
  const shared = createBoundedMap<string, () => Promise<Look | 'too-many'>>({ most: MOST_WINDOWS });
  const { inPacedTurn, restMs } = createPacedTurns(monotonicMs);
  // During a rest, what was seen last is good enough.
  const keepMs = () => Math.max(KEEP_MS, restMs());
  const share = (look: () => Promise<Look>) =>
    shareBriefly<Look | 'too-many'>(() => (isPaced ? inPacedTurn(look) : look()), {
      monotonicMs,
      keepMs,
    });
  return {
    at: (key, look) => {
      const found = shared.get(key) ?? share(look);
      // Set again: what was asked for longest ago goes first.
      shared.set(key, found);
      return found();
    },
    retryAfterSeconds: () => Math.ceil(keepMs() / 1_000),
  };
}

/** After a read of so long, a rest of 20 times as long. */
const REST = 20;
/** Further windows are refused: a client that asks for ever new ones does not keep the others waiting. */
const MOST_WAITING = 5;

/** One after the other, each after the rest that the one before has earned. A failure earns none. */
function createPacedTurns(monotonicMs: () => number) {
  const inTurn = createTurns();
  let restUntil = 0;
  let waiting = 0;
  const restMs = () => Math.max(0, restUntil - monotonicMs());
  const rested = async <T>(work: () => Promise<T>): Promise<T> => {
    if (restMs() > 0) await sleep(restMs());
    waiting -= 1;
    const began = monotonicMs();
    const done = await work();
    const ended = monotonicMs();
    restUntil = ended + (ended - began) * REST;
    return done;
  };
  const inPacedTurn = async <T>(work: () => Promise<T>): Promise<T | 'too-many'> => {
    if (waiting >= MOST_WAITING) return 'too-many';
    waiting += 1;
    return inTurn(() => rested(work));
  };
  return { inPacedTurn, restMs };
}
