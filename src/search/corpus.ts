// The indexed skills: what each says, which of them have a term, and how rare the term is. Knows no queries.
import { type SegmentKind, segmentsOf } from './passages.ts';
import { grown, Postings } from './postings.ts';
import type { SearchEntry } from './search-index.ts';
import { descriptionLevel, HEAD_BITS, NAME_BITS, nameLevel, RecordReader, SkillDraft } from './skill-record.ts';
import { type KnownPiece, PieceReader, Spellings, Vocabulary } from './vocabulary.ts';
import { nameKey, smallWordsOf } from './words.ts';

export interface IndexedSkill {
  readonly id: string;
  readonly name: string;
  readonly nameKey: string;
  /** To take its spellings out again. */
  readonly description: string;
  /** The words of the name, without compounds made of them. */
  readonly nameTerms: readonly number[];
  readonly record: Uint8Array;
}

/** So many characters of a body are read at a time: some milliseconds. */
const STEP = 8_192;

export class Corpus {
  readonly vocabulary = new Vocabulary();
  readonly postings = new Postings();
  readonly spellings = new Spellings();
  /** By slot. */
  readonly skills: (IndexedSkill | undefined)[] = [];
  readonly #slots = new Map<string, number>();
  readonly #byName = new Map<string, number[]>();
  readonly #vacant: number[] = [];
  readonly #pieces = new PieceReader(this.vocabulary);
  readonly #draft = new SkillDraft();
  readonly #reader = new RecordReader();
  // By term: how many skills have it in a name; in a name, description or heading.
  #inNames = new Uint32Array(1024);
  #inHeads = new Uint32Array(1024);

  get size(): number {
    return this.#slots.size;
  }

  /** In steps of a few milliseconds, one skill at a time. In between nothing may be asked: half of a skill is there. */
  *put(entry: SearchEntry): Generator<void, void> {
    this.remove(entry.id);
    const slot = this.#vacant.pop() ?? this.skills.length;
    this.#place(yield* this.#read(entry, slot), slot);
  }

  /**
   * Takes over the terms of another corpus, in steps, as far as these records of it have them: to be restored next. This one
   * must be empty.
   */
  *begin(terms: readonly (string | undefined)[], records: readonly Uint8Array[]): Generator<void, void> {
    const counts = new Uint32Array(terms.length);
    for (const record of records) {
      this.#reader.open(record);
      while (this.#reader.nextTerm()) counts[this.#reader.term] = (counts[this.#reader.term] as number) + 1;
      yield;
    }
    yield* this.vocabulary.restore(terms, (term) => (counts[term] as number) > 0);
    this.postings.reserve(counts);
  }

  /** A skill of which another corpus made this record. Its terms must be known by the same numbers. */
  restore({ id, name, description }: Omit<SearchEntry, 'kind' | 'body'>, record: Uint8Array): void {
    this.remove(id);
    const slot = this.#vacant.pop() ?? this.skills.length;
    const nameTerms = new Set<number>();
    this.#pieces.readAll(name, 0, name.length, ({ parts }) => {
      for (const term of parts) nameTerms.add(term);
    });
    const skill = { id, name, nameKey: nameKey(name), description, nameTerms: [...nameTerms], record };
    this.#forEachSpelling(skill, (word) => this.spellings.add(word));
    this.#reader.open(record);
    while (this.#reader.nextTerm()) this.#addTerm(this.#reader.term, slot, this.#reader.impact);
    this.#place(skill, slot);
  }

