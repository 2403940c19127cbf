// Rule `bidi-control`: characters that make text show in another order than it reads (trojan source). Spares right-to-left writing.
import type { Hit, InspectionRule, Sighting } from './finding.ts';
import type { SourceText } from './source-text.ts';

export const bidiControl: InspectionRule = { rule: 'bidi-control', find };

const control = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const rightToLeft = '\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
// One stray letter is not writing; two are the shortest word.
const rightToLeftLetters = new RegExp(`[${rightToLeft}][^${rightToLeft}]*[${rightToLeft}]`, 'u');

function* find({ text }: SourceText): Iterable<Sighting> {
  const controls = new RegExp(control, 'g');
  for (let match = controls.exec(text); match; match = controls.exec(text)) {
    const lineStart = text.lastIndexOf('\n', match.index) + 1;
    const found = text.indexOf('\n', match.index);
    const lineEnd = found === -1 ? text.length : found;
    yield judge(text.slice(lineStart, lineEnd), lineStart, match.index) ?? 'spared';
    // The order is settled line by line, so one judgement per line is enough.
    controls.lastIndex = lineEnd;
  }
}

const fix = 'Remove the direction controls, or write them as escapes where the text is about them.';

function judge(line: string, lineStart: number, index: number): Hit | undefined {
  const override = line.search(/[\u202D\u202E]/);
  if (override !== -1) {
    const message = 'A direction override makes this line show in another order than it is read.';
    return { index: lineStart + override, severity: 'high', message, fix };
  }
  const isRightToLeft = rightToLeftLetters.test(line);
  if (!/[\u202A-\u202E\u2066-\u2069]/.test(line)) {
    const message = 'An invisible direction mark is in a line without right-to-left writing.';
    return isRightToLeft ? undefined : { index, severity: 'low', message, fix };
  }
  if (!isBalanced(line)) {
    const message = 'A direction control is opened and not closed on this line, so the rest may show in another order.';
    return { index, severity: 'high', message, fix };
  }
  const message = 'Direction controls are in a line without right-to-left writing.';
  return isRightToLeft ? undefined : { index, severity: 'medium', message, fix };
}

const closedBy: Readonly<Record<string, string>> = {
  '\u202A': '\u202C',
  '\u202B': '\u202C',
  '\u2066': '\u2069',
  '\u2067': '\u2069',
  '\u2068': '\u2069',
};

/** The Unicode algorithm itself gives up at this depth (UAX #9). */
const maxDepth = 125;

function isBalanced(line: string): boolean {
  const open: string[] = [];
  for (const [character] of line.matchAll(/[\u202A-\u202C\u2066-\u2069]/g)) {
    const closing = closedBy[character];
    if (closing !== undefined) open.push(closing);
    else if (open.pop() !== character) return false;
    if (open.length > maxDepth) return false;
  }
  return open.length === 0;
}
