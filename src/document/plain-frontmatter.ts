// The quick reader for frontmatter as most people write it. Answers only where it certainly agrees with the YAML library.
import type { FrontmatterReader } from './frontmatter.ts';

/**
 * Reads `key: text` lines and one level of maps indented by two spaces. Everything else — lists, block scalars, comments,
 * numbers, escapes, anchors, duplicates — is `undefined`: ask the full reader.
 */
export const readPlainFrontmatter: FrontmatterReader = (block) => {
  // A carriage return ends a line only before a line feed: at the very end it may belong to the value.
  if (block.endsWith('\r')) return undefined;
  const fields: Fields = Object.create(null);
  // The map that indented lines belong to: opened by a bare `key:`, closed by the next line that is not indented.
  let nested: Fields | undefined;
  for (const line of block.split('\n')) {
    if (line === '' || line === '\r') continue;
    const [, indent, key, written] = LINE.exec(line) ?? [];
    const map = indent === undefined ? fields : nested;
    if (key === undefined || map === undefined || key in map) return undefined;
    if (written !== undefined) {
      const text = readText(written);
      if (text === undefined) return undefined;
      map[key] = text;
      if (map === fields) nested = undefined;
    } else {
      if (map === nested) return undefined;
      nested = Object.create(null) as Fields;
      fields[key] = nested;
    }
  }
  return isCertain(fields) ? { fields } : undefined;
};

type Fields = Record<string, unknown>;

// Keys are short, start with a letter (no `__proto__`) and touch their colon. Values are printable, without tabs, line
// separators, byte order marks or the like.
const LINE =
  /^( {2})?([A-Za-z][\w-]{0,63}):(?: +([!-~\xa1-\u2027\u202a-\ufefe\uff00-\ufffd][ -~\xa1-\u2027\u202a-\ufefe\uff00-\ufffd]*))?\r?$/;

/** The text that a value stands for, or `undefined` where YAML might see something else in it. */
const readText = (line: string): string | undefined => {
  // Blanks at the end mean nothing in YAML, in quotes or without.
  const written = line.endsWith(' ') ? line.replace(/ +$/, '') : line;
  const first = written.charAt(0);
  if (first === '"' || first === "'") return readQuoted(written, first);
  const isPlain =
    LETTER.test(first) &&
    !written.endsWith(':') &&
    !written.includes(': ') &&
    !written.includes(' #') &&
    !OTHER_SCALAR.test(written);
  return isPlain ? written : undefined;
};

const LETTER = /[A-Za-z\xa1-\uffff]/;
const OTHER_SCALAR = /^(?:null|Null|NULL|true|True|TRUE|false|False|FALSE)$/;

/** Only where the next quote is the last character and nothing is escaped. */
const readQuoted = (written: string, quote: string): string | undefined =>
  written.indexOf(quote, 1) === written.length - 1 && !written.includes('\\') ? written.slice(1, -1) : undefined;

/** No fields at all, and a bare `key:` with nothing below it, mean null in YAML: left to the full reader. */
const isCertain = (fields: Fields): boolean => {
  let count = 0;
  for (const key in fields) {
    const value = fields[key];
    if (typeof value === 'object' && Object.keys(value as Fields).length === 0) return false;
    count += 1;
  }
  return count > 0;
};
