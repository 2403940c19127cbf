// So many a minute and key, counted by several processes together. Far from a limit a process lets pass at once and tells the
// others behind the answer; near it, all are asked first. While they cannot be asked, it counts alone.

import { within } from '../async/within.ts';
import type { Rate, RateWindow, SureWindow, Wait } from './rate-window.ts';
import type { ReplicaCount } from './replica-count.ts';
import { createRounds, type Rounds } from './rounds.ts';
import {
  type Asker,
  type Sent,
  type SharedCount,
  SharedCounts,
  untoldOf,
  type WindowAnswer,
  type WindowAsk,
  waitOf,
} from './shared-counts.ts';

/** One answer for each, in their order. Undefined: they cannot be asked now. */
type ExchangeCounts = (asks: readonly WindowAsk[]) => Promise<readonly WindowAnswer[] | undefined>;

export interface SharedWindowOptions {
  readonly exchange: ExchangeCounts;
  readonly replicas: ReplicaCount;
  /** How the others call a key: it may name a person. */
  readonly nameOf: (key: string) => string;
  readonly monotonicMs: () => number;
  readonly onFault: (error: unknown) => void;
  /** How long a caller waits for the others at most. */
  readonly patienceMs: number;
}

/** What passed is told so much later at most: together, because each round has its price. */
const TELL_MS = 500;
/** Where much is untold. */
const PRESSING_MS = 50;
/** Where there are no others: it is for one that joins, and for the next start. */
const TELL_NOBODY_MS = 2_000;

/** What this process may do about a limit. */
interface Allowance {
  /** All may take so many while each may have passed some that it has not told yet. */
  readonly room: number;
  /** So many may pass here before the others are told. */
  readonly untold: number;
  /** With so many the others are told soon: early enough that those who come next need not wait for it. */
  readonly pressing: number;
}

export class SharedWindow implements RateWindow, SureWindow {
  readonly #options: SharedWindowOptions;
  readonly #counts: SharedCounts;
  readonly #rounds: Rounds;

  constructor(options: SharedWindowOptions) {
    const { nameOf, monotonicMs, onFault } = options;
    this.#options = options;
    this.#counts = new SharedCounts(nameOf);
    const isPressing = () => this.#counts.isAsked;
    this.#rounds = createRounds({ round: () => this.#round(), isPressing, monotonicMs, onFault });
    options.replicas.start();
  }

