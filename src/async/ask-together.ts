// Single questions that are asked together: what comes while a question is under way waits for the next, which asks for all
// that wait. However many come at once, few questions are asked.

export interface TogetherOptions<K, V> {
  /** The answers to those of the keys that have one. */
  readonly ask: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;
  /** Keys in one question; the others wait for the one after it. */
  readonly most: number;
  /** Questions under way. */
  readonly atOnce: number;
  /** A question that takes longer than this is not waited for: another is begun beside it, if it may. */
  readonly patienceMs: number;
}

/**
 * The first is asked at once, alone. A failure is that of everyone who was in the question.
 *
 * @example
 * const find = askTogether({ ask: (ids) => selectByIds(database, ids), most: 1_000, atOnce: 2, patienceMs: 400 });
 * const [one, other] = await Promise.all([find('a'), find('b')]);
 */
export function askTogether<K, V>(options: TogetherOptions<K, V>): (key: K) => Promise<V | undefined> {
  const { most, atOnce, patienceMs } = options;
  const waiting: Waiting<K, V>[] = [];
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0 || running === atOnce) return;
    running += 1;
    void answerAll(waiting.splice(0, most), options).then(() => {
      running -= 1;
      begin();
    });
    if (waiting.length > 0) beginLater();
  };
  const beginLater = (): void => {
    timer ??= setTimeout(begin, patienceMs);
  };
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (running === 0) begin();
      else beginLater();
    });
}

interface Waiting<K, V> {
  readonly key: K;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/** Never rejects. */
async function answerAll<K, V>(asked: readonly Waiting<K, V>[], { ask }: Pick<TogetherOptions<K, V>, 'ask'>) {
  try {
    const found = await ask(asked.map(({ key }) => key));
    for (const { key, resolve } of asked) resolve(found.get(key));
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}
