// How many there were in the last minute. Those within one second are one burst, which counts until a minute after the last of
// them: never more than there may be in any minute, and few numbers to remember.

/** How far back is counted. */
const MINUTE_MS = 60_000;

const BURST_MS = 1_000;

/** So many share a limit at least: the first of a burst leave late, and those are few of all, however fast they came. */
const BURSTS_OF_A_LIMIT = 50;

interface Burst {
  readonly startMs: number;
  endMs: number;
  count: number;
}

/** Since the last of it. */
export interface AgedBurst {
  readonly ageMs: number;
  readonly count: number;
}

export class MinuteCount {
  /** Oldest first. */
  #bursts: Burst[] = [];
  #total = 0;

  /** What was counted elsewhere, oldest first. */
  static of(bursts: readonly AgedBurst[], nowMs: number): MinuteCount {
    const counted = new MinuteCount();
    for (const { ageMs, count } of bursts) {
      counted.#bursts.push({ startMs: nowMs - ageMs, endMs: nowMs - ageMs, count });
      counted.#total += count;
    }
    return counted;
  }

  /** Oldest first. */
  bursts(nowMs: number): readonly AgedBurst[] {
    this.total(nowMs);
    return this.#bursts.map(({ endMs, count }) => ({ ageMs: nowMs - endMs, count }));
  }

  total(nowMs: number): number {
    let [oldest] = this.#bursts;
    while (oldest !== undefined && oldest.endMs + MINUTE_MS <= nowMs) {
      this.#total -= oldest.count;
      this.#bursts.shift();
      [oldest] = this.#bursts;
    }
    return this.#total;
  }

  /** `perMinute`: the limit that it is counted for. */
  add(count: number, nowMs: number, perMinute: number): void {
    this.#total += count;
    const newest = this.#bursts.at(-1);
    const isFull = newest === undefined || newest.count >= perMinute / BURSTS_OF_A_LIMIT;
    if (isFull || nowMs - newest.startMs >= BURST_MS) {
      this.#bursts.push({ startMs: nowMs, endMs: nowMs, count });
      return;
    }
    newest.endMs = nowMs;
    newest.count += count;
  }

  /** Takes so many out again, the oldest first. */
  drop(count: number): void {
    let left = Math.min(count, this.#total);
    this.#total -= left;
    for (const burst of this.#bursts) {
      const gone = Math.min(left, burst.count);
      burst.count -= gone;
      left -= gone;
      if (left === 0) break;
    }
    this.#bursts = this.#bursts.filter((burst) => burst.count > 0);
  }

  /** With what another one counted. */
  with(other: MinuteCount): MinuteCount {
    const both = new MinuteCount();
    both.#bursts = [...this.#bursts, ...other.#bursts].sort((one, next) => one.endMs - next.endMs);
    both.#total = this.#total + other.#total;
    return both;
  }

  /** How long until so many have left; a minute when there are not so many. */
  waitMs(leaving: number, nowMs: number): number {
    let left = leaving;
    for (const { endMs, count } of this.#bursts) {
      left -= count;
      if (left <= 0) return Math.min(MINUTE_MS, Math.max(0, endMs + MINUTE_MS - nowMs));
    }
    return MINUTE_MS;
  }
}
