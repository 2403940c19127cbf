// What the process of a worker skill prints: the beginning goes to standard error, because standard output is the protocol's.
import { PROCESS_LIMITS } from './limits.ts';

/** Writes to standard error. */
export type Print = (text: Buffer | string) => void;

export class PrintedOutput {
  readonly #print: Print;
  #bytes = 0;

  constructor(print: Print) {
    this.#print = print;
  }

  /** A new call may print as much again. */
  reset(): void {
    this.#bytes = 0;
  }

  /** False: that is too much even to be read. */
  take(chunk: Buffer): boolean {
    const room = PROCESS_LIMITS.printedBytes - this.#bytes;
    this.#bytes += chunk.length;
    if (room > 0) this.#print(chunk.subarray(0, room));
    if (room > 0 && chunk.length > room) this.#print('\n[A worker skill prints more than 64 KB: left out]\n');
    return this.#bytes <= PROCESS_LIMITS.floodBytes;
  }
}
