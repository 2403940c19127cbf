// The invocations under way, so that a stop can wait for them, then cancel what is left (F11).
import { sleep } from '../../async/sleep.ts';

export class InFlight {
  #count = 0;
  #closed = false;

  /** After the stop nothing begins any more. */
  get closed(): boolean {
    return this.#closed;
  }

  enter(): void {
    this.#count++;
  }

  leave(): void {
    this.#count--;
  }

  /** Waits for all; after `graceMs` cancels those whose skill runs, and waits until their ends are recorded. */
  async close(graceMs: number, cancelAll: () => void): Promise<void> {
    await this.#quiet(graceMs);
    this.#closed = true;
    cancelAll();
    await this.#quiet(RECORDING_MS);
  }

  async #quiet(atMostMs: number): Promise<void> {
    for (let waitedMs = 0; this.#count > 0 && waitedMs < atMostMs; waitedMs += LOOK_EVERY_MS) {
      await sleep(LOOK_EVERY_MS);
    }
  }
}

const LOOK_EVERY_MS = 10;

/** Longer than a log may take for its answer. */
const RECORDING_MS = 6_000;
