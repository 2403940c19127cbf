// Spans on their way to the collector: collected into batches, sent one batch at a time, dropped where there are too many.
import type { Send } from './collector.ts';
import type { SpanData } from './span.ts';
import type { BatchOptions } from './variables.ts';

export interface SpanQueue {
  take(span: SpanData): void;
  /** How many were not sent and never will be. */
  readonly dropped: number;
  /** Sends what is there, and from now on what comes without waiting for more. */
  flush(): Promise<void>;
  /** What comes later is dropped. */
  close(): void;
}

export interface SpanQueueOptions extends BatchOptions {
  readonly encode: (spans: readonly SpanData[]) => string;
  readonly send: Send;
}

export function createSpanQueue(options: SpanQueueOptions): SpanQueue {
  return new Queue(options);
}

class Queue implements SpanQueue {
  readonly #options: SpanQueueOptions;
  #waiting: SpanData[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isDraining = false;
  #isClosed = false;

  constructor(options: SpanQueueOptions) {
    this.#options = options;
  }

  get dropped(): number {
    return this.#dropped;
  }

  take(span: SpanData): void {
    if (this.#isClosed || this.#waiting.length >= this.#options.mostQueued) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(span);
    if (this.#sending === undefined) this.#plan();
  }

  flush(): Promise<void> {
    this.#isDraining = true;
    return this.#start();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#dropped += this.#waiting.length;
    this.#waiting = [];
  }

  /** A whole batch leaves at once; fewer wait for others, but not for long. */
  #plan(): void {
    const { mostInBatch, delayMs } = this.#options;
    if (this.#waiting.length >= mostInBatch) void this.#start();
    else this.#timer ??= setTimeout(() => void this.#start(), delayMs).unref();
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#send();
    return this.#sending;
  }

  async #send(): Promise<void> {
    const { mostInBatch, withinMs, encode, send } = this.#options;
    // What ended within one turn of the loop leaves together.
    await Promise.resolve();
    do {
      const batch = this.#waiting.splice(0, mostInBatch);
      if (batch.length > 0 && !(await send(encode(batch), withinMs))) this.#dropped += batch.length;
    } while (this.#waiting.length >= (this.#isDraining ? 1 : mostInBatch));
    this.#sending = undefined;
    if (this.#waiting.length > 0) this.#plan();
  }
}
