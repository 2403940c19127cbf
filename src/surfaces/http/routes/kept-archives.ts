// Archives of skills, packed once and kept while there is room. However many ask for one at once, it is packed once; and only a few
// are packed at the same time: anybody may ask where the index is public (S6).
import { createBoundedMap } from '../../../async/bounded-map.ts';
import { createTurns } from '../../../async/turns.ts';

/** Bytes of all that is kept. */
const MOST_KEPT = 32 * 1024 * 1024;
const PACKED_AT_ONCE = 2;

export interface KeptArchives<K extends object> {
  /** `undefined`: it cannot be packed. Nothing of that is kept. */
  get(key: K): Promise<Buffer | undefined>;
}

/** `key`: another one for other content. */
export function createKeptArchives<K extends object>(pack: (key: K) => Promise<Buffer | undefined>): KeptArchives<K> {
  const kept = createBoundedMap<K, Buffer>({ most: MOST_KEPT, weigh: (bytes) => bytes.length });
  const running = new Map<K, Promise<Buffer | undefined>>();
  const inTurn = createTurns(PACKED_AT_ONCE);
  const make = async (key: K): Promise<Buffer | undefined> => {
    const bytes = await inTurn(() => pack(key));
    if (bytes !== undefined) kept.set(key, bytes);
    return bytes;
  };
  return {
    get: (key) => {
      const known = kept.get(key);
      if (known !== undefined) {
        kept.set(key, known);
        return Promise.resolve(known);
      }
      const made = running.get(key) ?? make(key).finally(() => running.delete(key));
      running.set(key, made);
      return made;
    },
  };
}
