// From text to the terms of the index: pieces of text, their letters folded, compounds split, words stemmed.
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

/** What one piece of text ("csvToJson", "user's", "fill-forms") says. */
export interface Reading {
  readonly parts: readonly Part[];
  /** A compound written together, so that "GitHub" finds "github" and "utf-8" finds "utf8". */
  readonly whole: string | undefined;
  /** Nothing but small words. */
  readonly isStop: boolean;
}

export interface Part {
  /** What the index knows: mostly the stem. */
  readonly term: string;
  /** The word before it was stemmed, in plain lower-case letters. */
  readonly letters: string;
  /** The stretch of the piece that says it. */
  readonly written: string;
}

/** Calls back with every piece between `from` and `to`: letters and digits, with "-", "_", "." and "'" between them. */
export function forEachPiece(text: string, from: number, to: number, visit: (piece: string) => void): void {
  forEachSpan(text, from, to, (start, end) => visit(text.slice(start, end)));
}

/** The same without cutting them out: where each begins and ends. */
export function forEachSpan(text: string, from: number, to: number, visit: (start: number, end: number) => void): void {
  let index = from;
  while (index < to) {
    while (index < to && kindOf(text.charCodeAt(index)) !== LETTER) index += 1;
    if (index === to) return;
    const start = index;
    index = pieceEnd(text, start, to);
    visit(start, index);
  }
}

export function readPiece(piece: string): Reading {
  // Most pieces are plain words, some with a capital: the patterns below would take most of the time of an index.
  if (PLAIN_WORD.test(piece)) return readWord(piece);
  const folded = NOT_ASCII.test(piece) ? foldLetters(piece) : piece;
  const words = folded
    .replace(POSSESSIVE, '')
    .replaceAll("'", '')
    .replace(LOWER_UPPER, '$1 $2')
    .replace(ACRONYM_END, ' ');
  const all = (words.match(WORD) ?? []).map((word, _index, { length }) => partOf(word, length === 1 ? piece : word));
  const telling = all.filter(({ letters }) => !STOP_WORDS.has(letters));
  const letters = all.map((part) => part.letters);
  const whole = wholeOf(letters);
  if (telling.length > 0) return { parts: telling.flatMap(partsOfWord), whole, isStop: false };
  // Small words may make a telling one: "to-do", "how-to".
  if (whole !== undefined) {
    return { parts: [{ term: whole, letters: letters.join(''), written: piece }], whole: undefined, isStop: false };
  }
  return { parts: all.map((part) => ({ ...part, term: smallTerm(part.letters) })), whole: undefined, isStop: true };
}

function readWord(written: string): Reading {
  const letters = written.toLowerCase();
  const isStop = STOP_WORDS.has(letters);
  const term = isStop ? smallTerm(letters) : stem(letters);
  return { parts: [{ term, letters, written }], whole: undefined, isStop };
}

function partOf(word: string, written: string): Part {
  const letters = word.toLowerCase();
  return { term: letters, letters, written };
}

/** No stem looks like this: "them" must not be found by "theme". */
const smallTerm = (word: string): string => ` ${word}`;

/** The terms of the small words among others, which `readPiece` leaves out. */
export const smallWordsOf = (name: string): readonly string[] =>
  (name.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => STOP_WORDS.has(word)).map(smallTerm);

/** One letter case and one alphabet of accents, for names that are compared as a whole. */
export const nameKey = (name: string): string =>
  plainText(name)
    .trim()
    .replace(/[\s_-]+/g, '-');

/** In lower case and without accents. */
export const plainText = (text: string): string => (NOT_ASCII.test(text) ? foldLetters(text) : text).toLowerCase();

const SEPARATOR = 0;
const LETTER = 1;
const JOINER = 2;
const PLAIN_WORD = /^[A-Z]?[a-z]{1,39}$/;
const NOT_ASCII = /[^\0-\x7f]/;
const POSSESSIVE = /'s$/i;
const LOWER_UPPER = /([a-z0-9])([A-Z])/g;
/** "PDFForm" is "PDF Form"; "PDFs" and "OAuth" are one word. */
const ACRONYM_END = /(?<=[A-Z]{2})(?=[A-Z][a-z]{2})/g;
const WORD = /[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu;
/** Written without spaces: pairs of characters stand for words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const WORD_AND_VERSION = /^([a-z]{3,})\d+$/;
const LONGEST_WORD = 40;
const LONGEST_WITH_DIGITS = 8;
/** Four: dates, versions and numbers of things, but not "utf16" and "sha256". */
const MANY_DIGITS = /(?:\d\D*){4}/;
/** A piece that joins more words is a path or a sentence. */
const LONGEST_COMPOUND = 3;

const kinds = asciiKinds();

/** Whatever is not ASCII counts as a letter here; `readPiece` looks closer. */
const kindOf = (code: number): number => (code < 128 ? (kinds[code] as number) : LETTER);

function asciiKinds(): Uint8Array {
  const table = new Uint8Array(128).fill(SEPARATOR);
  for (let code = 0; code < 128; code += 1) if (/[a-z0-9]/i.test(String.fromCharCode(code))) table[code] = LETTER;
  for (const joiner of "-_.'") table[joiner.charCodeAt(0)] = JOINER;
  return table;
}

/** No word is longer. Without an end the patterns below would take minutes for a megabyte of one letter. */
const LONGEST_PIECE = 256;

function pieceEnd(text: string, start: number, end: number): number {
  const to = Math.min(end, start + LONGEST_PIECE);
  let index = start + 1;
  while (index < to) {
    const kind = kindOf(text.charCodeAt(index));
    if (kind === SEPARATOR) return index;
    if (kind === JOINER && (index + 1 === to || kindOf(text.charCodeAt(index + 1)) !== LETTER)) return index;
    index += 1;
  }
  // Not between the two halves of one character.
  return to < end && isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Without accents, in the plain form of full-width and other variants; Hangul is put together again. */
const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('’', "'")
    .normalize('NFKC');

function partsOfWord(part: Part): readonly Part[] {
  const { letters, written } = part;
  if (UNSPACED.test(letters)) return pairsOf(letters).map((pair) => partOf(pair, pair));
  if (isKeyOrHash(letters)) return [];
  const named = WORD_AND_VERSION.exec(letters)?.[1];
  if (named === undefined) return [{ term: stem(letters), letters, written }];
  return [part, { term: stem(named), letters: named, written: written.slice(0, named.length) }];
}

function pairsOf(word: string): readonly string[] {
  const characters = Array.from(word);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function wholeOf(parts: readonly string[]): string | undefined {
  if (parts.length < 2 || parts.length > LONGEST_COMPOUND) return undefined;
  const whole = parts.join('');
  return isKeyOrHash(whole) || !/[a-z]/.test(whole) || MANY_DIGITS.test(whole) ? undefined : stem(whole);
}

/** They are not searched for, and each is a term of its own. */
const isKeyOrHash = (word: string): boolean =>
  word.length > LONGEST_WORD || (word.length > LONGEST_WITH_DIGITS && MANY_DIGITS.test(word));
