// Ids that sort as they were made: UUIDs of version 7 (RFC 9562), with a counter for those of one millisecond.
import { randomUUID } from 'node:crypto';

/** Greater each time, also while the clock stands still or goes back. */
export function createOrderedIds(now: () => Date): () => string {
  let lastMs = 0;
  let count = 0;
  return () => {
    const ms = Math.max(now().getTime(), lastMs);
    count = ms === lastMs ? count + 1 : 0;
    lastMs = ms + (count >= PER_MS ? 1 : 0);
    count %= PER_MS;
    return uuidOf(lastMs, `${count.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`);
  };
}

/** What twelve bits can count. */
const PER_MS = 4_096;

/** For a moment that is given: those of one millisecond are in no order. An index that grows at its end costs less to write. */
export const orderedIdAt = (moment: Date): string => uuidOf(Math.max(0, moment.getTime()), randomUUID().slice(15));

/** `tail`: what follows the version. */
function uuidOf(ms: number, tail: string): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${tail}`;
}
