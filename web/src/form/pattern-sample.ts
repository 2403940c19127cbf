// A short text that a regular expression takes, for examples. It knows what patterns of fields are made of; the caller checks it. Pure.

/** `repeats`: how often what may be repeated without end is, at least. `undefined` for a pattern that is not understood. */
export function patternSample(source: string, repeats: number): string | undefined {
  const walk: Walk = { source, at: 0, repeats };
  const text = readChoices(walk);
  return walk.at < source.length ? undefined : text;
}

interface Walk {
  readonly source: string;
  at: number;
  readonly repeats: number;
}

/** The first of several: `a|b`. */
function readChoices(walk: Walk): string {
  const first = readSequence(walk);
  while (walk.source[walk.at] === '|') {
    walk.at += 1;
    readSequence(walk);
  }
  return first;
}

const MOST_CHARACTERS = 1_000;

function readSequence(walk: Walk): string {
  let text = '';
  while (walk.at < walk.source.length && !'|)'.includes(walk.source[walk.at] ?? '')) {
    const one = readOne(walk);
    // Patterns may ask for more than anyone reads, in each other.
    text += one.repeat(Math.min(readCount(walk), MOST_CHARACTERS / Math.max(1, one.length)));
  }
  return text;
}

function readOne(walk: Walk): string {
  const sign = walk.source[walk.at] ?? '';
  if (sign === '(') return readGroup(walk);
  if (sign === '[') return readClass(walk);
  if (sign === '\\') return readEscape(walk);
  walk.at += 1;
  if (sign === '^' || sign === '$') return '';
  return sign === '.' ? 'a' : sign;
}

const GROUP = /\((\?(?::|<?[=!]|<\w+>))?/y;

/** What only looks ahead or back adds nothing. */
function readGroup(walk: Walk): string {
  const [whole = '(', kind = ''] = matchAt(GROUP, walk) ?? [];
  walk.at += whole.length;
  const text = readChoices(walk);
  walk.at += 1;
  return /[=!]$/.test(kind) ? '' : text;
}

const CLASS = /\[\^?\]?(?:\\.|[^\]\\])*\]/y;

function readClass(walk: Walk): string {
  const [whole = '['] = matchAt(CLASS, walk) ?? [];
  walk.at += whole.length;
  return memberOf(whole);
}

const ESCAPE = /\\(?:u\{[\dA-Fa-f]+\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[pP]\{[^}]*\}|.)/sy;

function readEscape(walk: Walk): string {
  const [whole = '\\'] = matchAt(ESCAPE, walk) ?? [];
  walk.at += whole.length;
  return /^\\[bB\d]/.test(whole) ? '' : memberOf(whole);
}

const MEMBERS = [...'a1Aabcdefghijklmnopqrstuvwxyz0-_ ./:@', ...ascii(), 'é', '中'];

function ascii(): readonly string[] {
  return Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
}

function memberOf(single: string): string {
  for (const flags of ['u', ''])
    try {
      const pattern = new RegExp(`^${single}$`, flags);
      const member = MEMBERS.find((sign) => pattern.test(sign));
      if (member !== undefined) return member;
    } catch {
      // Not a pattern of this kind; the other one, or none.
    }
  return '';
}

const COUNT = /(?:\*|\+|\?|\{(\d+)(,?)(\d*)\})\??/y;

function readCount(walk: Walk): number {
  const found = matchAt(COUNT, walk);
  if (found === null) return 1;
  const [whole, least, comma, most] = found;
  walk.at += whole.length;
  if (least === undefined) return whole[0] === '?' ? 0 : Math.max(whole[0] === '+' ? 1 : 0, walk.repeats);
  if (comma === '') return Number(least);
  const highest = most === '' || most === undefined ? Number.POSITIVE_INFINITY : Number(most);
  return Math.min(highest, Math.max(Number(least), walk.repeats));
}

function matchAt(pattern: RegExp, { source, at }: Walk): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}
