// A JSON text in pieces that are coloured by what they are. Of a text that is none, or cut, every character is kept. Pure.

export interface JsonToken {
  readonly kind: 'name' | 'text' | 'number' | 'word' | 'mark';
  readonly text: string;
}

/** Brackets, commas, colons and the space around them are one `mark`: a page has few elements for much JSON. */
export function jsonTokens(json: string): readonly JsonToken[] {
  const tokens: JsonToken[] = [];
  let markFrom = 0;
  let at = 0;
  while (at < json.length) {
    const token = tokenAt(json, at);
    if (token === undefined) {
      at += 1;
      continue;
    }
    if (markFrom < at) tokens.push({ kind: 'mark', text: json.slice(markFrom, at) });
    tokens.push(token);
    at += token.text.length;
    markFrom = at;
  }
  if (markFrom < at) tokens.push({ kind: 'mark', text: json.slice(markFrom) });
  return tokens;
}

const NUMBER = /-?\d[\d.eE+-]*/y;
const WORD = /(?:true|false|null)\b/y;
const COLON = /\s*:/y;

function tokenAt(json: string, at: number): JsonToken | undefined {
  if (json[at] === '"') {
    const end = textEnd(json, at);
    return { kind: matchAt(COLON, json, end) === undefined ? 'text' : 'name', text: json.slice(at, end) };
  }
  const number = matchAt(NUMBER, json, at);
  if (number !== undefined) return { kind: 'number', text: number };
  const word = matchAt(WORD, json, at);
  return word === undefined ? undefined : { kind: 'word', text: word };
}

/** Behind the closing quotation mark; the end of all where there is none. */
function textEnd(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    if (json[at] === '\\') at += 1;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

function matchAt(pattern: RegExp, json: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(json)?.[0];
}

/** So much of a text, to the end of a line where lines are short. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const lineEnd = text.lastIndexOf('\n', most);
  const end = lineEnd > most / 2 ? lineEnd : most;
  // Half of a character is none.
  return text.slice(0, isFirstHalf(text.charCodeAt(end - 1)) ? end - 1 : end);
}

const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
