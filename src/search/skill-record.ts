// All that the index knows of one skill, as bytes: per term its number, its impact (how strongly it stands in each field, in
// eight bits) and the passages that have it.
import { grown } from './postings.ts';

/** Name 0–3, description 0–7, heading 0–1, body 0–3; 0 is "not there". */
export interface Impact {
  readonly name: number;
  readonly description: number;
  readonly heading: number;
  readonly body: number;
}

export const IMPACTS = 256;
export const NAME_LEVELS = 3;
export const DESCRIPTION_LEVELS = 7;

/** The body's levels. */
const IN_CODE_ONLY = 1;
const IN_PROSE = 2;
/** In a third of the passages, three or more: what the skill is about, however long it is. */
export const THROUGHOUT = 3;

const packImpact = ({ name, description, heading, body }: Impact): number =>
  name | (description << 2) | (heading << 5) | (body << 6);

export const unpackImpact = (bits: number): Impact => ({
  name: bits & 3,
  description: (bits >> 2) & 7,
  heading: (bits >> 5) & 1,
  body: bits >> 6,
});

export const NAME_BITS = 0b0000_0011;
/** Name, description and heading: what the author wrote to be found by. */
export const HEAD_BITS = 0b0011_1111;

/** A short name that has the word says more about it than a long one. */
export const nameLevel = (words: number): number => (words <= 2 ? NAME_LEVELS : words <= 4 ? 2 : 1);

/** A description of this many telling words is of usual length; a shorter one earns nothing by it. */
const USUAL_DESCRIPTION = 24;
/** The share of the length in the weight: a list of a hundred keywords is worth about a third of a sentence. */
const LENGTH_SHARE = 0.6;

/** Repeating a word earns nothing; each word of a long list is worth less. */
export function descriptionLevel(words: number): number {
  const excess = Math.max(1, words / USUAL_DESCRIPTION);
  return Math.max(1, Math.round(DESCRIPTION_LEVELS / (1 - LENGTH_SHARE + LENGTH_SHARE * excess)));
}

const FIELD_BIT = { name: 1, description: 2, heading: 4 } as const;
type HeadField = keyof typeof FIELD_BIT;

/** No occurrence. */
const NONE = 0xffff_ffff;

interface Levels {
  readonly name: number;
  readonly description: number;
}

/** Some milliseconds of work. */
const TERMS_PER_STEP = 1_000;

/** One draft serves all skills: its tables have a place for every term. They are not cleared: each skill has a new stamp. */
export class SkillDraft {
  readonly #writer = new RecordWriter();
  #stamp = 0;
  #terms: number[] = [];
  // By term: which draft it was last seen in, its fields, its first and last occurrence in the body.
  #stamps = new Uint32Array(1024);
  #fields = new Uint32Array(1024);
  #first = new Uint32Array(1024);
  #last = new Uint32Array(1024);
  // By occurrence, one for each passage that has the term: passage * 2 + "in code only", and the term's next one.
  #passages = new Uint32Array(4096);
  #next = new Uint32Array(4096);
  #occurrences = 0;

  begin(): void {
    this.#stamp += 1;
    this.#terms = [];
    this.#occurrences = 0;
  }

  addTo(field: HeadField, term: number): void {
    this.#meet(term);
    this.#fields[term] = (this.#fields[term] as number) | FIELD_BIT[field];
  }

  addToBody(term: number, passage: number, isCode: boolean): void {
    this.#meet(term);
    const last = this.#last[term] as number;
    if (last === NONE || (this.#passages[last] as number) >>> 1 !== passage) this.#addOccurrence(term, passage, isCode);
    else if (!isCode) this.#passages[last] = passage * 2;
  }

  /**
   * Calls back with every term, in steps, and answers the record of them all. `passages`: how many the body has.
   */
  *finish(
    levels: Levels,
    passages: number,
    visit: (term: number, impact: number) => void,
  ): Generator<void, Uint8Array> {
    for (const [index, term] of this.#terms.entries()) {
      if (index % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
      const fields = this.#fields[term] as number;
      const its = this.#passagesOf(term);
      const impact = packImpact({
        name: (fields & FIELD_BIT.name) > 0 ? levels.name : 0,
        description: (fields & FIELD_BIT.description) > 0 ? levels.description : 0,
        heading: (fields & FIELD_BIT.heading) > 0 ? 1 : 0,
        body: bodyLevel(its, passages),
      });
      visit(term, impact);
      this.#writer.addTerm(term, impact, its);
    }
    return this.#writer.take();
  }

  #meet(term: number): void {
    if (term >= this.#stamps.length) this.#makeRoomForTerm(term);
    if (this.#stamps[term] === this.#stamp) return;
    this.#stamps[term] = this.#stamp;
    this.#fields[term] = 0;
    this.#first[term] = NONE;
    this.#last[term] = NONE;
    this.#terms.push(term);
  }

  #addOccurrence(term: number, passage: number, isCode: boolean): void {
    const occurrence = this.#occurrences;
    this.#occurrences += 1;
    if (occurrence >= this.#passages.length) {
      this.#passages = grown(this.#passages, occurrence * 2);
      this.#next = grown(this.#next, occurrence * 2);
    }
    this.#passages[occurrence] = passage * 2 + (isCode ? 1 : 0);
    this.#next[occurrence] = NONE;
    const last = this.#last[term] as number;
    if (last === NONE) this.#first[term] = occurrence;
    else this.#next[last] = occurrence;
    this.#last[term] = occurrence;
  }

  #passagesOf(term: number): readonly number[] {
    const passages: number[] = [];
    for (let at = this.#first[term] as number; at !== NONE; at = this.#next[at] as number) {
      passages.push(this.#passages[at] as number);
    }
    return passages;
  }

  #makeRoomForTerm(term: number): void {
    const length = Math.max(term + 1, this.#stamps.length * 2);
    this.#stamps = grown(this.#stamps, length);
    this.#fields = grown(this.#fields, length);
    this.#first = grown(this.#first, length);
    this.#last = grown(this.#last, length);
  }
}

/** `having`: passages as in the record. `all`: how many the body has. */
function bodyLevel(having: readonly number[], all: number): number {
  let prose = 0;
  for (const coded of having) if ((coded & 1) === 0) prose += 1;
  if (prose >= 3 && prose * 3 >= all) return THROUGHOUT;
  return prose > 0 ? IN_PROSE : having.length > 0 ? IN_CODE_ONLY : 0;
}

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
