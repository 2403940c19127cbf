// What is wrong with a text that should be JSON, and where: in the words of someone who writes it by hand. Pure.

export interface JsonFault {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The first one; `undefined` for what `JSON.parse` takes. */
export function findJsonFault(text: string): JsonFault | undefined {
  const scan: Scan = { text, at: 0, open: [], wants: 'value' };
  for (;;) {
    scan.at = matchAt(SPACE, text, scan.at).length + scan.at;
    const wrong = scan.at < text.length ? READERS[scan.wants](scan) : endFault(scan);
    if (wrong !== undefined) return { ...placeOf(text, wrong.at ?? scan.at), message: wrong.message };
    if (scan.at >= text.length && scan.wants === 'nothing') return undefined;
  }
}

/** As it stands at the field that holds the text. */
export function jsonFaultText(text: string): string {
  const fault = findJsonFault(text);
  return fault === undefined
    ? 'is not JSON'
    : `is not JSON (line ${fault.line}, column ${fault.column}): ${fault.message}`;
}

interface Scan {
  readonly text: string;
  at: number;
  /** Where each bracket that is not closed yet stands. */
  readonly open: number[];
  wants: Wanted;
}

type Wanted = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

/** `at`: where, if not where the scan is. */
interface Wrong {
  readonly message: string;
  readonly at?: number;
}

type Reader = (scan: Scan) => Wrong | undefined;

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const NUMBER_RUN = /-?[\w.+-]*/y;
const WORD_RUN = /[\p{L}_$][\p{L}\p{N}_$.-]*/uy;

const READERS: Readonly<Record<Wanted, Reader>> = {
  value: readValue,
  'value or end': (scan) => (scan.text[scan.at] === ']' ? close(scan) : readValue(scan)),
  name: readName,
  'name or end': (scan) => (scan.text[scan.at] === '}' ? close(scan) : readName(scan)),
  colon: readColon,
  'comma or end': readComma,
  nothing: () => ({ message: 'there is more after the end of the value' }),
};

function readValue(scan: Scan): Wrong | undefined {
  const { text, at } = scan;
  const sign = text[at] ?? '';
  if (sign === '{' || sign === '[') {
    scan.open.push(at);
    return move(scan, at + 1, sign === '{' ? 'name or end' : 'value or end');
  }
  if (sign === '"') return readText(scan, afterValue(scan));
  if (/[-\d]/.test(sign)) return readNumber(scan);
  const word = matchAt(WORD_RUN, text, at);
  if (word !== '') return readWord(scan, word);
  if (sign === ']' || sign === '}') return { message: tooMany(scan, sign) };
  if (sign === ',') return { message: 'a value is missing before this comma' };
  if (sign === '+' || sign === '.') return { message: 'a number begins with a digit or a minus sign' };
  return { message: oddSign(text, at) ?? `a value is missing: ${sign} does not begin one` };
}

/** After a comma, or where a value is missing altogether. */
const tooMany = ({ text, at }: Scan, sign: string): string =>
  /,\s*$/.test(text.slice(Math.max(0, at - 100), at))
    ? `there is a comma too many before this ${sign}`
    : `a value is missing before this ${sign}`;

const OTHER_WORDS: Readonly<Record<string, string>> = { none: 'null', nil: 'null', undefined: 'null' };

function readWord(scan: Scan, word: string): Wrong | undefined {
  if (/^(?:true|false|null)$/.test(word)) return move(scan, scan.at + word.length, afterValue(scan));
  const lower = word.toLowerCase();
  const meant = /^(?:true|false|null)$/.test(lower) ? lower : OTHER_WORDS[lower];
  if (meant !== undefined) return { message: `write ${meant} instead of ${cut(word)}` };
  if (/^(?:nan|infinity)$/.test(lower)) return { message: `JSON has no number ${word}` };
  return { message: `a text needs double quotes around it: "${cut(word)}"` };
}

function readNumber(scan: Scan): Wrong | undefined {
  const run = matchAt(NUMBER_RUN, scan.text, scan.at);
  if (NUMBER.test(run)) return move(scan, scan.at + run.length, afterValue(scan));
  if (/^-?0\d/.test(run)) return { message: 'a number must not begin with 0' };
  if (/^-?\d+\.(?!\d)/.test(run)) return { message: 'digits are missing after the point' };
  return { message: `${cut(run)} is not a number; a text needs double quotes around it` };
}

function readName(scan: Scan): Wrong | undefined {
  const { text, at } = scan;
  const sign = text[at] ?? '';
  if (sign === '"') return readText(scan, 'colon');
  if (sign === '}') return { message: tooMany(scan, sign) };
  const word = matchAt(WORD_RUN, text, at);
  if (word !== '') return { message: `the name of a field needs double quotes around it: "${cut(word)}"` };
  return { message: oddSign(text, at) ?? 'the name of a field is missing here' };
}

function readColon(scan: Scan): Wrong | undefined {
  const { text, at } = scan;
  if (text[at] === ':') return move(scan, at + 1, 'value');
  return { message: text[at] === '=' ? 'write a colon instead of =' : 'a colon is missing after the name' };
}

function readComma(scan: Scan): Wrong | undefined {
  const { text, at, open } = scan;
  const sign = text[at] ?? '';
  const opened = open.at(-1) ?? 0;
  if (sign === ',') return move(scan, at + 1, text[opened] === '{' ? 'name' : 'value');
  if (sign === (text[opened] === '{' ? '}' : ']')) return close(scan);
  if (sign === '}' || sign === ']')
    return { message: `this ${sign} does not close the ${text[opened]} of line ${placeOf(text, opened).line}` };
  if (sign === ':') return { message: 'a colon stands only between a name and its value' };
  return { message: oddComment(text, at) ?? 'a comma is missing before this' };
}

function close(scan: Scan): undefined {
  scan.open.pop();
  return move(scan, scan.at + 1, afterValue(scan));
}

const afterValue = ({ open }: Scan): Wanted => (open.length === 0 ? 'nothing' : 'comma or end');

function move(scan: Scan, at: number, wants: Wanted): undefined {
  scan.at = at;
  scan.wants = wants;
  return undefined;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

function readText(scan: Scan, next: Wanted): Wrong | undefined {
  const { text, at: from } = scan;
  for (let at = from + 1; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === '"') return move(scan, at + 1, next);
    if (sign === '\n' || sign === '\r') break;
    if (sign < ' ')
      return { at, message: `write ${JSON.stringify(sign).slice(1, -1)} instead of this control character` };
    if (sign !== '\\') continue;
    const escaped = matchAt(ESCAPE, text, at);
    if (escaped === '') return { at, message: 'write \\\\ for a backslash in a text' };
    at += escaped.length - 1;
  }
  return { message: 'this text has no closing quotation mark in its line; write \\n for a line break' };
}

function endFault({ text, open, wants }: Scan): Wrong | undefined {
  if (wants === 'nothing') return undefined;
  const opened = open.at(-1);
  if (opened === undefined) return { message: 'there is no value' };
  return { message: `it ends before the ${text[opened]} of line ${placeOf(text, opened).line} is closed` };
}

/** What people and other languages write. */
function oddSign(text: string, at: number): string | undefined {
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (/['`‘’“”„«]/.test(sign)) return `write double quotes (") instead of ${sign}`;
  if (/[^\p{L}\p{N}\p{P}\p{S}]/u.test(sign)) return `an invisible character (${codeText(sign)}) stands here`;
  return oddComment(text, at);
}

const oddComment = (text: string, at: number): string | undefined =>
  /^(?:\/\/|\/\*|#)/.test(text.slice(at, at + 2)) ? 'JSON has no comments' : undefined;

const codeText = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const MOST_QUOTED = 30;

const cut = (word: string): string => (word.length <= MOST_QUOTED ? word : `${word.slice(0, MOST_QUOTED)}…`);

function placeOf(text: string, at: number): Pick<JsonFault, 'line' | 'column'> {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 };
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
