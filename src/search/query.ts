// From what a caller wrote to the terms that are looked up, each with its weight and the word it stands for.
import { type AskedKind, forEachAsked, GO_TERMS } from './asked-words.ts';
import type { Corpus } from './corpus.ts';
import { findSimilarTerms } from './similar-terms.ts';
import { stem } from './stem.ts';
import { REQUEST_WORDS } from './stop-words.ts';
import { type Part, type Reading, readPiece } from './words.ts';

export interface ParsedQuery {
  readonly terms: readonly QueryTerm[];
  /** What the most telling words weigh together, those that no skill has included. */
  readonly total: number;
  /** So few words that each one is meant. */
  readonly isShort: boolean;
}

export interface QueryTerm {
  readonly term: number;
  /** As the caller wrote it. */
  readonly word: string;
  /** The compound that the word is a part of, and that skills have as one word. */
  readonly within: string | undefined;
  /** How much the query means it, times how rare it is. */
  readonly weight: number;
  /** Found for another spelling: a part of the full weight, and the word is in the total only once. */
  readonly isGuess: boolean;
}

/** A request with more than this is a document, and its beginning says what it is about. */
const MAX_QUERY = 20_000;
/** The most telling terms of a request are enough, and bound the time. */
const MAX_TERMS = 32;
/**
 * In a query of at most this many words each one is meant: typing errors and beginnings of words are looked for, and a rare
 * word does not outweigh all others.
 */
const FEW_WORDS = 8;
/** How much rarity counts among few words. In people's own words the rarest is often the one that says least. */
const RARITY_OF_FEW = 0.5;
/** "Please", "need" and "help" say little about the task, but are not nothing. */
const REQUEST_WEIGHT = 0.15;
/** Code in a request shows what it is about, but names many things besides. */
export const CODE_WEIGHT = 0.3;
/** The parts of a compound that is known itself: "power" and "point" beside "powerpoint". */
export const PART_WEIGHT = 0.3;
/** For rarity a word in the running text counts as a part of one in name, description or headings. */
const BODY_SHARE = 0.25;

export function parseQuery(query: string, corpus: Corpus): ParsedQuery {
  const pieces = piecesOf(query.slice(0, MAX_QUERY), corpus);
  const telling = pieces.filter(({ isStop }) => !isStop);
  const words = mergeWords(telling.length > 0 ? telling : pieces, corpus);
  const isShort = isShortQuery(words.length);
  const found = words.map((word) => termsOf(word, corpus, words.length));
  const unknown = words.filter(({ within }, index) => found[index]?.length === 0 && within === undefined);
  const missing = unknown.map((word) => meant(word) * rarityOf(0, corpus, words.length));
  const terms = heaviest(withoutRepeats(found.flat()));
  return { terms, total: totalWeight(terms, missing), isShort };
}

interface Piece {
  readonly word: string;
  readonly isStop: boolean;
  /** In lower case, when it may be the half of a word that was written in two. */
  readonly half: string | undefined;
  readonly says: readonly NewWord[];
}

interface Word {
  readonly term: string;
  /** Before it was stemmed. */
  readonly letters: string;
  readonly word: string;
  within: string | undefined;
  count: number;
  weight: number;
}

type NewWord = Readonly<Omit<Word, 'count'>>;

function piecesOf(query: string, corpus: Corpus): readonly Piece[] {
  const pieces: Piece[] = [];
  // A long request repeats its words.
  const known = new Map<string, Piece>();
  forEachAsked(query, (word, kind) => {
    const key = kind === 'word' ? word : `${kind} ${word}`;
    const piece = known.get(key) ?? pieceMakers[kind](word, corpus);
    known.set(key, piece);
    pieces.push(piece);
  });
  return pieces;
}

function pieceOf(word: string, corpus: Corpus): Piece {
  const reading = readPiece(word);
  const half = HALF.test(word) ? word.toLowerCase() : undefined;
  return { word, isStop: reading.isStop, half, says: wordsOf(word, reading, corpus) };
}

const pieceMakers: Readonly<Record<AskedKind, (word: string, corpus: Corpus) => Piece>> = {
  word: pieceOf,
  code: (word, corpus) => {
    const piece = pieceOf(word, corpus);
    const says = piece.says.map((said) => ({ ...said, weight: said.weight * CODE_WEIGHT }));
    return { ...piece, half: undefined, says };
  },
  go: (word) => ({
    word,
    isStop: false,
    half: GO_TERMS.word,
    says: GO_TERMS.terms.map((term) => ({ term, letters: GO_TERMS.word, word, within: undefined, weight: 1 })),
  }),
};

const HALF = /^[a-z]{2,20}$/i;

function wordsOf(word: string, { parts, whole }: Reading, corpus: Corpus): readonly NewWord[] {
  const isWholeKnown = whole !== undefined && isKnown(whole, corpus);
  const weight = isWholeKnown ? PART_WEIGHT : weightOf(word);
  const pairs = joinedParts(parts, corpus);
  const words = parts.map(({ term, letters, written }, index): NewWord => {
    const within = isWholeKnown ? word : (pairs[index - 1] ?? pairs[index])?.word;
    return { term, letters, word: written, within, weight };
  });
  if (isWholeKnown) words.push(compound(whole, word, 1));
  return [...words, ...pairs.filter((pair) => pair !== undefined)];
}

const compound = (term: string, word: string, weight: number): NewWord => ({
  term,
  letters: term,
  word,
  within: undefined,
  weight,
});

