// What `git cat-file --batch` answers, taken apart: a line with id, kind and size, the bytes, a line break. Pure.

export class BlobReader {
  readonly #onBlob: (id: string, bytes: Buffer) => void;
  #waiting: Buffer[] = [];
  #length = 0;
  #head: { readonly id: string; readonly size: number } | undefined;
  count = 0;

  constructor(onBlob: (id: string, bytes: Buffer) => void) {
    this.#onBlob = onBlob;
  }

  take(piece: Buffer): void {
    this.#waiting.push(piece);
    this.#length += piece.length;
    // A large object comes in many pieces: they are joined once.
    while (this.#isReady()) this.#step(this.#joined());
  }

  #isReady(): boolean {
    if (this.#length === 0) return false;
    if (this.#head !== undefined) return this.#length > this.#head.size;
    return this.#waiting.some((piece) => piece.includes(10));
  }

  #joined(): Buffer {
    const joined = this.#waiting.length === 1 ? this.#waiting[0] : undefined;
    return joined ?? Buffer.concat(this.#waiting);
  }

  #step(bytes: Buffer): void {
    const rest = this.#head === undefined ? this.#takeHead(bytes) : this.#takeBlob(bytes, this.#head);
    this.#waiting = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
  }

  #takeHead(bytes: Buffer): Buffer {
    const end = bytes.indexOf(10);
    const [id = '', kind, size] = bytes.toString('latin1', 0, end).split(' ');
    if (kind === 'blob' || kind === 'tree') this.#head = { id, size: Number(size) };
    return bytes.subarray(end + 1);
  }

  #takeBlob(bytes: Buffer, { id, size }: { readonly id: string; readonly size: number }): Buffer {
    this.#head = undefined;
    this.count += 1;
    this.#onBlob(id, bytes.subarray(0, size));
    return bytes.subarray(size + 1);
  }
}
