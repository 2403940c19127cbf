// Gathers the terms of one skill while its text is read, then says how strongly each stands where.
import { IN_CODE_ONLY, IN_PROSE, packImpact, THROUGHOUT } from './impact.ts';
import { grown } from './postings.ts';
import { RecordWriter } from './skill-record.ts';

const IN_NAME = 1;
const IN_DESCRIPTION = 2;
const IN_HEADING = 4;
/** No occurrence. */
const NONE = 0xffff_ffff;

interface Levels {
  readonly name: number;
  readonly description: number;
}

/** One draft serves all skills: its tables have a place for every term and are not cleared, only stamped anew. */
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

  addToName(term: number): void {
    this.#meet(term);
    this.#fields[term] = (this.#fields[term] as number) | IN_NAME;
  }

  addToDescription(term: number): void {
    this.#meet(term);
    this.#fields[term] = (this.#fields[term] as number) | IN_DESCRIPTION;
  }

  addToHeading(term: number): void {
    this.#meet(term);
    this.#fields[term] = (this.#fields[term] as number) | IN_HEADING;
  }

  addToBody(term: number, passage: number, isCode: boolean): void {
    this.#meet(term);
    const last = this.#last[term] as number;
    if (last === NONE || (this.#passages[last] as number) >>> 1 !== passage) this.#addOccurrence(term, passage, isCode);
    else if (!isCode) this.#passages[last] = passage * 2;
  }

  /** Calls back with every term, and answers the record of them all. `passages`: how many the body has. */
  finish(levels: Levels, passages: number, visit: (term: number, impact: number) => void): Uint8Array {
    for (const term of this.#terms) {
      const fields = this.#fields[term] as number;
      const its = this.#passagesOf(term);
      const impact = packImpact({
        name: (fields & IN_NAME) > 0 ? levels.name : 0,
        description: (fields & IN_DESCRIPTION) > 0 ? levels.description : 0,
        heading: (fields & IN_HEADING) > 0 ? 1 : 0,
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
