// Lines out: what is answered in one tick leaves in one write, and what the client does not read is counted.
import type { Writable } from 'node:stream';
import type { Line } from './json-rpc.ts';

const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

export interface LineWriterOptions {
  readonly maxQueued?: number;
  /** Called when a client that left too much unread has read on. */
  readonly onRelieved?: () => void;
}

export class LineWriter {
  readonly #output: Writable;
  readonly #maxQueued: number;
  readonly #onRelieved: () => void;
  #lines: Line[] = [];
  #length = 0;
  #scheduled = false;
  #wasCongested = false;
  #written = 0;

  constructor(output: Writable, { maxQueued = MAX_QUEUED_BYTES, onRelieved = () => undefined }: LineWriterOptions) {
    this.#output = output;
    this.#maxQueued = maxQueued;
    this.#onRelieved = onRelieved;
  }

  /** True while more is queued than a client should leave unread. */
  get congested(): boolean {
    return this.#length + this.#output.writableLength > this.#maxQueued;
  }

  /** Grows whenever the client has read something. */
  get written(): number {
    return this.#written;
  }

  write(line: Line): void {
    this.#lines.push(line);
    this.#length += (typeof line === 'string' ? line.length : line.byteLength) + 1;
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(this.#flush);
  }

  /** Resolves when everything written so far has left the process, or never will. */
  finished(): Promise<void> {
    this.#flush();
    // An error is the output's own 'error' event: here it only says that there is nothing to wait for.
    return new Promise((resolve) => this.#output.write('', () => resolve()));
  }

  readonly #flush = (): void => {
    this.#scheduled = false;
    if (this.#lines.length === 0) return;
    const text = joinLines(this.#lines);
    this.#wasCongested ||= this.congested;
    this.#lines = [];
    this.#length = 0;
    if (this.#output.writable) this.#output.write(text, this.#onWritten);
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
function joinLines(lines: readonly Line[]): string | Buffer {
  if (lines.every((line) => typeof line === 'string')) return `${lines.length === 1 ? lines[0] : lines.join('\n')}\n`;
  return Buffer.concat(lines.flatMap((line) => [...piecesOf(line), LINE_BREAK]));
}

const piecesOf = (line: Line): readonly Buffer[] =>
  typeof line === 'string' ? [Buffer.from(line)] : [Buffer.from(line.start), line.rest];
