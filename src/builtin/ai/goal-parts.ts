// The parts of a goal, as its own words divide and order it: "write the notes, then tell the customers". Pure.
import { lineOf } from './model-text.ts';

export interface GoalPart {
  readonly text: string;
  /** Positions of the parts that the goal puts before it. */
  readonly after: readonly number[];
}

const MOST_PARTS = 6;

/** At least one; a goal that says one thing is its own only part. */
export function goalParts(goal: string): readonly GoalPart[] {
  const parts: GoalPart[] = [];
  /** What a "then" comes after: everything since the last one. */
  let sinceThen: number[] = [];
  let after: readonly number[] = [];
  for (const { text, order } of phrasesOf(goal).slice(0, MOST_PARTS)) {
    if (order === 'later') {
      after = sinceThen;
      sinceThen = [];
    } else if (order === 'any') after = [];
    sinceThen.push(parts.length);
    parts.push({ text, after });
  }
  return parts.length === 0 ? [{ text: lineOf(goal), after: [] }] : parts;
}

interface Phrase {
  readonly text: string;
  /** `beside`: with the phrase before it in its sentence, whatever that comes after. */
  readonly order: 'later' | 'beside' | 'any';
}

const phrasesOf = (goal: string): readonly Phrase[] =>
  sentencesOf(goal).flatMap(({ text, isLater }) =>
    splitOr(text, THEN).flatMap((piece, index) =>
      splitOr(piece, CLAUSE_END).map((clause, place): Phrase => {
        if (place > 0) return { text: clause, order: 'beside' };
        return { text: clause, order: isLater || index > 0 ? 'later' : 'any' };
      }),
    ),
  );

/** "finally" and the like only after a comma or an "and": elsewhere they are words like others. */
const THEN =
  /(?:,\s*|\s+)(?:and\s+)?then,?\s+|(?:,\s*(?:and\s+)?|\s+and\s+)(?:after that|after this|afterwards|finally|lastly),?\s+/i;

const CLAUSE_END = /,\s+(?:and\s+)?|\s+and\s+/i;

/** Two words that belong together are no two parts: "salt and pepper". */
function splitOr(text: string, mark: RegExp): readonly string[] {
  const pieces = text.split(mark).map((piece) => piece.trim());
  return pieces.every((piece) => piece.includes(' ')) ? pieces : [text];
}

interface Sentence {
  readonly text: string;
  readonly isLater: boolean;
}

/** Also a list, point by point: what is numbered is in order. */
function sentencesOf(goal: string): readonly Sentence[] {
  let wasNumbered = false;
  return goal.split(/[\n;]+/).flatMap((line) => {
    const text = line.replace(NUMBER, '');
    const sentences = text.split(SENTENCE_END).map(lineOf).filter(isTelling);
    if (sentences.length === 0) return [];
    const isNext = wasNumbered && text !== line;
    wasNumbered = text !== line;
    return sentences.map((sentence, index) => {
      const rest = sentence.replace(LEADING_THEN, '');
      return { text: rest, isLater: rest !== sentence || (isNext && index === 0) };
    });
  });
}

const NUMBER = /^\s*\(?\d{1,3}[.)]\s+/;

const SENTENCE_END = /[.!?](?=\s|$)/;

const LEADING_THEN = /^(?:and\s+)?(?:then|after that|after this|afterwards|finally|lastly),?\s+/i;

const isTelling = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
