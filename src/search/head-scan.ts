// Search before the index is there: one pass over the heads of all skills, in which the rarity of words is counted as well.
// Knows no misspellings and no bodies: the index does, a moment later.
import { forEachAsked, GO_TERMS } from './asked-words.ts';
import type { Head } from './heads.ts';
import { CODE_WEIGHT, PART_WEIGHT, rarityAmong, weightOf } from './query.ts';
import { compareText, headWorth, nameBonus, shown } from './rank.ts';
import { EXACT_NAME, type SearchHit } from './search-index.ts';
import { descriptionLevel, type Impact, nameLevel } from './skill-record.ts';
import type { FieldMatch } from './why.ts';
import { nameKey, readPiece } from './words.ts';

/** Of a request with more words its beginning says what it is about. */
const MOST_TERMS = 40;
/** Of every ten characters of a description one telling word is expected. */
const CHARACTERS_PER_WORD = 10;

const IN_NAME = 1;
const IN_DESCRIPTION = 2;
const IN_HEADING = 4;

interface Asked {
  readonly term: string;
  /** What every word with this term begins with. */
  readonly opening: string;
  /** As the caller wrote it. */
  readonly word: string;
  readonly weight: number;
  /** The term of the compound that it is a part of. */
  readonly within: string | undefined;
  /** The words with this opening that were met, and whether they have this term. */
  readonly forms: Map<string, boolean>;
}

interface Candidate {
  readonly head: Head;
  /** By asked word: the fields that have it. */
  readonly fields: Uint8Array;
}

export class HeadScan {
  readonly #asked: readonly Asked[];
  readonly #key: string;
  readonly #candidates: Candidate[] = [];
  /** By asked word: how many heads have it. */
  readonly #having: number[];
  #heads = 0;

  constructor(query: string) {
    this.#asked = askedWords(query);
    this.#key = nameKey(query);
    this.#having = this.#asked.map(() => 0);
  }

