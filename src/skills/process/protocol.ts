// What a server and the process of a worker skill say to each other: frames over one channel, none longer than agreed. Loaded
// by every such process, so it imports nothing but types.
import type { JsonLimits } from '../check/json-measure.ts';

/** The descriptor of the channel in the process; 0 to 2 are the standard ones. */
export const CHANNEL = 3;

/** What the process is told when it starts. */
export interface ProcessSetup {
  /** Of the module whose export is the skill. */
  readonly module: string;
  readonly exportName: string;
  /** The id of the server: when it is not the parent any more, it has gone. */
  readonly server: number;
  readonly maxResidentBytes: number;
  readonly output: JsonLimits;
}

/** What a frame from the process holds. A request is a frame too: the input as JSON, of the kind 0. */
export const FRAME = {
  /** The output as JSON. */
  returned: 0,
  /** What the skill threw, or why its output cannot leave, as text. */
  failed: 1,
  /** The process ends: how many calls it had begun, and why, as `ProcessEnd`. */
  ends: 2,
} as const;

/** Of the text of a failure and of an end: looking through it for secrets keeps the whole server waiting. */
export const MAX_TEXT_BYTES = 262_144;

export interface ProcessEnd {
  readonly begun: number;
  readonly why: string;
}

/** Its kind in one byte, its length in four. */
const HEAD_BYTES = 5;

export function frameOf(kind: number, text: string, bytes: number = Buffer.byteLength(text)): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + bytes);
  frame.writeUInt8(kind, 0);
  frame.writeUInt32BE(bytes, 1);
  frame.write(text, HEAD_BYTES);
  return frame;
}

/** Cuts a stream into frames. Stops for good at one that is too long, by its head: nothing is held that was not agreed on. */
export class FrameReader {
  readonly #maxBytes: (kind: number) => number;
  readonly #onFrame: (kind: number, text: string) => void;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Of the frame that is coming, with its head; 0: not known yet. */
  #needed = 0;

  /** `maxBytes`: of a frame of this kind; less than none when there is no such kind. */
  constructor(maxBytes: (kind: number) => number, onFrame: (kind: number, text: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onFrame = onFrame;
  }

  /** False: a frame is too long or of no kind, and nothing more may be pushed. */
  push(chunk: Buffer): boolean {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes >= Math.max(HEAD_BYTES, this.#needed)) {
      // Joined twice for each frame, however many chunks it came in.
      const all = this.#chunks.length === 1 ? (this.#chunks[0] ?? chunk) : Buffer.concat(this.#chunks);
      this.#chunks = [all];
      if (this.#needed === 0 && !this.#readHead(all)) return false;
      if (this.#bytes >= this.#needed) this.#take(all);
    }
    return true;
  }

  #readHead(all: Buffer): boolean {
    const length = all.readUInt32BE(1);
    this.#needed = HEAD_BYTES + length;
    return length <= this.#maxBytes(all.readUInt8(0));
  }

  #take(all: Buffer): void {
    const frame = all.subarray(0, this.#needed);
    const rest = all.subarray(this.#needed);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    this.#needed = 0;
    this.#onFrame(frame.readUInt8(0), frame.toString('utf8', HEAD_BYTES));
  }
}
