// What a process knows of the counts that several share, key by key: what all had counted when they were last asked, what
// passed here since, and who waits for an answer. See shared-window.ts.
import { type AgedBurst, MinuteCount } from './minute-count.ts';
import { MOST_KEYS, type Rate, retryAfterSeconds, type Wait } from './rate-window.ts';

export interface WindowAsk {
  readonly key: string;
  /** Passed already: is counted. */
  readonly told: number;
  /** Is counted as far as there is room, in whole units. */
  readonly asked: number;
  readonly unit: number;
  readonly most: number;
}

export interface WindowAnswer {
  readonly granted: number;
  /** All of the last minute, these included; oldest first. */
  readonly bursts: readonly AgedBurst[];
}

/** One who waits for an answer. */
export interface Asker {
  readonly count: number;
  /** `alone`: the others did not answer. */
  readonly answer: (wait: Wait | 'alone') => void;
  /** It waited for too long, and was let pass without an answer. */
  passedAlone: boolean;
}

export interface SharedCount {
  /** What the others call it. */
  readonly name: string;
  perMinute: number;
  known: MinuteCount;
  untold: MinuteCount;
  /** Being told. */
  sending: MinuteCount;
  askers: Asker[];
  /** Those for whom all are being asked. */
  asking: number;
  /** When it was last made the newest of all. */
  movedMs: number;
  /** There were too many keys: what passes is not told any more. */
  isForgotten: boolean;
}

/** One key in a round: what is asked, and who for. */
export interface Sent {
  readonly entry: SharedCount;
  readonly ask: WindowAsk;
  readonly askers: readonly Asker[];
}

/** Keys in one round. */
const MOST_ASKS = 500;

const MOVE_MS = 100;

export class SharedCounts {
  readonly #nameOf: (key: string) => string;
  /** The one that was quiet longest first. */
  readonly #entries = new Map<string, SharedCount>();
  readonly #asking = new Set<SharedCount>();
  readonly #untold = new Set<SharedCount>();
  /** Of the untold, those to be told soon. */
  readonly #pressing = new Set<SharedCount>();

  constructor(nameOf: (key: string) => string) {
    this.#nameOf = nameOf;
  }

  readonly get = ({ key, perMinute }: Rate, nowMs: number): SharedCount => {
    const entry = this.#entries.get(key) ?? newCount(this.#nameOf(key));
    entry.perMinute = Math.floor(perMinute);
    // To the end of the map now and then: for each request it would be half of what counting it costs.
    if (nowMs - entry.movedMs < MOVE_MS) return entry;
    entry.movedMs = nowMs;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > MOST_KEYS) this.#forgetOldest();
    return entry;
  };

  /** Someone waits. */
  get isAsked(): boolean {
    return this.#asking.size > 0;
  }

  get isPressing(): boolean {
    return this.#pressing.size > 0;
  }

  ask(entry: SharedCount, asker: Asker): void {
    entry.askers.push(asker);
    this.#asking.add(entry);
  }

  get isUntold(): boolean {
    return this.#untold.size > 0;
  }

  pass(entry: SharedCount, count: number, nowMs: number): void {
    entry.untold.add(count, nowMs, entry.perMinute);
    if (!entry.isForgotten) this.#untold.add(entry);
  }

  press(entry: SharedCount): void {
    if (this.#untold.has(entry)) this.#pressing.add(entry);
  }

  /** What is asked and told next: what presses or, where nothing does, all. */
  takeBatch(nowMs: number, roomOf: (entry: SharedCount) => number): readonly Sent[] {
    const pressing = new Set([...this.#asking, ...this.#pressing]);
    const all = [...(pressing.size > 0 ? pressing : this.#untold)];
    for (const entry of all.slice(MOST_ASKS)) this.press(entry);
    return all.slice(0, MOST_ASKS).map((entry) => {
      const askers = takeAlike(entry);
      if (entry.askers.length === 0) this.#asking.delete(entry);
      this.#untold.delete(entry);
      this.#pressing.delete(entry);
      entry.sending = entry.untold;
      entry.untold = new MinuteCount();
      entry.asking = askers.length;
      const unit = askers[0]?.count ?? 1;
      const told = entry.sending.total(nowMs);
      return { entry, askers, ask: { key: entry.name, told, asked: unit * askers.length, unit, most: roomOf(entry) } };
    });
  }

  answer({ entry, askers, ask }: Sent, { granted, bursts }: WindowAnswer, nowMs: number): void {
    entry.known = MinuteCount.of(bursts, nowMs);
    entry.sending = new MinuteCount();
    entry.asking = 0;
    let left = granted;
    for (const { count, passedAlone, answer } of askers) {
      const isGranted = left >= count;
      left -= isGranted ? count : 0;
      // Counted twice by now: by us when it had waited for too long, and by all.
      if (isGranted && passedAlone) entry.untold.drop(count);
      answer(isGranted ? undefined : (waitOf(entry, count, ask.most, nowMs) ?? 1));
    }
  }

  /** They were not reached: everyone who waits decides alone. */
  takeBack(batch: readonly Sent[]): void {
    for (const { entry, askers } of batch) {
      entry.untold = entry.sending.with(entry.untold);
      entry.sending = new MinuteCount();
      entry.asking = 0;
      if (!entry.isForgotten) this.#untold.add(entry);
      for (const { answer } of askers) answer('alone');
    }
    for (const entry of this.#asking) for (const { answer } of entry.askers.splice(0)) answer('alone');
    this.#asking.clear();
  }

  /** What it has not told yet is lost, which is little. */
  #forgetOldest(): void {
    for (const [key, entry] of this.#entries) {
      entry.isForgotten = true;
      this.#untold.delete(entry);
      this.#pressing.delete(entry);
      this.#entries.delete(key);
      return;
    }
  }
}

const newCount = (name: string): SharedCount => ({
  name,
  perMinute: 0,
  known: new MinuteCount(),
  untold: new MinuteCount(),
  sending: new MinuteCount(),
  askers: [],
  asking: 0,
  movedMs: Number.NEGATIVE_INFINITY,
  isForgotten: false,
});

/** Those at the head that want the same: so all that is granted is used. The others come in the next round. */
function takeAlike({ askers }: SharedCount): readonly Asker[] {
  const [first] = askers;
  const end = askers.findIndex(({ count }) => count !== first?.count);
  return askers.splice(0, end < 0 ? askers.length : end);
}

export const untoldOf = ({ untold, sending }: SharedCount, nowMs: number): number =>
  untold.total(nowMs) + sending.total(nowMs);

/** As far as is known here: in truth there are as many, or more. */
export function waitOf(entry: SharedCount, count: number, room: number, nowMs: number): Wait {
  const excess = entry.known.total(nowMs) + untoldOf(entry, nowMs) + count - room;
  if (excess <= 0) return undefined;
  return retryAfterSeconds(entry.known.with(entry.sending).with(entry.untold).waitMs(excess, nowMs));
}
