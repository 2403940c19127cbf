// How much each caller holds at a time, and all together: places, or bytes. Nothing ever queues here.

interface Share {
  readonly key: string;
  /** What this key may hold at a time. */
  readonly most: number;
}

export interface Quota {
  /** False: it does not fit, and nothing was taken. */
  readonly take: (share: Share, amount?: number) => boolean;
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
  return {
    take: ({ key, most }, amount = 1) => {
      const own = (byKey.get(key) ?? 0) + amount;
      if (own > most || all + amount > inAll) return false;
      byKey.set(key, own);
      all += amount;
      return true;
    },
    give: (key, amount = 1) => {
      const held = byKey.get(key) ?? 0;
      const left = Math.max(0, held - amount);
      all -= held - left;
      // A key that holds nothing is forgotten: memory must not grow with every caller ever seen.
      if (left > 0) byKey.set(key, left);
      else byKey.delete(key);
    },
  };
}
