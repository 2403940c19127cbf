// The terms of the index and their numbers, the words that a term does not spell in full, and the pieces of text they are
// read from. A number is given back when the last skill with its term is gone.
import { grown } from './postings.ts';
import { readPiece } from './words.ts';

export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #terms: (string | undefined)[] = [];
  readonly #free: number[] = [];
  #signatures = new Uint32Array(1024);

  /** Numbers lie below this. */
  get capacity(): number {
    return this.#terms.length;
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

interface KnownPiece {
  readonly parts: readonly number[];
  /** The parts, and the compound that they make. */
  readonly all: readonly number[];
  readonly isStop: boolean;
  /** The words that their term does not spell in full: `migration`, whose term is `migr`. */
  readonly spellings: readonly string[];
}

const NONE: readonly string[] = [];

/** Twice this many at most, some 4 MB: the pieces of late, and those before them. */
const MAX_RECENT = 16_384;
const LONGEST_REMEMBERED = 48;

/** Pieces of text as numbers of terms, remembered: the skills of one corpus share most of their words. */
export class PieceReader {
  readonly #vocabulary: Vocabulary;
  #recent = new Map<string, KnownPiece>();
  #before = new Map<string, KnownPiece>();

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  read(piece: string): KnownPiece {
    return this.#recent.get(piece) ?? this.#readAgain(piece);
  }

  /** To be called when numbers were given back. */
  forget(): void {
    this.#recent.clear();
    this.#before.clear();
  }

  #readAgain(piece: string): KnownPiece {
    const known = this.#before.get(piece) ?? this.#readNew(piece);
    if (piece.length > LONGEST_REMEMBERED) return known;
    if (this.#recent.size >= MAX_RECENT) {
      this.#before = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(ownCopy(piece), known);
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
