// What may stand between two words of JSON with comments: blanks and comments, however many. Pure.
// Not one expression: for a file of a million comments that would need a stack of a million steps.

export interface Blanks {
  /** Where the next word begins. */
  readonly end: number;
  /** Where the last comment begins. */
  readonly lastComment: number | undefined;
}

const word = /[^ \t\r\n]/g;
const lineBreak = /[\r\n]/g;

export function skipBlanks(text: string, start: number): Blanks {
  let lastComment: number | undefined;
  let end = findFrom(word, text, start);
  for (let after = commentEnd(text, end); after !== undefined; after = commentEnd(text, end)) {
    lastComment = end;
    end = findFrom(word, text, after);
  }
  return { end, lastComment };
}

/** `undefined`: no comment begins here, or one that has no end. */
function commentEnd(text: string, at: number): number | undefined {
  if (text.startsWith('//', at)) return findFrom(lineBreak, text, at);
  const close = text.startsWith('/*', at) ? text.indexOf('*/', at + 2) : -1;
  return close === -1 ? undefined : close + 2;
}

function findFrom(shape: RegExp, text: string, at: number): number {
  shape.lastIndex = at;
  return shape.exec(text)?.index ?? text.length;
}
