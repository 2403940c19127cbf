// Text from a skill made safe for one line of a list, a terminal, a log or a tool description; and what a terminal takes for orders.

/**
 * Characters that draw nothing, as the inside of a character class for a `u` regular expression: zero-width, bidi
 * controls, soft hyphen, variation selectors, the tags block, fillers (all Default_Ignorable), interlinear annotation
 * marks, and the braille blank.
 */
export const INVISIBLE = '\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB\\u2800';

/** DEL and C1, line separators, and marks that reorder or hide text: the inside of a character class, as above. */
export const STEERING = '\\x7f-\\x9f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\u{e0000}-\\u{e007f}';

/** A character by its code: `\x9b`, `\u{202e}`. */
export function showCode(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
}

/** JSON with what steers a terminal written as \u…: the same value for every reader. JSON.stringify escapes none of it. */
export const escapeSteering = (json: string): string => json.replace(STEERS, escapeUnits);

const STEERS = new RegExp(`[${STEERING}]`, 'gu');

const escapeUnits = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');

/** One line without control or invisible characters; at most `max` code points, a cut one ends in `…`. */
export const toOneLine = (text: string, max = Number.POSITIVE_INFINITY): string => {
  const line = NOT_PLAIN.test(text) ? clean(text) : text;
  // A string never has more code points than UTF-16 units, so most need no counting.
  return line.length <= max ? line : cut(line, max);
};

const NOT_PLAIN = /[^\x20-\x7e]| {2}|^ | $/;

// Linear: no part of a sequence can hold the start of another one. CSI and the string sequences (OSC, DCS, …) go whole; of an unfinished one only its control characters go, below.
const ANSI_ESCAPE =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;
// Tab, line feed, vertical tab, form feed, carriage return and NEL stay here: they separate words.
const HIDDEN = new RegExp(`[${INVISIBLE}\\0-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f]`, 'gu');
const BLANKS = /[\s\x85]+/g;

// Lone surrogates go first: dropping what stands between two of them would join them into a character.
const clean = (text: string): string =>
  text.replace(LONE_SURROGATE, '\ufffd').replace(ANSI_ESCAPE, '').replace(HIDDEN, '').replace(BLANKS, ' ').trim();

const cut = (line: string, max: number): string => {
  let count = 0;
  let end = 0;
  for (let index = 0; index < line.length; count += 1) {
    if (count === max) return max > 0 ? `${line.slice(0, end)}…` : '';
    if (count < max - 1) end = index + unitsAt(line, index);
    index += unitsAt(line, index);
  }
  return line;
};

const unitsAt = (line: string, index: number): number => ((line.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
