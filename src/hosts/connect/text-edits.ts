// Small changes to a text, each at its place. Pure.

export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits must not overlap. Of two at the same place the later one comes first in the text. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const last = [...edits].sort((a, b) => b.start - a.start || b.end - a.end);
  return last.reduce(
    (changed, { start, end, text: added }) => changed.slice(0, start) + added + changed.slice(end),
    text,
  );
}

/** How lines end here: as the first one does. */
export function lineEnding(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** The blanks that the line of `at` begins with. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';
}

/** After the line's end. */
export function nextLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline === -1 ? text.length : newline + 1;
}

/** Whole lines below all others, with the line ends that the text has. */
export function appendLines(text: string, lines: string): string {
  const eol = lineEnding(text);
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${gap}${lines.replaceAll('\n', eol)}${eol}`;
}
