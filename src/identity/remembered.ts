// Answers of a store, remembered as long as revoking them within 10 seconds allows, and dropped at once when it is told that
// they have changed (N3). While the store is away, callers that were known stay known (F1).
import { createBoundedMap } from '../async/bounded-map.ts';
import { StoreUnavailable } from '../values/store-unavailable.ts';

/** What was revoked elsewhere is forgotten here after this long at the latest, also when no one tells of it. */
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

/** At once for what is known already; `isRecheck`: the store is asked, unless it was a moment ago. Rejects only with a fault of ours. */
export type Recall<T extends object> = (key: string, isRecheck?: boolean) => Remembered<T> | Promise<Remembered<T>>;

export interface Memory<T extends object> {
  readonly recall: Recall<T>;
  /**
   * What fits has changed in the store: it is asked again before any of it is believed, also what it is just being asked
   * about. While it cannot be asked, the answer is `meanwhile`.
   */
  readonly forget: (fits: (value: T, key: string) => boolean, meanwhile: 'stranger' | 'unavailable') => void;
  /** Anything may have changed: the store is asked again. While it is away, what was known holds (F1). */
  readonly doubt: () => void;
}

export interface RememberedParts<T extends object> {
  /** Asks the store; `former`: what it said before. Rejects with StoreUnavailable when it cannot be reached. */
  readonly find: (key: string, former: T | undefined) => Promise<T | undefined>;
  readonly monotonicMs: () => number;
}

interface Entry<T> {
  readonly value: T;
  checkAt: number;
  trustedUntil: number;
}

export function createRemembered<T extends object>({ find, monotonicMs }: RememberedParts<T>): Memory<T> {
  const known = createMap<Entry<T>>();
  /** Until when each is refused unasked. */
  const strangers = createMap<number>();
  /** What was forgotten: what is answered until the store can be asked. */
  const forgotten = createMap<'stranger' | 'unavailable'>();
  const questions = createQuestions<T>(async (key, isStale) => {
    for (;;) {
      // Before the question: what is revoked while it is under way counts from here.
      const askedAt = monotonicMs();
      const value = await orUnavailable(find(key, known.get(key)?.value));
      if (value === 'unavailable') return withoutStore(key);
      if (value === undefined) return noteStranger(key, askedAt);
      if (!isStale(value)) return note(key, value, askedAt);
    }
  });
  const withoutStore = (key: string): Remembered<T> => {
    const entry = known.get(key);
    if (entry === undefined) return forgotten.get(key) ?? 'unavailable';
    entry.checkAt = monotonicMs() + RETRY_AFTER_MS;
    entry.trustedUntil = monotonicMs() + TRUST_WITHOUT_STORE_MS;
    return entry.value;
  };
  const noteStranger = (key: string, askedAt: number): 'stranger' => {
    known.delete(key);
    forgotten.delete(key);
    strangers.set(key, askedAt + STRANGER_MS);
    return 'stranger';
  };
  const note = (key: string, value: T, askedAt: number): T => {
    forgotten.delete(key);
    known.set(key, { value, checkAt: askedAt + CHECK_AFTER_MS, trustedUntil: askedAt + TRUST_MS });
    return value;
  };
  return {
    recall: (key, isRecheck = false) => {
      const at = monotonicMs();
      const entry = known.get(key);
      if (entry === undefined) return at < (strangers.get(key) ?? 0) ? 'stranger' : questions.ask(key);
      if (at >= entry.trustedUntil) return questions.ask(key);
      if (isRecheck && at >= entry.checkAt - CHECK_AFTER_MS + FRESH_MS) return questions.ask(key);
      if (at >= entry.checkAt) questions.askBehind(key);
      return entry.value;
    },
    forget: (fits, meanwhile) => {
      questions.spoil(fits);
      for (const [key, { value }] of known.entries()) {
        if (!fits(value, key)) continue;
        known.delete(key);
        forgotten.set(key, meanwhile);
      }
    },
    doubt: () => {
      // Whatever is being asked may be older than what was missed.
      questions.spoil(() => true);
      const at = monotonicMs();
      for (const [, entry] of known.entries()) {
        entry.checkAt = at - CHECK_AFTER_MS;
        entry.trustedUntil = at;
      }
    },
  };
}

const createMap = <V>() => createBoundedMap<string, V>({ most: MOST_KEPT });

type Fits<T> = (value: T, key: string) => boolean;

interface Questions<T extends object> {
  readonly ask: (key: string) => Remembered<T> | Promise<Remembered<T>>;
  /** No one waits for the answer. A fault is told to the next one who does: the old answer ends soon. */
  readonly askBehind: (key: string) => void;
  /** What fits is not believed when it comes as the answer to a question that is under way. */
  readonly spoil: (fits: Fits<T>) => void;
}

/** Requests for the same key at once share one question; beyond the bound none is asked. */
function createQuestions<T extends object>(
  ask: (key: string, isStale: (value: T) => boolean) => Promise<Remembered<T>>,
): Questions<T> {
  const asking = new Map<string, { readonly answer: Promise<Remembered<T>>; spoiled: readonly Fits<T>[] }>();
  const isStale = (key: string) => (value: T) => {
    const question = asking.get(key);
    const wasSpoiled = question?.spoiled.some((fits) => fits(value, key)) ?? false;
    // The next time it is asked after all that.
    if (question !== undefined) question.spoiled = [];
    return wasSpoiled;
  };
  const begin = (key: string): Remembered<T> | Promise<Remembered<T>> => {
    const under = asking.get(key);
    if (under !== undefined) return under.answer;
    if (asking.size >= MOST_KEPT) return 'unavailable';
    const answer = ask(key, isStale(key)).finally(() => asking.delete(key));
    asking.set(key, { answer, spoiled: [] });
    return answer;
  };
  return {
    ask: begin,
    askBehind: (key) => {
      const answer = begin(key);
      if (answer instanceof Promise) answer.catch(() => undefined);
    },
    spoil: (fits) => {
      for (const question of asking.values()) question.spoiled = [...question.spoiled, fits];
    },
  };
}

async function orUnavailable<T>(answer: Promise<T>): Promise<T | 'unavailable'> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StoreUnavailable) return 'unavailable'; // Who this is cannot be known now.
    throw error;
  }
}
