// Waits for a skill's work, but never longer than allowed: the first of answer, error, time limit and cancel counts.
import { setMaxListeners } from 'node:events';
import type { InFlight } from './in-flight.ts';
import type { Expiring, LimitQueue, TimeLimits } from './time-limits.ts';

export type Ending =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'thrown'; readonly error: unknown }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' };

const TIMEOUT: Ending = { kind: 'timeout' };
const CANCELLED: Ending = { kind: 'cancelled' };

export interface DeadlineOptions {
  /** Of the invocation. */
  readonly id: string;
  readonly limitMs: number;
  /** The client's wish to stop. */
  readonly cancelledBy: AbortSignal | undefined;
  readonly monotonicMs: () => number;
  readonly timeLimits: TimeLimits;
  /** Closed: nothing begins any more. */
  readonly inFlight: InFlight;
}

/** Lives from `wait` to its one ending. What the work does after that is ignored, and never an unhandled rejection. */
export class Deadline implements Expiring {
  readonly #options: DeadlineOptions;
  #ending: Ending | undefined;
  #controller: AbortController | undefined;
  #resolve: ((ending: Ending) => void) | undefined;
  #queue: LimitQueue | undefined;
  dueMs = 0;
  before: Expiring | undefined;
  after: Expiring | undefined;

  constructor(options: DeadlineOptions) {
    this.#options = options;
  }

  /** Made when it is asked for: most skills never do, and it costs more than the rest of a call. */
  get signal(): AbortSignal {
    this.#controller ??= createController();
    if (this.#ending !== undefined) this.#abort(this.#ending);
    return this.#controller.signal;
  }

  get id(): string {
    return this.#options.id;
  }

  get ended(): boolean {
    return this.#ending !== undefined;
  }

  cancel(): void {
    this.#end(CANCELLED);
  }

  /** Called by its queue when the time is up. */
  expire(): void {
    this.#end(TIMEOUT);
  }

  /** As a listener of the client's signal: an object costs no closure. */
  handleEvent(): void {
    this.cancel();
  }

  /** `startedMs`: now; passed by a caller that has just looked at the clock, because a look costs a tenth of a short call. */
  wait(work: () => unknown, startedMs: number = this.#options.monotonicMs()): Promise<Ending> {
    const { limitMs, cancelledBy, inFlight, timeLimits } = this.#options;
    this.dueMs = startedMs + limitMs;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      if (cancelledBy?.aborted || inFlight.closed) return this.cancel();
      cancelledBy?.addEventListener('abort', this, { once: true });
      this.#queue = timeLimits.queueOf(limitMs);
      this.#queue.add(this);
      this.#start(work);
    });
  }

  #start(work: () => unknown): void {
    try {
      Promise.resolve(work()).then(
        (value) => this.#finish({ kind: 'returned', value }),
        (error: unknown) => this.#finish({ kind: 'thrown', error }),
      );
    } catch (error) {
      this.#finish({ kind: 'thrown', error });
    }
  }

  /** Work that blocked the thread beyond its time is late, though its timer had no chance to fire. */
  #finish(ending: Ending): void {
    this.#end(this.#options.monotonicMs() > this.dueMs ? TIMEOUT : ending);
  }

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#queue?.delete(this);
    this.#options.cancelledBy?.removeEventListener('abort', this);
    this.#abort(ending);
    this.#resolve?.(ending);
  }

  #abort({ kind }: Ending): void {
    if (kind === 'timeout') this.#controller?.abort(abortReason('TimeoutError', 'The time of this call is up'));
    if (kind === 'cancelled') this.#controller?.abort(abortReason('AbortError', 'The client cancelled this call'));
  }
}

/** Sixteen steps of a group listen to it at once (X6): Node would call eleven a leak. */
function createController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

function abortReason(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
