// A map with a limit: when it is exceeded, the entry that was set longest ago goes.

export interface MapBounds<V> {
  /** How many entries are kept; with `weigh`, how much they weigh together. */
  readonly most: number;
  /** For instance the bytes of a value. Each entry counts as 1 without it. */
  readonly weigh?: (value: V) => number;
}

export interface BoundedMap<K, V> {
  readonly get: (key: K) => V | undefined;
  readonly has: (key: K) => boolean;
  /** Makes the entry the newest, also one that was there. A value that weighs more than the limit is not kept. */
  readonly set: (key: K, value: V) => void;
  readonly delete: (key: K) => void;
  /** Those that are there now, the one that was set longest ago first. */
  readonly entries: () => readonly (readonly [K, V])[];
  readonly clear: () => void;
}

/**
 * To keep what was used last instead of what was set last, set what was found:
 *
 * @example
 * const kept = createBoundedMap<string, Buffer>({ most: 4 * 2 ** 20, weigh: (bytes) => bytes.length });
 * const body = kept.get(uri) ?? makeBody(uri);
 * kept.set(uri, body);
 */
export function createBoundedMap<K, V>({ most, weigh = () => 1 }: MapBounds<V>): BoundedMap<K, V> {
  // With the weight that was counted: a value that changes must not spoil the sum.
  const entries = new Map<K, { readonly value: V; readonly weight: number }>();
  let total = 0;
  const drop = (key: K): void => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  const dropOldest = (): void => {
    for (const oldest of entries.keys()) {
      if (total <= most) return;
      drop(oldest);
    }
  };
  return {
    get: (key) => entries.get(key)?.value,
    has: (key) => entries.has(key),
    set: (key, value) => {
      drop(key);
      const weight = weigh(value);
      if (weight > most) return;
      entries.set(key, { value, weight });
      total += weight;
      dropOldest();
    },
    delete: drop,
    entries: () => [...entries].map(([key, { value }]) => [key, value] as const),
    clear: () => {
      entries.clear();
      total = 0;
    },
  };
}
