// Lines out: what is answered in one tick leaves in one write, and what the client does not read is counted.
import type { Writable } from 'node:stream';
import { LargeLine, type Line } from './json-rpc.ts';

const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

export interface LineWriterOptions {
  readonly maxQueued?: number;
  /** Called when a client that left too much unread has read on. */
  readonly onRelieved?: () => void;
}

type WholeLine = Exclude<Line, LargeLine>;

export class LineWriter {
  readonly #output: Writable;
  readonly #maxQueued: number;
  readonly #onRelieved: () => void;
  #lines: Line[] = [];
  #length = 0;
  #scheduled = false;
  #wasCongested = false;
  #written = 0;
  /** How many large lines wait or are being written: others wait behind them. */
  #large = 0;
  #pieces: Iterator<string> | undefined;
  #whenDone: (() => void)[] = [];

  constructor(output: Writable, { maxQueued = MAX_QUEUED_BYTES, onRelieved = () => undefined }: LineWriterOptions) {
    this.#output = output;
    this.#maxQueued = maxQueued;
    this.#onRelieved = onRelieved;
  }

  /** True while more is queued than a client should leave unread. */
  get congested(): boolean {
    return this.#large > 0 || this.#length + this.#output.writableLength > this.#maxQueued;
  }

  /** Grows whenever the client has read something. */
  get written(): number {
    return this.#written;
  }

  write(line: Line): void {
    this.#lines.push(line);
    if (line instanceof LargeLine) this.#large += 1;
    else this.#length += (typeof line === 'string' ? line.length : line.byteLength) + 1;
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(this.#flush);
  }

  /** Resolves when everything written so far has left the process, or never will. */
  async finished(): Promise<void> {
    this.#flush();
    if (this.#pieces !== undefined) await new Promise<void>((resolve) => this.#whenDone.push(resolve));
    // An error is the output's own 'error' event: here it only says that there is nothing to wait for.
    return new Promise((resolve) => this.#output.write('', () => resolve()));
  }

  readonly #flush = (): void => {
    this.#scheduled = false;
    if (this.#lines.length === 0 || this.#pieces !== undefined) return;
    this.#wasCongested ||= this.congested;
    const [first] = this.#lines;
    if (first instanceof LargeLine) this.#begin(first);
    else this.#writeWhole();
  };

  /** Up to the next large line, which has its own turn. */
  #writeWhole(): void {
    const end = this.#large === 0 ? -1 : this.#lines.findIndex((line) => line instanceof LargeLine);
    const whole = (end === -1 ? this.#lines : this.#lines.slice(0, end)) as WholeLine[];
    this.#lines = end === -1 ? [] : this.#lines.slice(end);
    this.#length = 0;
    if (this.#output.writable) this.#output.write(joinLines(whole), this.#onWritten);
    this.#flush();
  }

  #begin(line: LargeLine): void {
    this.#lines.shift();
    this.#pieces = line.pieces();
    this.#nextPiece();
  }

  /** One at a time, made when the client has taken the one before (F10). */
  readonly #nextPiece = (): void => {
    const next = this.#pieces?.next();
    if (next !== undefined && next.done !== true && this.#output.writable) {
      this.#output.write(next.value, this.#onPiece);
      return;
    }
    this.#pieces = undefined;
    this.#large -= 1;
    if (this.#output.writable) this.#output.write('\n', this.#onWritten);
    this.#flush();
    if (this.#pieces === undefined) for (const resolve of this.#whenDone.splice(0)) resolve();
  };

  readonly #onPiece = (): void => {
    this.#written += 1;
    setImmediate(this.#nextPiece);
  };

  // Not the output's 'drain': that one depends on a high-water mark which is not ours.
  readonly #onWritten = (): void => {
    this.#written += 1;
    if (!this.#wasCongested || this.congested) return;
    this.#wasCongested = false;
    this.#onRelieved();
  };
}

const LINE_BREAK = Buffer.from('\n');

/** Bytes stay bytes: encoding a text again costs more than copying it. */
function joinLines(lines: readonly WholeLine[]): string | Buffer {
  if (lines.every((line) => typeof line === 'string')) return `${lines.length === 1 ? lines[0] : lines.join('\n')}\n`;
  return Buffer.concat(lines.flatMap((line) => [...piecesOf(line), LINE_BREAK]));
}

const piecesOf = (line: WholeLine): readonly Buffer[] =>
  typeof line === 'string' ? [Buffer.from(line)] : [Buffer.from(line.start), line.rest];
