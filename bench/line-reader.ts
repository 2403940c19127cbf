// Chunks of bytes → whole lines, however the pipe cuts them.

const newline = 0x0a;

export class LineReader {
  readonly #onLine: (line: Buffer) => void;
  #parts: Buffer[] = [];

  constructor(onLine: (line: Buffer) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      const line = Buffer.concat([...this.#parts, chunk.subarray(from, end)]);
      this.#parts = [];
      from = end + 1;
      if (line.length > 0) this.#onLine(line);
    }
    if (from < chunk.length) this.#parts.push(chunk.subarray(from));
  }
}