  #place(skill: IndexedSkill, slot: number): void {
    this.skills[slot] = skill;
    this.#slots.set(skill.id, slot);
    const namesakes = this.#byName.get(skill.nameKey);
    if (namesakes === undefined) this.#byName.set(skill.nameKey, [slot]);
    else namesakes.push(slot);
  }

  remove(id: string): void {
    const slot = this.#slots.get(id);
    const skill = slot === undefined ? undefined : this.skills[slot];
    if (slot === undefined || skill === undefined) return;
    // In this order: to read the spellings again, the terms must still have their numbers.
    this.#forEachSpelling(skill, (word) => this.spellings.remove(word));
    this.#removeTerms(skill, slot);
    this.skills[slot] = undefined;
    this.#slots.delete(id);
    this.#vacant.push(slot);
    const namesakes = (this.#byName.get(skill.nameKey) ?? []).filter((other) => other !== slot);
    if (namesakes.length === 0) this.#byName.delete(skill.nameKey);
    else this.#byName.set(skill.nameKey, namesakes);
  }

  slotOf(id: string): number | undefined {
    return this.#slots.get(id);
  }

  slotsNamed(name: string): readonly number[] {
    return this.#byName.get(nameKey(name)) ?? [];
  }

  inNames(term: number): number {
    return this.#inNames[term] ?? 0;
  }

  inHeads(term: number): number {
    return this.#inHeads[term] ?? 0;
  }

  *#read({ id, name, description, body }: SearchEntry, slot: number): Generator<void, IndexedSkill> {
    this.#draft.begin();
    const nameTerms = this.#readName(name);
    const described = this.#readDescription(description);
    const passages = yield* this.#readBody(body);
    const levels = { name: nameLevel(nameTerms.length), description: descriptionLevel(described) };
    const record = yield* this.#draft.finish(levels, passages, (term, impact) => this.#addTerm(term, slot, impact));
    return { id, name, nameKey: nameKey(name), description, nameTerms, record };
  }

  #readName(name: string): readonly number[] {
    const words = new Set<number>();
    this.#pieces.readAll(name, 0, name.length, (known) => {
      for (const term of known.parts) words.add(term);
      for (const term of known.all) this.#draft.addTo('name', term);
      for (const word of known.spellings) this.spellings.add(word);
    });
    // "go-testing" is about Go, and "to-do" has its "to": in a name no word is too small.
    for (const term of smallWordsOf(name)) this.#draft.addTo('name', this.vocabulary.numberOf(term));
    return [...words];
  }

  /** Answers how many telling words there are, repeated ones as often as they stand there. */
  #readDescription(description: string): number {
    let words = 0;
    this.#pieces.readAll(description, 0, description.length, (known) => {
      if (!known.isStop) words += known.parts.length;
      for (const term of known.all) this.#draft.addTo('description', term);
      for (const word of known.spellings) this.spellings.add(word);
    });
    return words;
  }

  /** Answers how many passages there are. Small words of the body are left out: they fill half of it. */
  *#readBody(body: string): Generator<void, number> {
    let kind: SegmentKind = 'prose';
    let passage = 0;
    const addPiece = (known: KnownPiece): void => {
      if (known.isStop) return;
      for (const term of known.all) {
        if (kind === 'heading') this.#draft.addTo('heading', term);
        this.#draft.addToBody(term, passage, kind === 'code');
      }
    };
    let stepEnd = STEP;
    for (const segment of segmentsOf(body)) {
      ({ kind, passage } = segment);
      this.#pieces.readAll(body, segment.from, segment.to, addPiece);
      if (segment.to < stepEnd) continue;
      stepEnd = segment.to + STEP;
      yield;
    }
    return passage + 1;
  }

  #addTerm(term: number, slot: number, impact: number): void {
    if (term >= this.#inHeads.length) {
      const length = Math.max(term + 1, this.#inHeads.length * 2);
      this.#inNames = grown(this.#inNames, length);
      this.#inHeads = grown(this.#inHeads, length);
    }
    this.postings.add(term, slot, impact);
    this.#count(term, impact, 1);
  }

  #forEachSpelling({ name, description }: IndexedSkill, visit: (word: string) => void): void {
    for (const text of [name, description]) {
      this.#pieces.readAll(text, 0, text.length, ({ spellings }) => {
        for (const word of spellings) visit(word);
      });
    }
  }

  #removeTerms({ record }: IndexedSkill, slot: number): void {
    let isReleased = false;
    this.#reader.open(record);
    while (this.#reader.nextTerm()) {
      const { term, impact } = this.#reader;
      this.#count(term, impact, -1);
      if (this.postings.remove(term, slot) > 0) continue;
      this.vocabulary.release(term);
      isReleased = true;
    }
    if (isReleased) this.#pieces.forget();
  }

  #count(term: number, impact: number, change: 1 | -1): void {
    if ((impact & NAME_BITS) > 0) this.#inNames[term] = (this.#inNames[term] as number) + change;
    if ((impact & HEAD_BITS) > 0) this.#inHeads[term] = (this.#inHeads[term] as number) + change;
  }
}
