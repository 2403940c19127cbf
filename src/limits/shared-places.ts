// How many may be inside at a time, counted by several processes together. To enter is to ask all of them; what one holds is
// told again and again, so that the places of one that died are free soon. While they cannot be asked, each counts alone.

import { sleep } from '../async/sleep.ts';
import { within } from '../async/within.ts';
import type { Places } from './places.ts';
import { createRounds, type Rounds } from './rounds.ts';

export interface PlaceAsk {
  readonly name: string;
  /** Held by this process, without those that it asks for. */
  readonly mine: number;
  readonly asked: number;
  readonly most: number;
}

/** How many of those that were asked for are granted, in their order. Undefined: the others cannot be asked now. */
type HoldPlaces = (asks: readonly PlaceAsk[]) => Promise<readonly number[] | undefined>;

export interface SharedPlacesOptions {
  readonly hold: HoldPlaces;
  readonly monotonicMs: () => number;
  readonly onFault: (error: unknown) => void;
  /** How long a caller waits for the others at most. */
  readonly patienceMs: number;
}

interface Held {
  readonly name: string;
  most: number;
  mine: number;
  /** Undefined: the others cannot be asked. */
  askers: ((answer: boolean | undefined) => void)[];
}

/** A third of the time for which what was told holds: see shared-limits.ts of the store. */
const RENEW_MS = 3_000;

/** A place that a call leaves is told after its answer, and the one who has the answer may ask another process sooner. */
const AGAIN_MS = 50;

export class SharedPlaces implements Places {
  readonly #options: SharedPlacesOptions;
  readonly #rounds: Rounds;
  readonly #byName = new Map<string, Held>();
  /** To be told. */
  readonly #changed = new Set<Held>();
  #renewing: NodeJS.Timeout | undefined;

  constructor(options: SharedPlacesOptions) {
    const { monotonicMs, onFault } = options;
    this.#options = options;
    const isPressing = () => this.#changed.size > 0;
    this.#rounds = createRounds({ round: () => this.#round(), isPressing, monotonicMs, onFault });
  }

  readonly enter = (name: string, most: number): boolean | Promise<boolean> => {
    const held = this.#byName.get(name) ?? { name, most, mine: 0, askers: [] };
    held.most = most;
    this.#byName.set(name, held);
    if (held.mine >= most) return false;
    return this.#rounds.isAway() ? this.#enterAlone(held) : this.#askTwice(held);
  };

  readonly leave = (name: string): void => {
    const held = this.#byName.get(name);
    if (held === undefined) return;
    held.mine -= 1;
    this.#tell(held);
  };

  /** Gives up what it holds. */
  async close(): Promise<void> {
    clearInterval(this.#renewing);
    for (const held of this.#byName.values()) this.#changed.add(held);
    await this.#rounds.close();
  }

  #enterAlone(held: Held): boolean {
    if (held.mine >= held.most) return false;
    held.mine += 1;
    this.#tell(held);
    return true;
  }

  /** Who is refused asks again, within the patience for one: if no answer comes to that, the first one holds. */
  async #askTwice(held: Held): Promise<boolean> {
    const { patienceMs, monotonicMs } = this.#options;
    const untilMs = monotonicMs() + patienceMs;
    const first = await this.#ask(held, patienceMs);
    if (first !== false) return first || this.#enterAlone(held);
    await sleep(AGAIN_MS);
    const leftMs = untilMs - monotonicMs();
    if (held.mine >= held.most || leftMs <= 0) return false;
    if (this.#rounds.isAway()) return this.#enterAlone(held);
    return (await this.#ask(held, leftMs)) ?? false;
  }

  /** Undefined: no answer came in time. */
  async #ask(held: Held, patienceMs: number): Promise<boolean | undefined> {
    let isOver = false;
    const answered = new Promise<boolean | undefined>((answer) => {
      // One that comes too late gives its place back: what is held is told as it is.
      held.askers.push((granted) => {
        if (granted === true && isOver) this.#tell(held);
        else if (granted === true) held.mine += 1;
        answer(granted);
      });
    });
    this.#tell(held);
    return within(answered, patienceMs, () => {
      isOver = true;
      return undefined;
    });
  }

  #tell(held: Held): void {
    this.#changed.add(held);
    this.#renewing ??= setInterval(() => this.#renew(), RENEW_MS).unref();
    if (!this.#rounds.isAway()) this.#rounds.now();
  }

  /** It stops itself: setting and clearing it around each call would cost more than one look too many. */
  #renew(): void {
    const holding = [...this.#byName.values()].filter(({ mine }) => mine > 0);
    if (holding.length === 0) {
      clearInterval(this.#renewing);
      this.#renewing = undefined;
      return;
    }
    for (const held of holding) this.#changed.add(held);
    this.#rounds.now();
  }

  async #round(): Promise<boolean> {
    const batch = [...this.#changed].map((held) => ({ held, mine: held.mine, askers: held.askers.splice(0) }));
    this.#changed.clear();
    const asks = batch.map(({ held, mine, askers }) => ({
      name: held.name,
      mine,
      asked: askers.length,
      most: held.most,
    }));
    let granted: readonly number[] | undefined;
    try {
      granted = await this.#options.hold(asks);
    } finally {
      if (granted === undefined) this.#takeBack(batch);
    }
    for (const [index, places] of (granted ?? []).entries()) {
      for (const [place, answer] of (batch[index]?.askers ?? []).entries()) answer(place < places);
    }
    return granted !== undefined;
  }

  /** They were not reached: everyone who waits decides alone, and what is held is told when they are back. */
  #takeBack(batch: readonly { readonly held: Held; readonly askers: Held['askers'] }[]): void {
    for (const { held, askers } of batch) {
      this.#changed.add(held);
      for (const answer of askers) answer(undefined);
    }
    for (const held of this.#changed) for (const answer of held.askers.splice(0)) answer(undefined);
  }
}
