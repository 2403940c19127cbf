// Pieces of text as numbers of terms, remembered: the skills of one corpus share most of their words.
import { ownCopy, type Vocabulary } from './vocabulary.ts';
import { readPiece } from './words.ts';

export interface KnownPiece {
  readonly parts: readonly number[];
  /** The parts, and the compound that they make. */
  readonly all: readonly number[];
  readonly isStop: boolean;
  /** The words that their term does not spell in full: "migration", whose term is "migr". */
  readonly spellings: readonly string[];
}

const NONE: readonly string[] = [];

/** Twice this many at most, some 4 MB: the pieces of late, and those before them. */
const MAX_RECENT = 16_384;
const LONGEST_REMEMBERED = 48;

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
