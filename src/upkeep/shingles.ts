// The runs of words that a text is made of, as numbers: texts that share many of them share their wording. Pure.

/** Words in a run: long enough that two authors seldom write the same one. */
const RUN = 4;

/**
 * The hashes of the runs of the text, each once. Letter case, punctuation and spaces do not count. `every`: of so many runs one
 * is kept, by its hash, so that two texts keep the same of what they share.
 */
export function shinglesOf(text: string, every = 1): ReadonlySet<number> {
  const runs = new Set<number>();
  const words: number[] = [];
  forEachWord(text, (hash) => {
    words.push(hash);
    if (words.length < RUN) return;
    const run = hashRun(words, words.length - RUN);
    if (run % every === 0) runs.add(run);
  });
  return runs;
}

function hashRun(words: readonly number[], from: number): number {
  let hash = FNV_BASIS;
  for (let at = from; at < from + RUN; at += 1) hash = mix(hash ^ (words[at] as number));
  return hash;
}

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** So that words of few letters spread over all 32 bits. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

function forEachWord(text: string, visit: (hash: number) => void): void {
  let hash = 0;
  let isWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = letterAt(text.charCodeAt(at));
    if (letter !== 0) {
      hash = Math.imul((isWord ? hash : FNV_BASIS) ^ letter, FNV_PRIME);
      isWord = true;
    } else if (isWord) {
      visit(hash);
      isWord = false;
    }
  }
  if (isWord) visit(hash);
}

/** In lower case; 0 for what stands between words. Everything beyond ASCII counts as a letter. */
function letterAt(code: number): number {
  if (code >= 97 && code <= 122) return code;
  if (code >= 65 && code <= 90) return code + 32;
  return (code >= 48 && code <= 57) || code > 127 ? code : 0;
}
