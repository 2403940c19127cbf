// One timer for all calls with the same limit: to arm and clear one for each call costs more than a short call itself.

/** A call that waits. It is its own link in the list of those with the same limit: a set would cost as much as a timer. */
export interface Expiring {
  /** Of its invocation. */
  readonly id: string;
  /** By the monotonic clock. */
  readonly dueMs: number;
  before: Expiring | undefined;
  after: Expiring | undefined;
  expire(): void;
  cancel(): void;
}

export class TimeLimits {
  readonly #queues = new Map<number, LimitQueue>();
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Those that wait for the same time, to enter and leave. */
  queueOf(limitMs: number): LimitQueue {
    let queue = this.#queues.get(limitMs);
    if (queue === undefined) {
      queue = new LimitQueue(limitMs, this.#monotonicMs);
      this.#queues.set(limitMs, queue);
    }
    return queue;
  }

  cancelAll(): void {
    for (const queue of this.#queues.values()) queue.cancelAll();
  }

  /** The one with this id, if it waits here. Looked for among all: people ask for it, now and then. */
  cancel(id: string): void {
    for (const queue of this.#queues.values()) queue.cancel(id);
  }
}

export class LimitQueue {
  readonly #limitMs: number;
  readonly #monotonicMs: () => number;
  /** The limit is the same for all, so they are due in the order of their arrival. */
  #head: Expiring | undefined;
  #tail: Expiring | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whom the timer was armed for. */
  #armedFor: Expiring | undefined;

  constructor(limitMs: number, monotonicMs: () => number) {
    this.#limitMs = limitMs;
    this.#monotonicMs = monotonicMs;
  }

  add(run: Expiring): void {
    run.before = this.#tail;
    if (this.#tail === undefined) this.#head = run;
    else this.#tail.after = run;
    this.#tail = run;
    if (this.#timer === undefined) this.#arm(run, this.#limitMs);
    else if (this.#head === run) this.#timer.ref();
  }

  /** The timer stays for the next one, but alone it does not keep the process alive. */
  delete(run: Expiring): void {
    if (run !== this.#head && run.before === undefined) return;
    if (run.before === undefined) this.#head = run.after;
    else run.before.after = run.after;
    if (run.after === undefined) this.#tail = run.before;
    else run.after.before = run.before;
    run.before = undefined;
    run.after = undefined;
    if (this.#head === undefined) this.#timer?.unref();
  }

  cancelAll(): void {
    for (let run = this.#head; run !== undefined; run = this.#head) {
      this.delete(run);
      run.cancel();
    }
  }

  cancel(id: string): void {
    let run = this.#head;
    while (run !== undefined && run.id !== id) run = run.after;
    if (run === undefined) return;
    this.delete(run);
    run.cancel();
  }

  #arm(run: Expiring, afterMs: number): void {
    this.#armedFor = run;
    // An ordinary timer: AbortSignal.timeout() would let the process end while a call waits.
    this.#timer = setTimeout(() => this.#fire(), afterMs);
  }

  #fire(): void {
    this.#timer = undefined;
    const nowMs = this.#monotonicMs();
    const first = this.#armedFor;
    // Timers count whole milliseconds: the one it was armed for is due, whatever the clock says.
    for (let run = this.#head; run !== undefined && (run === first || run.dueMs <= nowMs); run = this.#head) {
      this.delete(run);
      run.expire();
    }
    const next = this.#head;
    // One that came while others expired has armed it already.
    if (next !== undefined && this.#timer === undefined) this.#arm(next, Math.max(1, next.dueMs - nowMs));
  }
}
