// The place of a finding on one printable line: secrets shortened, control and invisible characters written out.
import { shortenSecrets } from './secret-shapes.ts';

const maxCodePoints = 120;
const before = 40;
const after = 600;

export function excerptAt(text: string, index: number): string {
  const lineStart = text.lastIndexOf('\n', index - 1) + 1;
  const found = text.indexOf('\n', index);
  const lineEnd = found === -1 ? text.length : found;
  const start = wordStart(text, Math.max(lineStart, index - before), lineStart, index);
  return printable(text.slice(start, Math.min(lineEnd, index + after)), maxCodePoints);
}

/** One line, at most `limit` code points, safe for a terminal, a log and a tool result. */
export function printable(text: string, limit: number): string {
  const shortened = shortenSecrets(text).trim();
  let result = '';
  let length = 0;
  for (const character of shortened) {
    const shown = shownAs(character);
    if (length + shown.length >= limit) return `${result}…`;
    result += shown;
    length += [...shown].length;
  }
  return result;
}

const unsafe = /[\p{C}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]/u;

function shownAs(character: string): string {
  if (/\s/.test(character) && character !== '\u2028' && character !== '\u2029' && character !== '\uFEFF') return ' ';
  if (!unsafe.test(character)) return character;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`;
}

// Never starts inside a word: the tail of a secret would no longer look like one.
function wordStart(text: string, wanted: number, lineStart: number, index: number): number {
  if (wanted === lineStart) return wanted;
  for (let at = wanted; at < index; at += 1) if (/\s/.test(text[at] ?? '')) return at + 1;
  return index;
}
