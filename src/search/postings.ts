// Which skills have a term: per term a sorted run of numbers, all in one large array.

/** A posting is a slot (the skill's place in the index, below 2^24) and an impact. */
const postingOf = (slot: number, impact: number): number => slot * 256 + impact;
export const slotOf = (posting: number): number => posting >>> 8;
export const impactOf = (posting: number): number => posting & 255;

export class Postings {
  #all = new Uint32Array(4096);
  /** Behind the last run. */
  #used = 0;
  // By term: where its run begins, how many postings it has and how many it has room for.
  #starts = new Uint32Array(1024);
  #counts = new Uint32Array(1024);
  #rooms = new Uint32Array(1024);

  /** How many skills have the term. */
  countOf(term: number): number {
    return this.#counts[term] ?? 0;
  }

  /** The term's postings, valid until the next change. */
  of(term: number): Uint32Array {
    const start = this.#starts[term] ?? 0;
    return this.#all.subarray(start, start + this.countOf(term));
  }

  /** Makes room for so many postings of each term, by its number, so that none has to move. To be called while there are none. */
  reserve(counts: Uint32Array): void {
    if (counts.length > this.#counts.length) this.#makeRoomForTerm(counts.length - 1);
    let used = 0;
    for (let term = 0; term < counts.length; term += 1) {
      const count = counts[term] as number;
      if (count === 0) continue;
      this.#starts[term] = used;
      this.#rooms[term] = count + spare(count);
      used += count + spare(count);
    }
    this.#all = new Uint32Array(Math.max(4096, used + (used >>> 3)));
    this.#used = used;
  }

  add(term: number, slot: number, impact: number): void {
    if (term >= this.#counts.length) this.#makeRoomForTerm(term);
    const count = this.#counts[term] as number;
    if (count === this.#rooms[term]) this.#move(term);
    const at = this.#find(term, slot);
    const end = (this.#starts[term] as number) + count;
    if (at < end) this.#all.copyWithin(at + 1, at, end);
    this.#all[at] = postingOf(slot, impact);
    this.#counts[term] = count + 1;
  }

  /** Answers how many skills still have the term. */
  remove(term: number, slot: number): number {
    const count = this.#counts[term] as number;
    const at = this.#find(term, slot);
    this.#all.copyWithin(at, at + 1, (this.#starts[term] as number) + count);
    this.#counts[term] = count - 1;
    if (count === 1) this.#rooms[term] = 0;
    return count - 1;
  }

  /** Where the slot's posting is or belongs. Most are added at the end. */
  #find(term: number, slot: number): number {
    let low = this.#starts[term] as number;
    let high = low + (this.#counts[term] as number);
    if (high > low && slotOf(this.#all[high - 1] as number) < slot) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (slotOf(this.#all[middle] as number) < slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Gives the term more room, behind all others. What it leaves is empty until the next packing. */
  #move(term: number): void {
    const count = this.#counts[term] as number;
    const room = Math.ceil(count * 1.5) + 1;
    if (this.#used + room > this.#all.length) this.#pack(room);
    const from = this.#starts[term] as number;
    this.#all.copyWithin(this.#used, from, from + count);
    this.#starts[term] = this.#used;
    this.#rooms[term] = room;
    this.#used += room;
  }

  /** Puts the runs side by side into an array with room for `more`, and for a while. */
  #pack(more: number): void {
    let total = 0;
    for (const count of this.#counts) total += count + spare(count);
    const packed = new Uint32Array(Math.max(4096, more + Math.ceil(total * 1.25)));
    let used = 0;
    for (let term = 0; term < this.#counts.length; term += 1) {
      const count = this.#counts[term] as number;
      if (count === 0) continue;
      this.#copyRun(term, packed, used);
      this.#starts[term] = used;
      this.#rooms[term] = count + spare(count);
      used += count + spare(count);
    }
    this.#all = packed;
    this.#used = used;
  }

  /** Most runs are short: a view of each would take most of the time of packing. */
  #copyRun(term: number, into: Uint32Array, at: number): void {
    const count = this.#counts[term] as number;
    if (count > LONG_RUN) {
      into.set(this.of(term), at);
      return;
    }
    const start = this.#starts[term] as number;
    for (let index = 0; index < count; index += 1) into[at + index] = this.#all[start + index] as number;
  }

  #makeRoomForTerm(term: number): void {
    const length = Math.max(term + 1, this.#counts.length * 2);
    this.#starts = grown(this.#starts, length);
    this.#counts = grown(this.#counts, length);
    this.#rooms = grown(this.#rooms, length);
  }
}

const LONG_RUN = 64;

/** A term that is common is likely to come again. */
const spare = (count: number): number => count >>> 3;

export function grown(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(array);
  return larger;
}
