// Bytes in, lines out, one at a time and only when asked for: while answers cannot be sent, the rest stays unread.
import { isUtf8 } from 'node:buffer';

export const MAX_LINE_BYTES = 8 * 1024 * 1024;

export type InputLine =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'not-utf8' }
  /** Reported once, as soon as it is known; the rest of that line is thrown away. */
  | { readonly kind: 'too-long' };

export class LineSplitter {
  readonly #maxBytes: number;
  /** The chunk being split, and how far. */
  #chunk: Buffer = empty;
  #offset = 0;
  /** Chunks that came while another one was being split. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** The beginning of a line that goes on in the next chunk. It grows by doubling: linear for any size of chunks. */
  #held: Buffer = empty;
  #heldBytes = 0;
  #discarding = false;
  #ended = false;

  constructor(maxBytes: number = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that were pushed and not asked for yet. */
  get backlog(): number {
    return this.#chunk.length - this.#offset + this.#waitingBytes;
  }

  push(chunk: Buffer): void {
    if (this.#offset < this.#chunk.length) {
      this.#waiting.push(chunk);
      this.#waitingBytes += chunk.length;
      return;
    }
    this.#chunk = chunk;
    this.#offset = 0;
  }

  /** No more bytes will come: what is left without a newline counts as the last line. */
  end(): void {
    this.#ended = true;
  }

  /** The next whole line, or undefined until more bytes are pushed. */
  next(): InputLine | undefined {
    for (;;) {
      if (this.#offset >= this.#chunk.length && !this.#takeWaiting()) return this.#ended ? this.#takeRest() : undefined;
      const newline = this.#chunk.indexOf(NEWLINE, this.#offset);
      const line = newline === -1 ? this.#keep(this.#chunk.length) : this.#complete(newline);
      if (line !== undefined) return line;
    }
  }

  #takeWaiting(): boolean {
    const chunk = this.#waiting.shift();
    this.#waitingBytes -= chunk?.length ?? 0;
    this.#chunk = chunk ?? empty;
    this.#offset = 0;
    return chunk !== undefined;
  }

  /** Keeps an unfinished line up to `end`, or gives up on it once it is too long. */
  #keep(end: number): InputLine | undefined {
    const start = this.#offset;
    this.#offset = end;
    if (this.#discarding) return undefined;
    if (this.#heldBytes + end - start > this.#maxBytes) {
      this.#discarding = true;
      this.#release();
      return { kind: 'too-long' };
    }
    this.#reserve(this.#heldBytes + end - start);
    this.#heldBytes += this.#chunk.copy(this.#held, this.#heldBytes, start, end);
    return undefined;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#held.length) return;
    const larger = Buffer.allocUnsafe(Math.max(bytes, this.#held.length * 2, FIRST_HELD_BYTES));
    this.#held.copy(larger, 0, 0, this.#heldBytes);
    this.#held = larger;
  }

  #complete(newline: number): InputLine | undefined {
    if (this.#heldBytes === 0 && !this.#discarding && newline - this.#offset <= this.#maxBytes) {
      const line = decode(this.#chunk, this.#offset, newline);
      this.#offset = newline + 1;
      return line;
    }
    const problem = this.#keep(newline);
    this.#offset = newline + 1;
    const discarded = this.#discarding;
    this.#discarding = false;
    return discarded ? problem : this.#takeHeld();
  }

  #takeRest(): InputLine | undefined {
    return this.#heldBytes === 0 ? undefined : this.#takeHeld();
  }

  #takeHeld(): InputLine {
    const line = decode(this.#held, 0, this.#heldBytes);
    this.#release();
    return line;
  }

  #release(): void {
    this.#held = empty;
    this.#heldBytes = 0;
  }
}

const NEWLINE = 10;
const FIRST_HELD_BYTES = 64 * 1024;
const empty: Buffer = Buffer.alloc(0);

function decode(bytes: Buffer, start: number, end: number): InputLine {
  // Buffer decodes leniently: replacement characters would change a name silently, so bad bytes are refused first.
  if (!isUtf8(bytes.subarray(start, end))) return { kind: 'not-utf8' };
  return { kind: 'text', text: bytes.toString('utf8', start, end) };
}
