// Frontmatter that is not YAML, but where it is plain what was meant: quotes and spaces put in, each with a warning.

import { toOneLine } from '../text/one-line.ts';
import type { Issue } from './issue.ts';

export interface Repair {
  /** The block with the same number of lines. */
  readonly block: string;
  /** One warning for each line that was changed. */
  readonly issues: readonly Issue[];
}

/**
 * Only for a block that YAML refuses, and only a proposal: read the result, and drop it when YAML refuses that too.
 * `undefined`: nothing to repair, or so much that the meaning is no longer obvious.
 */
export const repairFrontmatter = (block: string): Repair | undefined => {
  const lines = block.split(/\r?\n/);
  const issues: Issue[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const issue = line.startsWith('\t') ? replaceTabs(lines, index) : quoteValue(lines, index);
    if (issue !== undefined) issues.push(issue);
    if (issues.length > MAX_REPAIRS) return undefined;
  }
  return issues.length > 0 ? { block: lines.join('\n'), issues } : undefined;
};

const MAX_REPAIRS = 20;
/** The first line of the block is the second of the file. */
const FIRST_LINE = 2;

const replaceTabs = (lines: string[], index: number): Issue => {
  const line = lines[index] ?? '';
  lines[index] = line.replace(/^\t+/, (tabs) => '  '.repeat(tabs.length));
  return {
    rule: 'tab-indentation',
    severity: 'warning',
    message: 'Cannot read the frontmatter as written: the line is indented with a tab',
    fix: 'Indent it with two spaces for each tab',
    line: index + FIRST_LINE,
  };
};

const quoteValue = (lines: string[], index: number): Issue | undefined => {
  const line = lines[index] ?? '';
  const start = /^([A-Za-z_][\w.-]*):[ \t]+(?=[^ \t])/.exec(line);
  const key = start?.[1];
  if (start === null || key === undefined) return undefined;
  const continuation = continuationOf(lines, index);
  // Below any other field an indented line may be a map that was begun wrongly; below a description it is its text.
  if (continuation.length > 0 && key !== 'description') return undefined;
  const value = [line.slice(start[0].length), ...continuation].map((part) => part.trim()).join(' ');
  const fault = findFault(value);
  if (fault === undefined) return undefined;
  const written = `${key}: ${quote(value)}`;
  // Empty lines keep the later lines where they were.
  lines[index] = written;
  lines.fill('', index + 1, index + 1 + continuation.length);
  return {
    rule: fault.rule,
    severity: 'warning',
    message: `Cannot read the frontmatter as written: the value of "${toOneLine(key, 60)}" ${fault.text}`,
    fix: `Write it in quotes: ${toOneLine(written, 1200)}`,
    line: index + FIRST_LINE,
  };
};

const continuationOf = (lines: readonly string[], index: number): string[] => {
  let end = index + 1;
  while (/^[ \t]+[^ \t]/.test(lines[end] ?? '')) end += 1;
  return lines.slice(index + 1, end);
};

interface Fault {
  readonly rule: 'unquoted-colon' | 'unquoted-value';
  readonly text: string;
}

const findFault = (value: string): Fault | undefined => {
  if (NEEDS_QUOTES.some((pattern) => pattern.test(value))) {
    return { rule: 'unquoted-value', text: `starts with "${value.charAt(0)}", which means something else in YAML` };
  }
  // Quotes, brackets, block scalars, tags, anchors and comments that are begun rightly are left alone.
  if (/^["'[{|>!&*#?,]|^- /.test(value)) return undefined;
  const colon = value.search(/:(?:[ \t]|$)/);
  const comment = value.search(/[ \t]#/);
  if (colon < 0 || (comment >= 0 && comment < colon)) return undefined;
  return { rule: 'unquoted-colon', text: 'has an unquoted ": "' };
};

/** Values that no YAML reader takes, whatever follows: text was meant. A comment (`#`) behind them is no text. */
const NEEDS_QUOTES: readonly RegExp[] = [
  /^[@`%]/,
  /^\[[^[\]"'#]*\][ \t]*[^\s#]/, // [draft] Reviews a text
  /^\{[^{}"'#]*\}[ \t]*[^\s#]/, // {name} is greeted
  /^\*[^\s#]+[ \t]+[^\s#]/, // *Always* use it
  /^"[^"\\]*"[ \t]*[^\s#"]/, // "Foo" is made
  /^'[^']*'[ \t]*[^\s#']/,
];

/** Double quotes where nothing needs an escape, else single quotes, in which only the quote itself does. */
const quote = (value: string): string => (/["\\]/.test(value) ? `'${value.replaceAll("'", "''")}'` : `"${value}"`);
