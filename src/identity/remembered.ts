// Answers of a store, remembered as long as revoking them within 10 seconds allows. While the store is away, callers that
// were known stay known (F1).
import { createBoundedMap } from '../async/bounded-map.ts';

/** What was revoked elsewhere is forgotten here after this long at the latest. */
const TRUST_MS = 10_000;
/** From here on the store is asked again while the old answer still holds: a caller that calls often never waits. */
const CHECK_AFTER_MS = 5_000;
/** Who looks again at what stays open wants what the store says now: that may be this old, for many who look at once. */
const FRESH_MS = 1_000;
/** While the store is away: how often it is asked, and how long no request waits for it. */
const RETRY_AFTER_MS = 1_000;
const TRUST_WITHOUT_STORE_MS = 5_000;
const STRANGER_MS = 5_000;
/** Of each kind: known ones, strangers, questions under way. */
const MOST_KEPT = 10_000;

/** `stranger`: the store does not know it. `unavailable`: it cannot be known now. */
export type Remembered<T extends object> = T | 'stranger' | 'unavailable';

/** At once for what is known already; `isRecheck`: the store is asked, unless it was a moment ago. Never rejects. */
export type Recall<T extends object> = (key: string, isRecheck?: boolean) => Remembered<T> | Promise<Remembered<T>>;

export interface RememberedParts<T extends object> {
  /** Asks the store; `former`: what it said before. Rejects when the store cannot be reached. */
  readonly find: (key: string, former: T | undefined) => Promise<T | undefined>;
  readonly monotonicMs: () => number;
}

interface Entry<T> {
  readonly value: T;
  checkAt: number;
  trustedUntil: number;
}

export function createRemembered<T extends object>({ find, monotonicMs }: RememberedParts<T>): Recall<T> {
  const known = createBoundedMap<string, Entry<T>>({ most: MOST_KEPT });
  /** Until when each is refused unasked. */
  const strangers = createBoundedMap<string, number>({ most: MOST_KEPT });

  const withoutStore = (key: string): Remembered<T> => {
    const entry = known.get(key);
    if (entry === undefined) return 'unavailable';
    entry.checkAt = monotonicMs() + RETRY_AFTER_MS;
    entry.trustedUntil = monotonicMs() + TRUST_WITHOUT_STORE_MS;
    return entry.value;
  };
  const ask = shareQuestions<T>(async (key) => {
    // Before the question: what is revoked while it is under way counts from here.
    const askedAt = monotonicMs();
    const value = await orUnavailable(find(key, known.get(key)?.value));
    if (value === 'unavailable') return withoutStore(key);
    if (value === undefined) {
      known.delete(key);
      strangers.set(key, askedAt + STRANGER_MS);
      return 'stranger';
    }
    known.set(key, { value, checkAt: askedAt + CHECK_AFTER_MS, trustedUntil: askedAt + TRUST_MS });
    return value;
  });
  return (key, isRecheck = false) => {
    const at = monotonicMs();
    const entry = known.get(key);
    if (entry === undefined) return at < (strangers.get(key) ?? 0) ? 'stranger' : ask(key);
    if (at >= entry.trustedUntil) return ask(key);
    if (isRecheck && at >= entry.checkAt - CHECK_AFTER_MS + FRESH_MS) return ask(key);
    if (at >= entry.checkAt) void ask(key);
    return entry.value;
  };
}

/** Requests for the same key at once share one question; beyond the bound none is asked. */
function shareQuestions<T extends object>(ask: (key: string) => Promise<Remembered<T>>): Recall<T> {
  const asking = new Map<string, Promise<Remembered<T>>>();
  return (key) => {
    const under = asking.get(key);
    if (under !== undefined) return under;
    if (asking.size >= MOST_KEPT) return 'unavailable';
    const answer = ask(key).finally(() => asking.delete(key));
    asking.set(key, answer);
    return answer;
  };
}

async function orUnavailable<T>(answer: Promise<T>): Promise<T | 'unavailable'> {
  try {
    return await answer;
  } catch {
    return 'unavailable'; // Whatever keeps the store from answering: who this is cannot be known now.
  }
}
