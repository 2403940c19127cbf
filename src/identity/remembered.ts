// Answers of a store that is asked as seldom as taking them back allows. While the store is away, whoever was known stays
// known (F1).

/** What was taken back elsewhere is forgotten here at the latest after this long. */
const TRUST_MS = 10_000;
/** From here on the store is asked again while the old answer still holds: whoever calls often never waits. */
const CHECK_AFTER_MS = 5_000;
/** While the store is away: how often it is asked, and how long nobody waits for it. */
const RETRY_AFTER_MS = 1_000;
const TRUST_WITHOUT_STORE_MS = 5_000;
const STRANGER_MS = 5_000;
/** Of each kind: known ones, strangers, questions under way. */
const MOST_KEPT = 10_000;

/** `stranger`: the store does not know it. `unavailable`: it cannot be told now. */
export type Remembered<T extends object> = T | 'stranger' | 'unavailable';

/** At once for what is known already. Never rejects. */
export type Recall<T extends object> = (key: string) => Remembered<T> | Promise<Remembered<T>>;

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
  const known = new Map<string, Entry<T>>();
  /** Until when each is refused unasked. */
  const strangers = new Map<string, number>();

  const withoutStore = (key: string): Remembered<T> => {
    const entry = known.get(key);
    if (entry === undefined) return 'unavailable';
    entry.checkAt = monotonicMs() + RETRY_AFTER_MS;
    entry.trustedUntil = monotonicMs() + TRUST_WITHOUT_STORE_MS;
    return entry.value;
  };
  const ask = shareQuestions<T>(async (key) => {
    // Before the question: what is taken back while it is under way counts from here.
    const askedAt = monotonicMs();
    const value = await orUnavailable(find(key, known.get(key)?.value));
    if (value === 'unavailable') return withoutStore(key);
    if (value === undefined) {
      known.delete(key);
      keep(strangers, key, askedAt + STRANGER_MS);
      return 'stranger';
    }
    keep(known, key, { value, checkAt: askedAt + CHECK_AFTER_MS, trustedUntil: askedAt + TRUST_MS });
    return value;
  });
  return (key) => {
    const at = monotonicMs();
    const entry = known.get(key);
    if (entry === undefined) return at < (strangers.get(key) ?? 0) ? 'stranger' : ask(key);
    if (at >= entry.trustedUntil) return ask(key);
    if (at >= entry.checkAt) void ask(key);
    return entry.value;
  };
}

/** Those who ask for the same at once share one question; beyond the bound nobody is asked for. */
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
    return 'unavailable'; // Whatever keeps the store from answering: who this is cannot be told.
  }
}

/** The one that was kept longest goes when there are too many. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MOST_KEPT) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
