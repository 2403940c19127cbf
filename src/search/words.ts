// From text to the terms of the index: pieces of text, their letters folded, compounds split, words stemmed.
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

/** What one piece of text ("csvToJson", "user's", "fill-forms") says. */
export interface Reading {
  /** Stems of its words: csv, json. */
  readonly parts: readonly string[];
  /** A compound written together, so that "GitHub" finds "github" and "utf-8" finds "utf8". */
  readonly whole: string | undefined;
  /** Nothing but small words. */
  readonly isStop: boolean;
}

/** Calls back with every piece between `from` and `to`: letters and digits, with "-", "_", "." and "'" between them. */
export function forEachPiece(text: string, from: number, to: number, visit: (piece: string) => void): void {
  let index = from;
  while (index < to) {
    while (index < to && kindOf(text.charCodeAt(index)) !== LETTER) index += 1;
    if (index === to) return;
    const start = index;
    index = pieceEnd(text, start, to);
    visit(text.slice(start, index));
  }
}

export function readPiece(piece: string): Reading {
  // Most pieces are plain words.
  if (PLAIN_WORD.test(piece)) return readWord(piece);
  const folded = NOT_ASCII.test(piece) ? foldLetters(piece) : piece;
  const words = folded
    .replace(POSSESSIVE, '')
    .replaceAll("'", '')
    .replace(LOWER_UPPER, '$1 $2')
    .replace(ACRONYM_WORD, '$1 $2');
  const parts = words.toLowerCase().match(WORD) ?? [];
  const telling = parts.filter((part) => !STOP_WORDS.has(part));
  const whole = wholeOf(parts);
  if (telling.length > 0) return { parts: telling.flatMap(termsOfWord), whole, isStop: false };
  // Small words may make a telling one: "to-do", "how-to".
  if (whole !== undefined) return { parts: [whole], whole: undefined, isStop: false };
  return { parts: parts.map(smallTerm), whole: undefined, isStop: true };
}

function readWord(word: string): Reading {
  const isStop = STOP_WORDS.has(word);
  return { parts: [isStop ? smallTerm(word) : stem(word)], whole: undefined, isStop };
}

/** No stem looks like this: "them" must not be found by "theme". */
const smallTerm = (word: string): string => ` ${word}`;

/** One letter case and one alphabet of accents, for names that are compared as a whole. */
export function nameKey(name: string): string {
  const folded = NOT_ASCII.test(name) ? foldLetters(name) : name;
  return folded
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
}

const SEPARATOR = 0;
const LETTER = 1;
const JOINER = 2;
const PLAIN_WORD = /^[a-z]{1,40}$/;
const NOT_ASCII = /[^\0-\x7f]/;
const POSSESSIVE = /'s$/i;
const LOWER_UPPER = /([a-z0-9])([A-Z])/g;
/** "PDFForm" is "PDF Form"; "PDFs" and "OAuth" are one word. */
const ACRONYM_WORD = /([A-Z]{2,})([A-Z][a-z]{2})/g;
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

function pieceEnd(text: string, start: number, to: number): number {
  let index = start + 1;
  while (index < to) {
    const kind = kindOf(text.charCodeAt(index));
    if (kind === SEPARATOR) return index;
    if (kind === JOINER && (index + 1 === to || kindOf(text.charCodeAt(index + 1)) !== LETTER)) return index;
    index += 1;
  }
  return to;
}

/** Without accents, in the plain form of full-width and other variants; Hangul is put together again. */
const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('’', "'")
    .normalize('NFKC');

function termsOfWord(word: string): readonly string[] {
  if (UNSPACED.test(word)) return pairsOf(word);
  if (isKeyOrHash(word)) return [];
  const named = WORD_AND_VERSION.exec(word)?.[1];
  return named === undefined ? [stem(word)] : [word, stem(named)];
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

/** Nobody searches for them, and each is a term of its own. */
const isKeyOrHash = (word: string): boolean =>
  word.length > LONGEST_WORD || (word.length > LONGEST_WITH_DIGITS && MANY_DIGITS.test(word));