  add(head: Head): void {
    this.#heads += 1;
    const fields = new Uint8Array(this.#asked.length);
    let isFound = false;
    for (const [index, asked] of this.#asked.entries()) {
      const having = fieldsWith(asked, head);
      if (having === 0) continue;
      fields[index] = having;
      this.#having[index] = (this.#having[index] as number) + 1;
      isFound = true;
    }
    if (isFound || this.#isNamed(head)) this.#candidates.push({ head, fields });
  }

  /** The best of what was added, best first; a skill that the query names exactly stands before all others. */
  best(limit: number): readonly SearchHit[] {
    const weights = this.#weights();
    const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
    const ranked = this.#candidates
      .map((candidate) => ({ candidate, score: scoreOf(candidate, weights), isNamed: this.#isNamed(candidate.head) }))
      .sort(
        (a, b) =>
          Number(b.isNamed) - Number(a.isNamed) ||
          b.score - a.score ||
          compareText(a.candidate.head.name, b.candidate.head.name) ||
          compareText(a.candidate.head.id, b.candidate.head.id),
      );
    const most = Math.max(0, ...ranked.slice(0, limit).map(({ score }) => score));
    return ranked.slice(0, limit).map(({ candidate, score, isNamed }) => ({
      id: candidate.head.id,
      score: isNamed ? shown(most, total) + EXACT_NAME : shown(score, total),
      matches: this.#matchesOf(candidate, weights),
    }));
  }

  #isNamed({ name, nameEnd }: Head): boolean {
    return nameEnd <= this.#key.length && nameKey(name) === this.#key;
  }

  /** The parts of a compound that stands somewhere say little more than it does. */
  #weights(): readonly number[] {
    const known = new Set(this.#asked.flatMap(({ term }, index) => (this.#having[index] === 0 ? [] : [term])));
    return this.#asked.map(({ weight, within }, index) => {
      const share = within !== undefined && known.has(within) ? PART_WEIGHT : 1;
      return weight * share * rarityAmong(this.#having[index] as number, this.#heads, this.#asked.length);
    });
  }

  #matchesOf({ fields }: Candidate, weights: readonly number[]): readonly FieldMatch[] {
    const byWeight = [...this.#asked.keys()].sort((a, b) => (weights[b] as number) - (weights[a] as number));
    const found = new Set(byWeight.filter((index) => fields[index] !== 0).map((index) => this.#asked[index]?.term));
    const wordsIn = (isIn: (bits: number) => boolean): readonly string[] =>
      byWeight.flatMap((index) => {
        const { word, within } = this.#asked[index] as Asked;
        return isIn(fields[index] as number) && !found.has(within ?? '') ? [word] : [];
      });
    return [
      { field: 'name' as const, words: wordsIn((bits) => (bits & IN_NAME) > 0) },
      {
        field: 'description' as const,
        words: wordsIn((bits) => (bits & IN_NAME) === 0 && (bits & IN_DESCRIPTION) > 0),
      },
      { field: 'heading' as const, words: wordsIn((bits) => bits === IN_HEADING) },
    ].filter(({ words }) => words.length > 0);
  }
}

function askedWords(query: string): readonly Asked[] {
  const telling = new Map<string, Asked>();
  const small = new Map<string, Asked>();
  forEachAsked(query, (piece, kind) => {
    const { parts, whole, isStop } = readPiece(piece);
    const asked = isStop && kind !== 'go' ? small : telling;
    const weight = kind === 'go' ? 1 : weightOf(piece) * (kind === 'code' ? CODE_WEIGHT : 1);
    const add = (term: string, letters: string, word: string, within: string | undefined): void => {
      if (asked.size >= MOST_TERMS || asked.has(term)) return;
      const opening = openingOf(term.trim(), letters);
      asked.set(term, { term, opening, word, weight, within, forms: new Map() });
    };
    if (kind === 'go') {
      for (const term of GO_TERMS.terms) add(term, term.trim(), piece, undefined);
      return;
    }
    if (whole !== undefined) add(whole, whole, piece, undefined);
    for (const { term, letters, written } of parts) add(term, letters, written, whole);
  });
  return [...(telling.size > 0 ? telling : small).values()];
}

/** "copies" and "copy" have the stem "copi", but only "cop" stands in both. */
function openingOf(term: string, letters: string): string {
  let length = 0;
  while (length < term.length && term[length] === letters[length]) length += 1;
  if (length === 0) return term;
  return term.slice(0, length > 3 && length === term.length ? length - 1 : length);
}

function fieldsWith(asked: Asked, { text, nameEnd, descriptionEnd }: Head): number {
  let fields = 0;
  let at = text.indexOf(asked.opening);
  while (at !== -1) {
    const isHere = isSaidAt(text, at, asked);
    const [field, end] =
      at < nameEnd
        ? ([IN_NAME, nameEnd] as const)
        : at < descriptionEnd
          ? ([IN_DESCRIPTION, descriptionEnd] as const)
          : ([IN_HEADING, text.length] as const);
    if (isHere) fields |= field;
    // Once is enough in each.
    at = text.indexOf(asked.opening, isHere ? end : at + 1);
  }
  return fields;
}

function isSaidAt(text: string, at: number, { opening, term, forms }: Asked): boolean {
  // Scripts without spaces: a pair of characters may stand anywhere.
  if (opening.charCodeAt(0) > 127) return text.startsWith(term, at);
  if (at > 0 && isWordCharacter(text.charCodeAt(at - 1))) return false;
  let end = at + opening.length;
  while (end < text.length && end - at < LONGEST_WORD && isWordCharacter(text.charCodeAt(end))) end += 1;
  const word = text.slice(at, end);
  const known = forms.get(word);
  if (known !== undefined) return known;
  const reading = readPiece(word);
  const isSaid = reading.whole === term || reading.parts.some((part) => part.term === term);
  forms.set(word, isSaid);
  return isSaid;
}

const LONGEST_WORD = 64;

const isWordCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;

function scoreOf({ head, fields }: Candidate, weights: readonly number[]): number {
  const levels = { name: nameLevel(nameWords(head)), description: descriptionLevel(describedWords(head)) };
  let score = 0;
  let named = 0;
  let namedWeight = 0;
  for (const [index, weight] of weights.entries()) {
    const bits = fields[index] as number;
    if (bits === 0) continue;
    score += weight * headWorth(impactOf(bits, levels));
    if ((bits & IN_NAME) === 0) continue;
    named += 1;
    namedWeight += weight;
  }
  const words = nameWords(head);
  return score + nameBonus(namedWeight, Math.min(named, words), words);
}

const nameWords = ({ text, nameEnd }: Head): number => text.slice(0, nameEnd).match(/[^\s_-]+/g)?.length ?? 1;

const describedWords = ({ nameEnd, descriptionEnd }: Head): number => (descriptionEnd - nameEnd) / CHARACTERS_PER_WORD;

const impactOf = (bits: number, { name, description }: Pick<Impact, 'name' | 'description'>): Impact => ({
  name: (bits & IN_NAME) > 0 ? name : 0,
  description: (bits & IN_DESCRIPTION) > 0 ? description : 0,
  heading: (bits & IN_HEADING) > 0 ? 1 : 0,
  body: 0,
});
