// The parts of a goal, as its own words divide it: "write the notes, then tell the customers". Pure.
import { lineOf } from './model-text.ts';

const MOST_PARTS = 6;

/** At least one; a goal that says one thing is its own only part. */
export function goalParts(goal: string): readonly string[] {
  const sentences = goal.split(SENTENCE_END).map(lineOf).filter(isTelling);
  const parts = sentences.flatMap(clausesOf).slice(0, MOST_PARTS);
  return parts.length === 0 ? [lineOf(goal)] : parts;
}

/** Also a list, point by point. */
const SENTENCE_END = /[\n;]+|[.!?](?=\s|$)/;

const CLAUSE_END = /,?\s+(?:and\s+)?then\s+|,\s+(?:and\s+)?|\s+and\s+/i;

/** Two words that belong together are no two parts: "salt and pepper". */
function clausesOf(sentence: string): readonly string[] {
  const clauses = sentence.split(CLAUSE_END).map((clause) => clause.trim());
  return clauses.every((clause) => clause.includes(' ')) ? clauses : [sentence];
}

const isTelling = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
