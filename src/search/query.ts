// From what a caller wrote to the terms that are looked up, each with its weight and the word it stands for.
import type { Corpus } from './corpus.ts';
import { findSimilarTerms } from './similar-terms.ts';
import { stem } from './stem.ts';
import { REQUEST_WORDS } from './stop-words.ts';
import { forEachPiece, readPiece } from './words.ts';

export interface QueryTerm {
  readonly term: number;
  /** As the caller wrote it. */
  readonly word: string;
  /** How much the query means it, times how rare it is. */
  readonly weight: number;
  /** Found for another spelling: a part of the full weight, and the word is in the total only once. */
  readonly isGuess: boolean;
}

/** A request with more than this is a document, and its beginning says what it is about. */
const MAX_QUERY = 20_000;
/** The most telling terms of a request are enough, and bound the time. */
const MAX_TERMS = 32;
/** In a query of at most this many words each one is meant: typing errors and beginnings of words are looked for. */
const FEW_WORDS = 8;
/** "Please", "need" and "help" say little about the task, but are not nothing. */
const REQUEST_WEIGHT = 0.15;
/** The parts of a compound that is known itself: "power" and "point" beside "powerpoint". */
const PART_WEIGHT = 0.3;
/** For rarity a word in the running text counts as a part of one in name, description or headings. */
const BODY_SHARE = 0.25;

export function parseQuery(query: string, corpus: Corpus): readonly QueryTerm[] {
  const pieces = piecesOf(query.slice(0, MAX_QUERY));
  const telling = pieces.filter(({ isStop }) => !isStop);
  const words = mergeWords(telling.length > 0 ? telling : pieces, corpus);
  return heaviest(withoutRepeats(words.flatMap((word) => termsOf(word, corpus, words.length))));
}

interface Piece {
  readonly word: string;
  readonly parts: readonly string[];
  readonly whole: string | undefined;
  readonly isStop: boolean;
}

interface Word {
  readonly term: string;
  readonly word: string;
  count: number;
  weight: number;
}

function piecesOf(query: string): readonly Piece[] {
  const pieces: Piece[] = [];
  // A long request repeats its words.
  const known = new Map<string, Piece>();
  forEachPiece(query, 0, query.length, (word) => {
    const piece = known.get(word) ?? { word, ...readPiece(word) };
    known.set(word, piece);
    pieces.push(piece);
  });
  return pieces;
}

/** Each term once, with the first spelling that the caller used. */
function mergeWords(pieces: readonly Piece[], corpus: Corpus): readonly Word[] {
  const words = new Map<string, Word>();
  const add = (term: string, word: string, weight: number): void => {
    const before = words.get(term);
    if (before === undefined) words.set(term, { term, word, count: 1, weight });
    else {
      before.count += 1;
      before.weight = Math.max(before.weight, weight);
    }
  };
  for (const [index, { word, parts, whole }] of pieces.entries()) {
    const weight = weightOf(word);
    const isWholeKnown = whole !== undefined && isKnown(whole, corpus);
    for (const part of parts) add(part, shownWord(word, part), isWholeKnown ? PART_WEIGHT : weight);
    if (isWholeKnown) add(whole, word, 1);
    for (const joined of neighboursJoined(parts)) if (isKnown(joined, corpus)) add(joined, word, 1);
    const next = pieces[index + 1];
    const joined = next === undefined ? undefined : joinedWords(word, next.word);
    if (next === undefined || joined === undefined || !isKnown(joined, corpus)) continue;
    add(joined, `${word} ${next.word}`, Math.min(weight, weightOf(next.word)));
  }
  return [...words.values()];
}

const weightOf = (word: string): number => (REQUEST_WORDS.has(word.toLowerCase()) ? REQUEST_WEIGHT : 1);

/** A sentence written without spaces is one piece: then its parts are shown. */
const shownWord = (word: string, part: string): string => (word.length > LONGEST_SHOWN ? part : word);
const LONGEST_SHOWN = 40;

/** "CrashLoopBackOff" may be meant as "crashloop". Two parts are a whole already. */
const neighboursJoined = (parts: readonly string[]): readonly string[] =>
  parts.length < 3 || parts.length > MOST_JOINED
    ? []
    : parts.slice(1).map((part, index) => stem(`${parts[index]}${part}`));
const MOST_JOINED = 6;

/** "spread sheet" may be meant as "spreadsheet". */
const joinedWords = (one: string, other: string): string | undefined =>
  PLAIN_WORD.test(one) && PLAIN_WORD.test(other) ? stem(`${one}${other}`.toLowerCase()) : undefined;

const PLAIN_WORD = /^[a-z]{2,20}$/i;

function isKnown(term: string, corpus: Corpus): boolean {
  const number = corpus.vocabulary.find(term);
  return number !== undefined && corpus.postings.countOf(number) > 0;
}

function termsOf({ term, word, count, weight }: Word, corpus: Corpus, words: number): readonly QueryTerm[] {
  // A word said three times is meant more, but not three times as much; "please" is not.
  const meant = weight * (weight < 1 ? 1 : 1 + Math.log(count));
  const number = corpus.vocabulary.find(term);
  const found: QueryTerm[] = [];
  const isThere = number !== undefined && corpus.postings.countOf(number) > 0;
  if (isThere) found.push({ term: number, word, weight: meant * rarity(number, corpus), isGuess: false });
  // A known word among others is meant as it stands; alone it may be the beginning of a name.
  if (words > FEW_WORDS || (isThere && (words > 1 || corpus.inNames(number) > 0))) return found;
  for (const { term: similar, likeness } of findSimilarTerms(term, word.toLowerCase(), isThere, corpus)) {
    found.push({ term: similar, word, weight: meant * likeness * rarity(similar, corpus), isGuess: true });
  }
  return found;
}

/** The usual inverse document frequency, over skills. */
function rarity(term: number, corpus: Corpus): number {
  const heads = corpus.inHeads(term);
  const having = heads + BODY_SHARE * (corpus.postings.countOf(term) - heads);
  return Math.log(1 + (corpus.size - having + 0.5) / (having + 0.5));
}

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
