// How strongly a term stands in each field of one skill, in eight bits.

/** Name 0–3, description 0–7, heading 0–1, body 0–3; 0 is "not there". */
export interface Impact {
  readonly name: number;
  readonly description: number;
  readonly heading: number;
  readonly body: number;
}

export const IMPACTS = 256;
export const NAME_LEVELS = 3;
export const DESCRIPTION_LEVELS = 7;

/** The body's levels. */
export const IN_CODE_ONLY = 1;
export const IN_PROSE = 2;
/** In a third of the passages, three or more: what the skill is about, however long it is. */
export const THROUGHOUT = 3;

export const packImpact = ({ name, description, heading, body }: Impact): number =>
  name | (description << 2) | (heading << 5) | (body << 6);

export const unpackImpact = (bits: number): Impact => ({
  name: bits & 3,
  description: (bits >> 2) & 7,
  heading: (bits >> 5) & 1,
  body: bits >> 6,
});

export const NAME_BITS = 0b0000_0011;
/** Name, description and heading: what the author wrote to be found by. */
export const HEAD_BITS = 0b0011_1111;

/** A short name that has the word says more about it than a long one. */
export const nameLevel = (words: number): number => (words <= 2 ? NAME_LEVELS : words <= 4 ? 2 : 1);

/** A description of this many telling words is of usual length; a shorter one earns nothing by it. */
const USUAL_DESCRIPTION = 24;
/** The share of the length in the weight: a list of a hundred keywords is worth about a third of a sentence. */
const LENGTH_SHARE = 0.6;

/** Repeating a word earns nothing; each word of a long list is worth less. */
export function descriptionLevel(words: number): number {
  const excess = Math.max(1, words / USUAL_DESCRIPTION);
  return Math.max(1, Math.round(DESCRIPTION_LEVELS / (1 - LENGTH_SHARE + LENGTH_SHARE * excess)));
}
