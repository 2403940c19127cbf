// Terms that a word may have been meant as: the beginning of a name, a typing error, two words written as one.
import { editDistance } from '../text/edit-distance.ts';
import type { Corpus } from './corpus.ts';
import { stem } from './stem.ts';
import { signatureOf, type Vocabulary } from './vocabulary.ts';

export interface SimilarTerm {
  readonly term: number;
  /** Below 1: a guess never counts as much as the word itself. */
  readonly likeness: number;
  /** Which stretch of the word it stands for, when not for all of it. */
  readonly stretch?: readonly [from: number, to: number];
}

const MOST = 4;
const PREFIX_LIKENESS = 0.6;
/** For a word that is known as it stands, a longer one in a name is only a faint hint. */
const FAINT_LIKENESS = 0.25;
const ONE_EDIT_LIKENESS = 0.7;
const TWO_EDITS_LIKENESS = 0.45;
/** A typing error is more often meant as a word of a name than as one of a description. */
const NOT_IN_NAME = 0.7;
const SHORTEST_PREFIX = 2;
const SHORTEST_FIRST_WORD = 4;
const SHORTEST_WITH_ERROR = 4;
const SHORTEST_WITH_TWO_ERRORS = 8;

/** `letters`: the word whose term it is, before it was stemmed. */
export function findSimilarTerms(
  { term, letters }: { readonly term: string; readonly letters: string },
  isKnown: boolean,
  corpus: Corpus,
): readonly SimilarTerm[] {
  if (isKnown) return best(beginnings(term, corpus, FAINT_LIKENESS));
  const halves = twoWords(letters, corpus);
  if (halves.length > 0) return halves;
  return best([
    ...beginnings(term, corpus, PREFIX_LIKENESS),
    ...misspelled(term, letters, corpus),
    ...firstWords(letters, corpus),
  ]);
}

interface Guess extends SimilarTerm {
  readonly text: string;
}

/** The likeliest, equal ones by their letters: numbers of terms depend on what was indexed before. */
function best(guesses: readonly Guess[]): readonly SimilarTerm[] {
  const once = new Map<number, Guess>();
  for (const guess of guesses) {
    const other = once.get(guess.term);
    if (other === undefined || other.likeness < guess.likeness) once.set(guess.term, guess);
  }
  return [...once.values()].sort((a, b) => b.likeness - a.likeness || (a.text < b.text ? -1 : 1)).slice(0, MOST);
}

function beginnings(term: string, corpus: Corpus, likeness: number): readonly Guess[] {
  if (term.length < SHORTEST_PREFIX) return [];
  const guesses: Guess[] = [];
  for (let number = 0; number < corpus.vocabulary.capacity; number += 1) {
    if (corpus.inNames(number) === 0) continue;
    const text = corpus.vocabulary.termOf(number);
    if (text === undefined || text.length === term.length || !text.startsWith(term)) continue;
    // The more of the word was typed, the likelier it is this one.
    guesses.push({ term: number, text, likeness: (likeness * term.length) / text.length });
  }
  return guesses;
}

function misspelled(term: string, letters: string, corpus: Corpus): readonly Guess[] {
  if (term.length < SHORTEST_WITH_ERROR) return [];
  // By the stem's length: "rotation" and "location" have their ending in common, and are still two words.
  const allowed = term.length < SHORTEST_WITH_TWO_ERRORS ? 1 : 2;
  const { vocabulary, spellings } = corpus;
  const near = [
    ...wordsNear(term, allowed, vocabulary, (number) => corpus.inHeads(number) > 0),
    ...wordsNear(letters, allowed, spellings.words, () => true).map(({ text, edits }) => ({ text: stem(text), edits })),
  ];
  return near.flatMap(({ text, edits }): Guess[] => {
    const number = vocabulary.find(text);
    if (number === undefined) return [];
    const likeness = edits === 1 ? ONE_EDIT_LIKENESS : TWO_EDITS_LIKENESS;
    return [{ term: number, text, likeness: corpus.inNames(number) > 0 ? likeness : likeness * NOT_IN_NAME }];
  });
}

interface NearWord {
  readonly text: string;
  readonly edits: number;
}

function wordsNear(
  word: string,
  allowed: number,
  words: Vocabulary,
  isWanted: (number: number) => boolean,
): readonly NearWord[] {
  const signature = signatureOf(word);
  const near: NearWord[] = [];
  for (let number = 0; number < words.capacity; number += 1) {
    // An edit brings at most one letter and takes at most one.
    if (ones(signature ^ words.signatureOf(number)) > 2 * allowed || !isWanted(number)) continue;
    const text = words.termOf(number);
    if (text === undefined) continue;
    const edits = editDistance(word, text, allowed);
    if (edits <= allowed) near.push({ text, edits });
  }
  return near;
}

/** "codereview": both halves must be words of names, descriptions or headings. */
function twoWords(word: string, corpus: Corpus): readonly SimilarTerm[] {
  if (!/^[a-z]{6,30}$/.test(word)) return [];
  for (let cut = 3; cut <= word.length - 3; cut += 1) {
    const halves = [[0, cut] as const, [cut, word.length] as const].flatMap((stretch): SimilarTerm[] => {
      const term = corpus.vocabulary.find(stem(word.slice(...stretch)));
      const isTelling = term !== undefined && corpus.inHeads(term) > 0;
      return isTelling ? [{ term, likeness: ONE_EDIT_LIKENESS, stretch }] : [];
    });
    if (halves.length === 2) return halves;
  }
  return [];
}

/** "crontab" begins with "cron", which is the word of a name. */
function firstWords(word: string, corpus: Corpus): readonly Guess[] {
  const guesses: Guess[] = [];
  for (let end = word.length - 1; end >= SHORTEST_FIRST_WORD; end -= 1) {
    const text = stem(word.slice(0, end));
    const term = corpus.vocabulary.find(text);
    if (term === undefined || corpus.inNames(term) === 0) continue;
    guesses.push({ term, text, likeness: (PREFIX_LIKENESS * end) / word.length });
  }
  return guesses;
}

/** How many bits are set. */
function ones(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
