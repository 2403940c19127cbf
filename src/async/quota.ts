// How much each caller holds at a time, and all together: places, or bytes. Nothing ever queues here.

interface Share {
  readonly key: string;
  /** What this key may hold at a time. */
  readonly most: number;
}

export interface Quota {
  /** False: it does not fit, and nothing was taken. */
  readonly take: (share: Share, amount?: number) => boolean;
  /** Takes it whether it fits or not: it is there already, and counts for what comes next. */
  readonly add: (key: string, amount: number) => void;
  readonly held: (key: string) => number;
  /** What all keys hold together. */
  readonly all: () => number;
  /** How many keys hold something. */
  readonly holders: () => number;
  /** Gives back what was taken. */
  readonly give: (key: string, amount?: number) => void;
}

/**
 * @example
 * const streams = createQuota({ inAll: 500 });
 * if (!streams.take({ key, most: 32 })) return refuse();
 * response.once('close', () => streams.give(key));
 */
export function createQuota({ inAll = Number.POSITIVE_INFINITY }: { readonly inAll?: number } = {}): Quota {
  const byKey = new Map<string, number>();
  let all = 0;
  const held = (key: string) => byKey.get(key) ?? 0;
  const add = (key: string, amount: number) => {
    byKey.set(key, held(key) + amount);
    all += amount;
  };
  return {
    take: ({ key, most }, amount = 1) => {
      if (held(key) + amount > most || all + amount > inAll) return false;
      add(key, amount);
      return true;
    },
    add,
    held,
    all: () => all,
    holders: () => byKey.size,
    give: (key, amount = 1) => {
      const own = held(key);
      const left = Math.max(0, own - amount);
      all -= own - left;
      // A key that holds nothing is forgotten: memory must not grow with every caller ever seen.
      if (left > 0) byKey.set(key, left);
      else byKey.delete(key);
    },
  };
}