  readonly take = (rates: readonly Rate[], count = 1): Wait | Promise<Wait> => {
    const nowMs = this.#options.monotonicMs();
    let longest: Wait;
    let mayPass = true;
    const found = rates.map((rate) => {
      const entry = this.#counts.get(rate, nowMs);
      const allowance = this.#allowanceOf(entry, nowMs);
      const wait = waitOf(entry, count, allowance.room, nowMs);
      if (wait !== undefined) longest = Math.max(longest ?? 0, wait);
      mayPass &&= this.#mayPass(entry, count, nowMs, allowance);
      return { entry, allowance };
    });
    if (longest !== undefined) return longest;
    if (!mayPass)
      return this.#takeInTurn(
        found.map(({ entry }) => entry),
        count,
      );
    for (const { entry, allowance } of found) this.#pass(entry, count, nowMs, allowance);
    return undefined;
  };

  readonly takeSurely = async (rate: Rate, patienceMs: number): Promise<Wait | 'unanswered'> => {
    if (this.isAlone) return this.take([rate]);
    const nowMs = this.#options.monotonicMs();
    const entry = this.#counts.get(rate, nowMs);
    const refused = waitOf(entry, 1, entry.perMinute, nowMs);
    if (refused !== undefined) return refused;
    const { answered } = this.#question(entry, 1);
    const wait = await within(answered, patienceMs, () => 'unanswered' as const);
    return wait === 'alone' ? this.take([rate]) : wait;
  };

  /** The others cannot be asked now: it counts by itself. */
  get isAlone(): boolean {
    return this.#rounds.isAway();
  }

  /** Tells the rest. */
  close(): Promise<void> {
    this.#options.replicas.stop();
    return this.#rounds.close();
  }

  /** Those first that may refuse: what one limit granted is used up when the next one refuses. */
  async #takeInTurn(entries: readonly SharedCount[], count: number): Promise<Wait> {
    const { monotonicMs } = this.#options;
    const mayPass = (entry: SharedCount) => this.#mayPass(entry, count, monotonicMs());
    for (const entry of entries.toSorted((one, other) => Number(mayPass(one)) - Number(mayPass(other)))) {
      if (mayPass(entry)) {
        this.#pass(entry, count, monotonicMs());
        continue;
      }
      const wait = await this.#ask(entry, count);
      if (wait !== undefined) return wait;
    }
    return undefined;
  }

  /** Without asking. That there is room as far as we know was looked at before. */
  #mayPass(entry: SharedCount, count: number, nowMs: number, { untold } = this.#allowanceOf(entry, nowMs)): boolean {
    if (untold === Number.POSITIVE_INFINITY) return true;
    // Not before those who ask: how many of them pass is not known yet.
    return entry.asking + entry.askers.length === 0 && untoldOf(entry, nowMs) + count <= untold;
  }

  #pass(entry: SharedCount, count: number, nowMs: number, { pressing } = this.#allowanceOf(entry, nowMs)): void {
    this.#counts.pass(entry, count, nowMs);
    const isMuch = untoldOf(entry, nowMs) >= pressing;
    if (isMuch) this.#counts.press(entry);
    this.#tellSoon(isMuch, nowMs);
  }

  #tellSoon(isPressing: boolean, nowMs: number): void {
    const usualMs = this.#options.replicas.others(nowMs) === 0 ? TELL_NOBODY_MS : TELL_MS;
    this.#rounds.within(isPressing ? PRESSING_MS : usualMs);
  }

  /** One answer that is late is late for its key alone: the next may come in time. */
  async #ask(entry: SharedCount, count: number): Promise<Wait> {
    const { asker, answered } = this.#question(entry, count);
    const wait = await within(answered, this.#options.patienceMs, () => 'alone' as const);
    if (wait !== 'alone') return wait;
    const nowMs = this.#options.monotonicMs();
    const refused = waitOf(entry, count, entry.perMinute, nowMs);
    if (refused !== undefined) return refused;
    asker.passedAlone = true;
    this.#pass(entry, count, nowMs);
    return undefined;
  }

  #question(entry: SharedCount, count: number) {
    let answer: Asker['answer'] = () => {};
    const answered = new Promise<Wait | 'alone'>((resolve) => {
      answer = resolve;
    });
    const asker: Asker = { count, answer, passedAlone: false };
    this.#counts.ask(entry, asker);
    this.#rounds.now();
    return { asker, answered };
  }

  #allowanceOf({ perMinute }: SharedCount, nowMs: number): Allowance {
    if (this.isAlone) return { room: perMinute, untold: Number.POSITIVE_INFINITY, pressing: Number.POSITIVE_INFINITY };
    return allowanceOf(perMinute, this.#options.replicas, nowMs);
  }

  async #round(): Promise<boolean> {
    const { exchange, replicas, monotonicMs } = this.#options;
    await replicas.ready();
    const nowMs = monotonicMs();
    const batch = this.#counts.takeBatch(nowMs, ({ perMinute }) => allowanceOf(perMinute, replicas, nowMs).room);
    let answers: readonly WindowAnswer[] | undefined;
    try {
      answers = await exchange(batch.map(({ ask }) => ask));
    } finally {
      if (answers === undefined) this.#counts.takeBack(batch);
    }
    for (const [index, answer] of (answers ?? []).entries()) {
      this.#counts.answer(batch[index] as Sent, answer, monotonicMs()); // one for each
    }
    if (this.#counts.isUntold) this.#tellSoon(this.#counts.isPressing, monotonicMs());
    return answers !== undefined;
  }
}

/** Of all processes together. None of a small limit: all are asked for every one of it. */
const spareOf = (perMinute: number): number => (perMinute < 100 ? 0 : Math.floor(perMinute * 0.015));

/**
 * Nothing passes untold before all the others have heard of us: until then they leave no room for it. Where there are no
 * others, nothing has to be left for them, and what is untold is little enough for one that joins: it is heard of within
 * two seconds.
 */
function allowanceOf(perMinute: number, replicas: ReplicaCount, nowMs: number): Allowance {
  const spare = spareOf(perMinute);
  const others = replicas.others(nowMs);
  if (others === undefined || !replicas.isSettled(nowMs)) {
    return { room: others === 0 ? perMinute : perMinute - spare, untold: 0, pressing: 0 };
  }
  const untold = others === 0 ? untoldAlone(spare, perMinute) : Math.floor(spare / others);
  return { room: perMinute - others * untold, untold, pressing: untold * (others === 0 ? 2 / 3 : 1 / 3) };
}

const untoldAlone = (spare: number, perMinute: number): number => (spare === 0 ? 0 : Math.floor(perMinute / 20));
