// What two texts are about, to see whether it is the same: their telling words, in the form in which search compares them.
import { forEachPiece, readPiece } from '../../search/words.ts';

/** Of long texts the beginning counts. */
const MOST_CHARACTERS = 100_000;

export function tellingWords(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  forEachPiece(text, 0, Math.min(text.length, MOST_CHARACTERS), (piece) => {
    const { parts, isStop } = readPiece(piece);
    if (!isStop) for (const { term } of parts) terms.add(term);
  });
  return terms;
}

/** Half of the shorter one is in the other. */
export const areAlike = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  likeness(one, other) >= ALIKE;

const ALIKE = 0.5;

/** How much of the shorter one is in the other, 0–1. */
export function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size <= other.size ? [one, other] : [other, one];
  if (few.size === 0) return 0;
  let shared = 0;
  for (const term of few) if (many.has(term)) shared += 1;
  return shared / few.size;
}
