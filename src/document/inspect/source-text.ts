// A text cut into passages (paragraphs, fenced code, comments), so that a rule can tell a command from its discussion.
// Not a Markdown parser: it knows just enough to say what a human reader sees as prose, as code and not at all.

export type PassageKind = 'prose' | 'code' | 'comment';

export interface Passage {
  readonly kind: PassageKind;
  /** Offset in the whole text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The sentence or heading that introduces this list item, quotation or code block; empty when there is none. */
  readonly leadIn: string;
}

export interface SourceText {
  readonly text: string;
  /** Same length as `text`, so that offsets agree. */
  readonly lowerCase: string;
  readonly passages: readonly Passage[];
  /** 1-based line of an offset. */
  readonly lineAt: (offset: number) => number;
}

export function createSourceText(text: string): SourceText {
  let passages: readonly Passage[] | undefined;
  let starts: readonly number[] | undefined;
  // Both are wanted only when some rule saw a reason to look closer; most texts give none.
  return {
    text,
    lowerCase: lowerCaseOf(text),
    get passages() {
      passages ??= cutPassages(text);
      return passages;
    },
    lineAt(offset) {
      starts ??= lineStartsOf(text);
      return lastAtOrBefore(starts, offset) + 1;
    },
  };
}

/** Index of the last of `sorted` that is not greater than `value`; -1 when all are. */
export function lastAtOrBefore(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Number.POSITIVE_INFINITY) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// A few letters change their length in lower case (U+0130); offsets matter more here than those letters.
function lowerCaseOf(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

interface Cutter {
  readonly text: string;
  readonly passages: Passage[];
  /** Where the open paragraph starts; -1 when none is open. */
  open: number;
  leadIn: string;
  heading: string;
  /** The last heading, with the paragraph after it if that ends with a colon: it speaks for the list, quotation or code after it. */
  introduction: string;
  /** The same of the last passage, a list item included. */
  previous: string;
}

const blank = /^\s*$/;
const heading = /^ {0,3}#{1,6}\s/;
const listItem = /^\s*(?:[-*+]|\d{1,3}[.)])\s/;
const dependent = /^\s*(?:[-*+>|]|\d{1,3}[.)]\s)/;
const fenceOpening = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(`{3,}|~{3,})([^`]*)$/;
const introducing = /[:：][*_`]{0,3}$/;
const referenceComment = /^ {0,3}\[(?:\/\/|comment|_)\]:\s/i;

function cutPassages(text: string): readonly Passage[] {
  const cutter: Cutter = { text, passages: [], open: -1, leadIn: '', heading: '', introduction: '', previous: '' };
  let at = 0;
  let end = -1;
  while (at < text.length) {
    // Several comments may share a line; its end is looked for once.
    if (end < at) end = lineEnd(text, at);
    at = cutLine(cutter, at, end);
  }
  closeParagraph(cutter, text.length);
  return cutter.passages;
}

/** Takes one line (or a whole fence or comment that opens on it) and says where the next one starts. */
function cutLine(cutter: Cutter, start: number, end: number): number {
  const line = cutter.text.slice(start, Math.min(end, start + 400));
  if (blank.test(line) && end - start <= 400) {
    closeParagraph(cutter, start);
    return end + 1;
  }
  const fence = fenceOpening.exec(line);
  if (fence?.[1] !== undefined) return cutFence(cutter, start, end, fence[1]);
  if (referenceComment.test(line)) {
    closeParagraph(cutter, start);
    addPassage(cutter, 'comment', start, end);
    return end + 1;
  }
  if (heading.test(line) || listItem.test(line)) closeParagraph(cutter, start);
  const comment = commentOpening(cutter.text, start, end);
  if (comment !== -1) return cutComment(cutter, start, comment);
  if (cutter.open === -1) openParagraph(cutter, start, line);
  if (heading.test(line)) closeParagraph(cutter, end);
  return end + 1;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function openParagraph(cutter: Cutter, start: number, line: string): void {
  cutter.open = start;
  cutter.leadIn = dependent.test(line) ? cutter.introduction : '';
}

function closeParagraph(cutter: Cutter, end: number): void {
  if (cutter.open === -1) return;
  const start = cutter.open;
  cutter.open = -1;
  addPassage(cutter, 'prose', start, end);
  const head = cutter.text.slice(start, Math.min(end, start + 80));
  const tail = cutter.text.slice(Math.max(start, end - 300), end).trim();
  if (heading.test(head)) cutter.heading = tail;
  cutter.previous = introductionOf(cutter.heading, tail);
  if (!dependent.test(head)) cutter.introduction = cutter.previous;
}

function introductionOf(heading: string, paragraph: string): string {
  if (heading === paragraph) return heading;
  return introducing.test(paragraph) ? `${heading}\n${paragraph}` : '';
}

function addPassage(cutter: Cutter, kind: PassageKind, start: number, end: number): void {
  if (end <= start) return;
  const leadIn = kind === 'code' ? `${cutter.introduction}\n${cutter.previous}` : cutter.leadIn;
  cutter.passages.push({ kind, start, end, text: cutter.text.slice(start, end), leadIn });
}

function cutFence(cutter: Cutter, start: number, end: number, marks: string): number {
  closeParagraph(cutter, start);
  const { text } = cutter;
  let at = Math.min(end + 1, text.length);
  const bodyStart = at;
  while (at < text.length) {
    const stop = lineEnd(text, at);
    const line = text.slice(at, Math.min(stop, at + 200)).trim();
    if (line.startsWith(marks) && line.replaceAll(marks.charAt(0), '') === '') {
      addPassage(cutter, 'code', bodyStart, at);
      return stop + 1;
    }
    at = stop + 1;
  }
  addPassage(cutter, 'code', bodyStart, text.length);
  return text.length;
}

/** Offset of the first `<!--` on this line that is not inside a code span; -1 when there is none. */
function commentOpening(text: string, start: number, end: number): number {
  const line = text.slice(start, end);
  let at = line.indexOf('<!--');
  let inSpan = false;
  let counted = 0;
  for (; at !== -1; at = line.indexOf('<!--', at + 4)) {
    for (; counted < at; counted += 1) if (line[counted] === '`') inSpan = !inSpan;
    // A lone backtick opens no code span: it must not be a way to hide a comment from us.
    if (!inSpan || line.indexOf('`', at) === -1) return start + at;
  }
  return -1;
}

function cutComment(cutter: Cutter, lineStart: number, comment: number): number {
  if (cutter.open === -1 && comment > lineStart) cutter.open = lineStart;
  closeParagraph(cutter, comment);
  const close = cutter.text.indexOf('-->', comment + 4);
  const end = close === -1 ? cutter.text.length : close + 3;
  addPassage(cutter, 'comment', comment, end);
  return end;
}
