// The calls under way, so that a stop can wait for them, then cancel what is left (F11).

export class RunningCalls {
  #calls = 0;
  #closed = false;

  /** After the stop nothing begins any more. */
  get closed(): boolean {
    return this.#closed;
  }

  enterCall(): void {
    this.#calls++;
  }

  leaveCall(): void {
    this.#calls--;
  }

  /** Waits for all calls; after `graceMs` cancels those whose skill runs, and waits until their ends are recorded. */
  async close(graceMs: number, cancelAll: () => void): Promise<void> {
    await this.#quiet(graceMs);
    this.#closed = true;
    cancelAll();
    await this.#quiet(RECORDING_MS);
  }

  async #quiet(atMostMs: number): Promise<void> {
    for (let waitedMs = 0; this.#calls > 0 && waitedMs < atMostMs; waitedMs += LOOK_EVERY_MS) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
}

const LOOK_EVERY_MS = 10;

/** Longer than a log may take for its answer. */
const RECORDING_MS = 6_000;
