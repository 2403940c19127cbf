// The steps that a document skill describes: its numbered headings, else its longest numbered or ticked list. Pure: reads
// Markdown as people write it, and never more of it than a skill may have.
import { lineOf } from './model-text.ts';

export interface DocumentStep {
  readonly title: string;
  /** What the document says beyond the title; empty: nothing. */
  readonly more: string;
}

/** Fewer are no way to go. */
const LEAST = 2;
/** More are no way that anybody goes. */
const MOST = 100;

/** In their order; none: the document has no list of steps. */
export function documentSteps(body: string): readonly DocumentStep[] {
  const lines = readableLines(body);
  const headings = lines.flatMap((line) => textAfter(NUMBERED_HEADING, line));
  if (headings.length >= LEAST) return headings.slice(0, MOST).map(withoutClosing).map(stepOf);
  const lists = [...listsIn(lines, NUMBERED_ITEM), ...listsIn(lines, TICKED_ITEM)];
  const [best = []] = lists.toSorted((one, other) => other.length - one.length);
  return best.length >= LEAST ? best.slice(0, MOST).map(stepOf) : [];
}

/** `## Step 2: Pack`, `### 3. Drive`. */
const NUMBERED_HEADING = /^#{2,4}\s+(?:step\s+)?\d{1,2}\s*[.:)–-]\s*(.+)$/i;
const NUMBERED_ITEM = /^ {0,3}\d{1,3}[.)]\s+(.+)$/;
const TICKED_ITEM = /^ {0,3}[-*+]\s+\[[ xX]?\]\s+(.+)$/;

/** `## Pack ##` is a heading, too. */
function withoutClosing(heading: string): string {
  let end = heading.length;
  while (end > 0 && '# '.includes(heading[end - 1] ?? '')) end -= 1;
  return heading.slice(0, end);
}

const textAfter = (form: RegExp, line: string): readonly string[] => {
  const text = form.exec(line)?.[1];
  return text === undefined ? [] : [text];
};

/** Each with the lines that belong to its items; a heading, or text at the margin after a blank line, ends a list. */
function listsIn(lines: readonly string[], form: RegExp): readonly (readonly string[])[] {
  const lists: string[][] = [];
  let open: string[] | undefined;
  let isAfterBlank = false;
  for (const line of lines) {
    const [text] = textAfter(form, line);
    if (text !== undefined) {
      if (open === undefined) {
        open = [];
        lists.push(open);
      }
      open.push(text);
    } else if (/^#/.test(line) || (isAfterBlank && /^\S/.test(line))) open = undefined;
    else if (open !== undefined && line.trim() !== '' && !/^\s*[-*+|]\s/.test(line)) {
      open.push(`${open.pop()} ${line.trim()}`.slice(0, MOST_CHARACTERS));
    }
    isAfterBlank = line.trim() === '';
  }
  return lists;
}

/** Of one line, and of all that belongs to one item: what comes after it says no more. */
const MOST_CHARACTERS = 1_000;

/** Without code and comments. Line by line: a pattern over the whole text would look for the end from every beginning. */
function readableLines(body: string): readonly string[] {
  const lines: string[] = [];
  let inside: string | undefined;
  for (const line of body.split(/\r\n?|\n/)) {
    const start = line.trimStart();
    const fence = /^(?:```|~~~)/.exec(start)?.[0];
    if (inside !== undefined) {
      if (inside === '-->' ? line.includes('-->') : start.startsWith(inside)) inside = undefined;
    } else if (fence !== undefined) inside = fence;
    else if (start.startsWith('<!--')) inside = line.includes('-->') ? undefined : '-->';
    else lines.push(line.slice(0, MOST_CHARACTERS));
  }
  return lines;
}

/** A bold beginning is the title, else the first sentence is. */
function stepOf(text: string): DocumentStep {
  const bold = /^\*\*(.+?)\*\*[\s:.–-]*(.*)$/.exec(text);
  if (bold !== null) return { title: plain(bold[1] ?? '').replace(/[.:]$/, ''), more: plain(bold[2] ?? '') };
  const line = plain(text);
  const [, title = line, more = ''] = /^(.{8,}?[.!?])\s+(\p{Lu}.*)$/u.exec(line) ?? [];
  return { title: title.replace(/[.:]$/, ''), more };
}

/** Links as their words, marks of emphasis and code left out. */
const plain = (text: string): string =>
  lineOf(
    text
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/(\*\*|__)(.+?)\1/g, '$2')
      .replace(/`([^`]*)`/g, '$1'),
  );
