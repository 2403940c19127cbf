// What a caller wrote, word by word: the request itself, the code that was put into it, and Go where the language is meant.
import { forEachSpan } from './words.ts';

/** `go`: the language. In small letters, or before "to" and the like, it is the verb. */
export type AskedKind = 'word' | 'code' | 'go';

/** Small words are no terms of a query; this one may be. */
export const GO_TERMS = { word: 'go', terms: [' go', 'golang'] } as const;

export function forEachAsked(query: string, visit: (word: string, kind: AskedKind) => void): void {
  const languages = new Set([...query.matchAll(GO)].map(({ index }) => index));
  const read = (from: number, to: number, isCode: boolean): void =>
    forEachSpan(query, from, to, (start, end) =>
      visit(query.slice(start, end), isCode ? 'code' : languages.has(start) ? 'go' : 'word'),
    );
  let at = 0;
  for (const { index, 0: block } of query.matchAll(FENCED)) {
    read(at, index, false);
    read(index, index + block.length, true);
    at = index + block.length;
  }
  read(at, query.length, false);
}

const GO = /\bGo\b(?!['’.-]\w|\s+(?:to|through|over|ahead|back|into|in|and|for|with|on|from|live|find|get)\b)/g;
/** A block that is not closed ends with the request. */
const FENCED = /^[ \t]{0,12}(```|~~~)[^\n]*\n[\s\S]*?(?:^[ \t]{0,12}\1|(?![\s\S]))/gm;
