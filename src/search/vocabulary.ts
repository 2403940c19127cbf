// The terms of the index and their numbers, the words that a term does not spell in full, and the pieces of text they are
// read from. A number is given back when the last skill with its term is gone.
import { grown } from './postings.ts';
import { forEachSpan, readPiece } from './words.ts';

export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #terms: (string | undefined)[] = [];
  readonly #free: number[] = [];
  #signatures = new Uint32Array(1024);

  /** Numbers lie below this. */
  get capacity(): number {
    return this.#terms.length;
  }

  /** Every term by its number, as they are now; `undefined` where a number is free. */
  get terms(): readonly (string | undefined)[] {
    return this.#terms.slice();
  }

  /** Takes over what another vocabulary said by `terms`, in steps, as far as it is wanted. This one must be empty. */
  *restore(terms: readonly (string | undefined)[], isWanted: (number: number) => boolean): Generator<void, void> {
    this.#signatures = new Uint32Array(Math.max(this.#signatures.length, terms.length));
    for (const [number, term] of terms.entries()) {
      const isFree = term === undefined || !isWanted(number);
      this.#terms.push(isFree ? undefined : term);
      if (isFree) this.#free.push(number);
      else {
        this.#numbers.set(term, number);
        this.#signatures[number] = signatureOf(term);
      }
      if (number % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
    }
  }

  numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#terms.length;
    const own = ownCopy(term);
    this.#terms[number] = own;
    if (number >= this.#signatures.length) this.#signatures = grown(this.#signatures, number * 2);
    this.#signatures[number] = signatureOf(own);
    this.#numbers.set(own, number);
    return number;
  }

  find(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  termOf(number: number): string | undefined {
    return this.#terms[number];
  }

  signatureOf(number: number): number {
    return this.#signatures[number] ?? 0;
  }

  release(number: number): void {
    const term = this.#terms[number];
    if (term === undefined) return;
    this.#numbers.delete(term);
    this.#terms[number] = undefined;
    this.#free.push(number);
  }
}

/** Some milliseconds of work. */
const TERMS_PER_STEP = 8_192;

/** Which letters a term has, one bit each: terms that differ in many of them cannot be one misspelling apart. */
export function signatureOf(term: string): number {
  let bits = 0;
  for (let index = 0; index < term.length; index += 1) bits |= 1 << (term.charCodeAt(index) & 31);
  return bits >>> 0;
}

/** A slice of a long string keeps the whole of it in memory: a term must not hold on to a skill's body. */
function ownCopy(text: string): string {
  if (text.length < SHORTEST_SLICE) return text;
  if (text.length > LONGEST_REMEMBERED) return Buffer.from(text, 'utf16le').toString('utf16le');
  // For a word this is several times as fast.
  const codes: number[] = [];
  for (let index = 0; index < text.length; index += 1) codes.push(text.charCodeAt(index));
  return String.fromCharCode(...codes);
}
/** V8 copies what is shorter. */
const SHORTEST_SLICE = 13;

/**
 * The words of names and descriptions as they are spelled there, where their term is only a stem. A typing error is
 * compared with them: "migartion" is one swap from `migration`, but far from `migr`.
 */
export class Spellings {
  readonly words = new Vocabulary();
  /** By the word's number: how often it was added. */
  #counts = new Uint32Array(256);

  add(word: string): void {
    const number = this.words.numberOf(word);
    if (number >= this.#counts.length) this.#counts = grown(this.#counts, number * 2);
    this.#counts[number] = (this.#counts[number] as number) + 1;
  }

  /** Takes one away, of a word that was added. */
  remove(word: string): void {
    const number = this.words.find(word);
    if (number === undefined) return;
    const left = (this.#counts[number] as number) - 1;
    this.#counts[number] = left;
    if (left === 0) this.words.release(number);
  }
}

export interface KnownPiece {
  readonly parts: readonly number[];
  /** The parts, and the compound that they make. */
  readonly all: readonly number[];
  readonly isStop: boolean;
  /** The words that their term does not spell in full: `migration`, whose term is `migr`. */
  readonly spellings: readonly string[];
}

const NONE: readonly string[] = [];

/** At most so many, some 4 MB; then they are forgotten and met again. */
const MOST_REMEMBERED = 32_768;
/** Places in the table, by hash: a power of two, twice as many as pieces. */
const PLACES = 65_536;
const LONGEST_REMEMBERED = 48;

/**
 * Pieces of text as numbers of terms, remembered: the skills of one corpus share most of their words. A table of our own
 * instead of a `Map`: a piece that is known need not be cut out of its text, which took a sixth of the time of an index.
 */
export class PieceReader {
  readonly #vocabulary: Vocabulary;
  /** By place: one more than the number of the piece there; 0 is a free place. */
  readonly #places = new Uint32Array(PLACES);
  #pieces: string[] = [];
  #known: KnownPiece[] = [];

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Calls back with what every piece between `from` and `to` says. */
  readAll(text: string, from: number, to: number, visit: (known: KnownPiece) => void): void {
    forEachSpan(text, from, to, (start, end) => visit(this.#read(text, start, end)));
  }

  /** To be called when numbers were given back. */
  forget(): void {
    this.#places.fill(0);
    this.#pieces = [];
    this.#known = [];
  }

  #read(text: string, start: number, end: number): KnownPiece {
    const length = end - start;
    if (length > LONGEST_REMEMBERED) return this.#readNew(text.slice(start, end));
    let place = hashOf(text, start, end) & (PLACES - 1);
    for (let held = this.#places[place] as number; held > 0; held = this.#places[place] as number) {
      const piece = this.#pieces[held - 1] as string;
      if (piece.length === length && text.startsWith(piece, start)) return this.#known[held - 1] as KnownPiece;
      place = (place + 1) & (PLACES - 1);
    }
    return this.#remember(ownCopy(text.slice(start, end)), place);
  }

  #remember(piece: string, place: number): KnownPiece {
    const known = this.#readNew(piece);
    if (this.#pieces.length >= MOST_REMEMBERED) {
      this.forget();
      return known;
    }
    this.#pieces.push(piece);
    this.#known.push(known);
    this.#places[place] = this.#pieces.length;
    return known;
  }

  #readNew(piece: string): KnownPiece {
    const { parts, whole, isStop } = readPiece(piece);
    const numbers = parts.map(({ term }) => this.#vocabulary.numberOf(term));
    const all = whole === undefined ? numbers : [...numbers, this.#vocabulary.numberOf(whole)];
    const stemmed = isStop ? NONE : parts.flatMap(({ term, letters }) => (term === letters ? NONE : [letters]));
    return { parts: numbers, all, isStop, spellings: stemmed.length === 0 ? NONE : stemmed.map(ownCopy) };
  }
}

/** FNV-1a over the characters. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c_9dc5;
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  return hash ^ (hash >>> 15);
}
