// All that the index knows of one skill, as bytes: per term its number, its impact and the passages that have it.

/** Grows as needed and is used for one skill after the other. */
export class RecordWriter {
  #bytes = new Uint8Array(16 * 1024);
  #length = 0;

  /** `passages`: in rising order, each times two, plus one where the term stands in code only. */
  addTerm(term: number, impact: number, passages: readonly number[]): void {
    this.#number(term);
    this.#byte(impact);
    this.#number(lengthOf(passages));
    let before = 0;
    for (const coded of passages) {
      this.#number(coded - before);
      before = coded & ~1;
    }
  }

  /** The record so far, and a fresh start. */
  take(): Uint8Array {
    const record = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return record;
  }

  #number(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.#byte((rest & 127) | 128);
      rest >>>= 7;
    }
    this.#byte(rest);
  }

  #byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow();
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Their bytes: a reader who does not want them steps over them at once. */
function lengthOf(passages: readonly number[]): number {
  let length = 0;
  let before = 0;
  for (const coded of passages) {
    const step = coded - before;
    length += step < 2 ** 7 ? 1 : step < 2 ** 14 ? 2 : step < 2 ** 21 ? 3 : 4;
    before = coded & ~1;
  }
  return length;
}

/** Walks a record: `nextTerm()`, and after each as many `nextPassage()` as are wanted. */
export class RecordReader {
  term = 0;
  impact = 0;
  /** After `nextPassage()`. */
  passage = 0;
  isCodeOnly = false;
  #record: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** Where the term's passages end. */
  #end = 0;

  open(record: Uint8Array): void {
    this.#record = record;
    this.#end = 0;
  }

  nextTerm(): boolean {
    this.#at = this.#end;
    if (this.#at >= this.#record.length) return false;
    this.term = this.#number();
    this.impact = this.#record[this.#at] as number;
    this.#at += 1;
    const length = this.#number();
    this.#end = this.#at + length;
    this.passage = 0;
    return true;
  }

  nextPassage(): boolean {
    if (this.#at >= this.#end) return false;
    const coded = this.#number();
    this.passage += coded >>> 1;
    this.isCodeOnly = (coded & 1) === 1;
    return true;
  }

  #number(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      const byte = this.#record[this.#at] as number;
      this.#at += 1;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
      shift += 7;
    }
  }
}
