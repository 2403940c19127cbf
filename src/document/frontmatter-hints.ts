// What was probably meant by frontmatter that cannot be used: asked only about broken files, so that good ones pay nothing.

import { editDistance } from '../text/edit-distance.ts';
import { toOneLine } from '../text/one-line.ts';

export interface Hint {
  /** What is the case. */
  readonly error: string;
  /** One imperative sentence. */
  readonly fix: string;
  /** Inside the block, 0-based. */
  readonly line: number;
}

/** Why YAML refused the block, where that is plainer than what YAML says. `refusedAt`: the line where it gave up. */
export const explainBlock = (block: string, refusedAt: number): Hint | undefined => {
  const lines = block.split(/\r?\n/);
  const indented = findIndented(lines);
  // The value that an indented line seems to go on began one line before: there YAML gives up.
  if (indented !== undefined && indented.line <= refusedAt + 1) return indented;
  const bracket = findOpenBracket(lines);
  return bracket !== undefined && bracket.line <= refusedAt ? bracket : undefined;
};

const KEY = /^([A-Za-z_][\w.-]*):(?:[ \t]+(.*))?$/;
const INDENTED_KEY = /^ +([A-Za-z_][\w.-]*):(?:[ \t]|$)/;

/** A `key:` that is indented although nothing above it opens a map. */
const findIndented = (lines: readonly string[]): Hint | undefined => {
  let opensMap = false;
  for (const [line, text] of lines.entries()) {
    const key = INDENTED_KEY.exec(text)?.[1];
    if (key !== undefined && !opensMap) return indentedKey(key, line);
    const value = KEY.exec(text)?.[2]?.trim();
    // Below a bare key, a block of text and a bracket anything may be indented.
    if (/^[^ ]/.test(text)) opensMap = value === undefined || /^(?:$|[|>[{#&!"'])/.test(value);
  }
  return undefined;
};

const indentedKey = (key: string, line: number): Hint => ({
  error: `the line of "${toOneLine(key, 60)}" is indented, and the lines around it are not`,
  fix: `Remove the blanks before \`${toOneLine(key, 60)}:\``,
  line,
});

const CLOSING = { '[': ']', '{': '}' } as const;

const findOpenBracket = (lines: readonly string[]): Hint | undefined => {
  for (const [line, text] of lines.entries()) {
    const [, key, value = ''] = KEY.exec(text) ?? [];
    const bracket = value.charAt(0);
    if (key === undefined || (bracket !== '[' && bracket !== '{')) continue;
    const whole = [value, ...restOf(lines, line + 1)].join(' ').replace(/"[^"]*"|'[^']*'/g, '');
    if (count(whole, bracket) <= count(whole, CLOSING[bracket])) continue;
    return {
      error: `the bracket "${bracket}" in the value of "${toOneLine(key, 60)}" is not closed`,
      fix: `Close it with "${CLOSING[bracket]}", or put the value in quotes`,
      line,
    };
  }
  return undefined;
};

/** The lines that a value goes on over. */
const restOf = (lines: readonly string[], from: number): readonly string[] => {
  const end = lines.findIndex((text, index) => index >= from && !/^(?:[ \t]|[\]}]|$)/.test(text));
  return lines.slice(from, end < 0 ? lines.length : end);
};

const count = (text: string, character: string): number => text.split(character).length - 1;

/** Of four letters, two others make another word: `date` is no slip for `name`. */
const slipsIn = (key: string): number => (key.length > 6 ? 2 : 1);

/** The field that was probably meant to be `key`. */
export const findMisspelt = (key: string, fields: Readonly<Record<string, unknown>>): string | undefined =>
  Object.keys(fields).find((name) => editDistance(name.toLowerCase(), key, slipsIn(key)) <= slipsIn(key));

/** More is no frontmatter that lost its first line. */
const MOST_LINES = 50;

/** The 1-based number of the line that closes a frontmatter of which only the opening line is missing. */
export const findLoneFence = (text: string): number | undefined => {
  const lines = text.slice(0, 20_000).split(/\r?\n/, MOST_LINES);
  // The first line that looks like one: the catalog reads no further (skill-file.ts).
  const fence = lines.findIndex((line) => line.startsWith('---'));
  if (!/^---[ \t]{0,20}$/.test(lines[fence] ?? '')) return undefined;
  const above = lines.slice(0, fence);
  const looksRight = above.every((line) => KEY.test(line) || /^(?:[ \t#-]|$)/.test(line));
  return looksRight && above.some((line) => /^(?:name|description):/.test(line)) ? fence + 1 : undefined;
};