export const weightOf = (word: string): number => (REQUEST_WORDS.has(word.toLowerCase()) ? REQUEST_WEIGHT : 1);

/** "CrashLoopBackOff" may be meant as "crashloop". By the first of both; two parts are a whole already. */
function joinedParts(parts: readonly Part[], corpus: Corpus): readonly (NewWord | undefined)[] {
  if (parts.length < 3 || parts.length > MOST_JOINED) return [];
  return parts.slice(1).map((part, index) => {
    const before = parts[index] as Part;
    const term = stem(`${before.term}${part.term}`);
    return isKnown(term, corpus) ? compound(term, `${before.written}${part.written}`, 1) : undefined;
  });
}
const MOST_JOINED = 6;

/** Each term once, with the first spelling that the caller used. */
function mergeWords(pieces: readonly Piece[], corpus: Corpus): readonly Word[] {
  const words = new Map<string, Word>();
  // Field by field: with a spread, reading a request of 300 words takes half as long again.
  const add = ({ term, letters, word, within, weight }: NewWord): void => {
    const before = words.get(term);
    if (before === undefined) words.set(term, { term, letters, word, within, weight, count: 1 });
    else {
      before.count += 1;
      before.weight = Math.max(before.weight, weight);
    }
  };
  const halves = new Map<string, string>();
  for (const [index, piece] of pieces.entries()) {
    for (const said of piece.says) add(said);
    const next = pieces[index + 1];
    const joined = next === undefined ? undefined : joinedWords(piece, next, corpus);
    if (next === undefined || joined === undefined) continue;
    add(joined);
    for (const { term } of [...piece.says, ...next.says]) halves.set(term, joined.word);
  }
  for (const word of words.values()) word.within ??= halves.get(word.term);
  return [...words.values()];
}

/** "spread sheet" may be meant as "spreadsheet". */
function joinedWords(one: Piece, other: Piece, corpus: Corpus): NewWord | undefined {
  if (one.half === undefined || other.half === undefined) return undefined;
  const term = stem(one.half + other.half);
  if (!isKnown(term, corpus)) return undefined;
  return compound(term, `${one.word} ${other.word}`, Math.min(weightOf(one.word), weightOf(other.word)));
}

function isKnown(term: string, corpus: Corpus): boolean {
  const number = corpus.vocabulary.find(term);
  return number !== undefined && corpus.postings.countOf(number) > 0;
}

function termsOf(asked: Word, corpus: Corpus, words: number): readonly QueryTerm[] {
  const { word, within } = asked;
  const number = corpus.vocabulary.find(asked.term);
  const found: QueryTerm[] = [];
  const isThere = number !== undefined && corpus.postings.countOf(number) > 0;
  if (isThere)
    found.push({ term: number, word, within, weight: meant(asked) * rarity(number, corpus, words), isGuess: false });
  // A known word among others is meant as it stands; alone it may be the beginning of a name.
  if (!isShortQuery(words) || (isThere && (words > 1 || corpus.inNames(number) > 0))) return found;
  for (const { term, likeness, stretch } of findSimilarTerms(asked, isThere, corpus)) {
    const shown = stretch === undefined || word.length !== asked.letters.length ? word : word.slice(...stretch);
    found.push({
      term,
      word: shown,
      within,
      weight: meant(asked) * likeness * rarity(term, corpus, words),
      isGuess: true,
    });
  }
  return found;
}

/** A word said three times is meant more, but not three times as much; "please" is not. */
const meant = ({ weight, count }: Word): number => weight * (weight < 1 ? 1 : 1 + Math.log(count));

function rarity(term: number, corpus: Corpus, words: number): number {
  const heads = corpus.inHeads(term);
  return rarityOf(heads + BODY_SHARE * (corpus.postings.countOf(term) - heads), corpus, words);
}

const rarityOf = (having: number, { size }: Corpus, words: number): number => rarityAmong(having, size, words);

/** The usual inverse document frequency, over skills. `words`: how many the query has. */
export const rarityAmong = (having: number, size: number, words: number): number =>
  Math.log(1 + (size - having + 0.5) / (having + 0.5)) ** (isShortQuery(words) ? RARITY_OF_FEW : 1);

const isShortQuery = (words: number): boolean => words <= FEW_WORDS;

/** What one word was guessed to mean, another one may say. */
function withoutRepeats(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const once = new Map<number, QueryTerm>();
  for (const term of terms) {
    const other = once.get(term.term);
    if (other === undefined || (other.isGuess && other.weight < term.weight)) once.set(term.term, term);
  }
  return [...once.values()];
}

function heaviest(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  if (terms.length <= MAX_TERMS) return terms;
  const least = terms.map(({ weight }) => weight).sort((a, b) => b - a)[MAX_TERMS - 1] ?? 0;
  return terms.filter(({ weight }) => weight >= least).slice(0, MAX_TERMS);
}

/** A guess stands for a word that is counted once, by its likeliest meaning. */
function totalWeight(terms: readonly QueryTerm[], missing: readonly number[]): number {
  const guessed = new Map<string, number>();
  const weights = [...missing];
  for (const { word, weight, isGuess } of terms) {
    if (isGuess) guessed.set(word, Math.max(guessed.get(word) ?? 0, weight));
    else weights.push(weight);
  }
  // No more than are looked up: else a long request could never be covered.
  const most = [...weights, ...guessed.values()].sort((a, b) => b - a).slice(0, MAX_TERMS);
  return most.reduce((sum, weight) => sum + weight, 0);
}
