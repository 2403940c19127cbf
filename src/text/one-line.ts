// Text from a skill made safe for one line of a list, a terminal, a log or a tool description.

/**
 * Characters that draw nothing, as the inside of a character class for a `u` regular expression: zero-width, bidi
 * controls, soft hyphen, variation selectors, the tags block, fillers (all Default_Ignorable), interlinear annotation
 * marks, and the braille blank.
 */
export const INVISIBLE = '\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB\\u2800';

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
