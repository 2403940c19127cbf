// Ids that sort as they were made: UUIDs of version 7 (RFC 9562), with a counter for those of one millisecond.
import { randomBytes } from 'node:crypto';

/** Greater each time, also while the clock stands still or goes back. */
export function createOrderedIds(now: () => Date): () => string {
  let lastMs = 0;
  let count = 0;
  return () => {
    const ms = Math.max(now().getTime(), lastMs);
    count = ms === lastMs ? count + 1 : 0;
    lastMs = ms + (count >= PER_MS ? 1 : 0);
    count %= PER_MS;
    return uuidOf(lastMs, count);
  };
}

/** What twelve bits can count. */
const PER_MS = 4_096;

function uuidOf(ms: number, count: number): string {
  const random = randomBytes(8);
  // The two highest bits are those of the variant.
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const tail = random.toString('hex');
  const time = ms.toString(16).padStart(12, '0');
  const counted = count.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counted}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}
