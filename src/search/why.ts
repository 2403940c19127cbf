// Why a skill was found: which words of the query, as the caller wrote them, stand in which of its fields.
import type { IndexedSkill } from './corpus.ts';
import type { QueryTerm } from './query.ts';
import { RecordReader, unpackImpact } from './skill-record.ts';

type SearchField = 'name' | 'description' | 'heading' | 'body';

export interface FieldMatch {
  readonly field: SearchField;
  /** Each word once, in the first field of this order that has it; the most telling first. */
  readonly words: readonly string[];
}

const FIELDS: readonly SearchField[] = ['name', 'description', 'heading', 'body'];

export function matchesOf({ record }: IndexedSkill, terms: readonly QueryTerm[]): readonly FieldMatch[] {
  const impacts = impactsIn(record, new Set(terms.map(({ term }) => term)));
  const fields = new Map<string, SearchField>();
  const compounds = new Map<string, string>();
  for (const { term, word, within } of terms.toSorted((a, b) => b.weight - a.weight)) {
    const field = firstField(impacts.get(term) ?? 0);
    if (within !== undefined) compounds.set(word, within);
    if (field !== undefined && rank(field) < rank(fields.get(word))) fields.set(word, field);
  }
  // "csvToJson" says "csv" and "Json" as well, unless they stand in a weightier field.
  const isSaid = (word: string): boolean => rank(fields.get(compounds.get(word) ?? '')) <= rank(fields.get(word));
  const words = [...fields.keys()].filter((word) => !isSaid(word));
  return FIELDS.map((field) => ({ field, words: words.filter((word) => fields.get(word) === field) })).filter(
    (match) => match.words.length > 0,
  );
}

const rank = (field: SearchField | undefined): number => (field === undefined ? FIELDS.length : FIELDS.indexOf(field));

/** More would not be read. */
const MOST_WORDS_SHOWN = 6;

/** One line: "name: pdf; description: forms, fill". Empty when nothing matched but the exact name. */
export function explainMatches(matches: readonly FieldMatch[]): string {
  return matches.map(({ field, words }) => `${field}: ${renderWords(words)}`).join('; ');
}

const renderWords = (words: readonly string[]): string =>
  words.slice(0, MOST_WORDS_SHOWN).join(', ') + (words.length > MOST_WORDS_SHOWN ? ', …' : '');

function impactsIn(record: Uint8Array, wanted: ReadonlySet<number>): ReadonlyMap<number, number> {
  const impacts = new Map<number, number>();
  const reader = new RecordReader();
  reader.open(record);
  while (reader.nextTerm()) {
    if (wanted.has(reader.term)) impacts.set(reader.term, reader.impact);
  }
  return impacts;
}

function firstField(bits: number): SearchField | undefined {
  const impact = unpackImpact(bits);
  return FIELDS.find((field) => impact[field] > 0);
}
