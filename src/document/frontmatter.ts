// The YAML block at the top of a SKILL.md: where it is, and who reads it.

import { toOneLine } from '../text/one-line.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { findLoneFence } from './frontmatter-hints.ts';
import type { Issue } from './issue.ts';

/** Fields, or one sentence about what is wrong and the line inside the block (0-based). */
export type FrontmatterResult =
  | { readonly fields: Readonly<Record<string, unknown>> }
  | { readonly error: string; readonly line?: number };

/** Reads a frontmatter block. `undefined`: this reader cannot, ask the full one. */
export type FrontmatterReader = (block: string) => FrontmatterResult | undefined;

export interface Frontmatter {
  /** The lines between the `---` lines, with their line ends. Line 0 of it is line 2 of the file. */
  readonly block: string;
  /** Index in the text where the Markdown body starts. */
  readonly bodyOffset: number;
}

/** More than this never reaches a YAML reader. */
export const MAX_FRONTMATTER_BYTES = 65_536;

/** Finds the block between the first line and the next that are `---`. Linear; nothing in it is evaluated. */
export const findFrontmatter = (text: string): Result<Frontmatter, Issue> => {
  if (!/\S/.test(text)) return fail(EMPTY);
  const start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  const firstLineEnd = endOfLine(text, start);
  if (!isFence(text, start, firstLineEnd)) return fail(missing(text.slice(start)));
  const closing = findClosingFence(text, firstLineEnd);
  if (closing === undefined) return fail(UNCLOSED);
  const block = text.slice(firstLineEnd + 1, closing);
  if (isTooLarge(block)) return fail(TOO_LARGE);
  return ok({ block: detach(block), bodyOffset: Math.min(endOfLine(text, closing) + 1, text.length) });
};

/** The full reader. Imported on demand: the YAML library costs 13 ms at start-up, and most skills do not need it. */
export const openYamlReader = async (): Promise<FrontmatterReader> =>
  (await import('./yaml-frontmatter.ts')).readYamlFrontmatter;

const BYTE_ORDER_MARK = 0xfeff;
const FENCE = '---';

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

/** Is the line exactly `---`, blanks at its end aside? */
const isFence = (text: string, start: number, end: number): boolean => {
  if (!text.startsWith(FENCE, start)) return false;
  for (let index = start + FENCE.length; index < end; index += 1) {
    if (!' \t\r'.includes(text.charAt(index))) return false;
  }
  return true;
};

const findClosingFence = (text: string, firstLineEnd: number): number | undefined => {
  let newline = text.indexOf(`\n${FENCE}`, firstLineEnd);
  while (newline >= 0) {
    if (isFence(text, newline + 1, endOfLine(text, newline + 1))) return newline + 1;
    newline = text.indexOf(`\n${FENCE}`, newline + 1);
  }
  return undefined;
};

// No UTF-16 unit takes more than three bytes, so ordinary blocks need no counting.
const isTooLarge = (block: string): boolean =>
  block.length * 3 > MAX_FRONTMATTER_BYTES && Buffer.byteLength(block) > MAX_FRONTMATTER_BYTES;

// V8 keeps the whole text alive as long as a slice of it lives, and fields are slices. Joining makes a copy of the
// block alone, so that 10,000 descriptions do not hold 10,000 files in memory.
const detach = (block: string): string => ` ${block}`.slice(1);

/** Stands for the name in examples of how to fix a skill; the catalog puts the folder's name there. */
export const EXAMPLE_NAME = 'my-skill';

const EXAMPLE = `start the file with the lines \`---\`, \`name: ${EXAMPLE_NAME}\`, \`description: What it does and when to use it\`, \`---\``;

const EMPTY: Issue = {
  rule: 'empty',
  severity: 'error',
  message: 'Cannot read the skill: the file is empty',
  fix: `Write the skill: ${EXAMPLE}`,
};

const UNCLOSED: Issue = {
  rule: 'frontmatter-unclosed',
  severity: 'error',
  message: 'Cannot read the frontmatter: it starts with `---` on line 1, but no later line is `---`',
  fix: 'Add a line `---` below the last field',
  line: 1,
};

const TOO_LARGE: Issue = {
  rule: 'frontmatter-too-large',
  severity: 'error',
  message: `Cannot read the frontmatter: it is larger than ${MAX_FRONTMATTER_BYTES} bytes`,
  fix: 'Move long text below the closing `---` line',
  line: 1,
};

const missing = (text: string): Issue => {
  const firstLine = text.slice(0, Math.min(endOfLine(text, 0), 80));
  const isOther = firstLine.startsWith(FENCE);
  const fence = isOther ? undefined : findLoneFence(text);
  return {
    rule: 'frontmatter-missing',
    severity: 'error',
    message: isOther
      ? `Cannot read the frontmatter: line 1 is "${toOneLine(firstLine, 40)}", and only YAML between plain \`---\` lines is read`
      : `Cannot read the frontmatter: the first line is not \`---\`${fence === undefined ? '' : `, only line ${fence} is`}`,
    fix: fence === undefined ? `Add it: ${EXAMPLE}` : 'Put a line `---` above line 1',
    line: 1,
  };
};
