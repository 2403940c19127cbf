// Rule `ansi-escape`: raw control characters, which move a terminal's cursor, hide text or end a string early.
import type { Hit, InspectionRule } from './finding.ts';
import type { SourceText } from './source-text.ts';

export const ansiEscape: InspectionRule = { rule: 'ansi-escape', find };

// All of C0, DEL and C1 but tab, line feed and carriage return.
const controls = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]+/g;

function* find({ text }: SourceText): Iterable<Hit> {
  for (const match of text.matchAll(controls)) yield judge(match.index, match[0]);
}

function judge(index: number, run: string): Hit {
  const fix = 'Remove the control character, or write it as an escape such as \\x1b.';
  if (/[\x1B\x90\x9B\x9D]/.test(run)) {
    const message = 'A raw terminal escape sequence can hide or rewrite what a terminal shows.';
    return { index, severity: 'high', message, fix };
  }
  const name = `U+${run.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  // A form feed parts pages in old plain-text manuals.
  const severity = run === '\f' ? 'low' : 'medium';
  return { index, severity, message: `The text has a raw control character (${name}).`, fix };
}
