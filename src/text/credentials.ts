// Credentials by their look, where no mark tells: what is shown, logged or kept is without them.
import { toOneLine } from './one-line.ts';
import { isSecretName, MOST_NAME } from './secret-names.ts';

/**
 * What a caller sent, as it was sent, but no credential in it, however it is spelt: `ghp%5F…`, or with an invisible character
 * inside. Cut it afterwards: half of a credential is not recognised.
 */
export function withoutCredentials(text: string): string {
  const sent = scrubShapes(text);
  if (!MAY_HIDE.test(sent)) return sent;
  let plain = sent;
  let isHidden = false;
  for (const read of READINGS) {
    const next = read(plain);
    plain = scrubShapes(next);
    isHidden ||= plain !== next;
  }
  return isHidden ? plain : sent;
}

const MAY_HIDE = /[^\x20-\x7e]|%[\da-f]{2}|\\u[\da-f]{4}/i;

const decodeCodes = (line: string): string =>
  line
    .replace(/(?:%[\da-f]{2})+/gi, decodeBytes)
    .replace(/\\+u([\da-f]{4})/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** A text may hold hundreds of thousands of single ones. */
function decodeBytes(codes: string): string {
  if (codes.length > '%5F'.length) return Buffer.from(codes.replaceAll('%', ''), 'hex').toString();
  const byte = Number.parseInt(codes.slice(1), 16);
  return byte < 0x80 ? String.fromCharCode(byte) : '\uFFFD';
}

/** Twice: an address may stand in an address. */
const READINGS = [toOneLine, decodeCodes, toOneLine, decodeCodes, toOneLine];

export const REDACTED = '[redacted]';

/** What is written where the password belongs: `USER:PASSWORD@HOST`, `<password>`, `$DB_PASSWORD`, `***`. */
const PLACEHOLDER = String.raw`(?:(?:YOUR_?)?(?:PASSWORD|PASSWD|PASS|SECRET|TOKEN)|<[\w -]{1,40}>|\$\w{1,40}|\$?\{\w{1,40}\}|\*+|\u2026|\.\.\.|\[redacted\])@`;

/** No password, but the port of a source and the beginning of its commit: `http://127.0.0.1:8080@1f0c2ab` (S3). */
const PORT_AND_COMMIT = String.raw`(?<=\bhttps?://[^\s:/@]{0,64}:)(?:[\da-f:.]*\]:)?\d{1,5}@[\da-f]{7}(?![\w%-]|[.:]\w|[^\s/]*@)`;

interface PatternShape {
  /** A cheap look first: most texts hold none of these. */
  readonly maybe: RegExp;
  /** What its first group holds stays. */
  readonly pattern: string;
}

/**
 * Credentials by their look, where no mark tells. The caller chooses the text, so the time for each of these must grow no
 * faster than the text, and no text may take long: a shape that can fail late must not start again inside the text that it
 * has read.
 */
const PATTERN_SHAPES = {
  privateKey: {
    maybe: /-----BEGIN /,
    pattern: String.raw`-----BEGIN [A-Z ]{0,40}KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}KEY-----|$)`,
  },
  // From the beginning of its word, once it is sure that two more parts follow.
  webToken: {
    maybe: /eyJ/,
    pattern: String.raw`(?<![\w-])(?=[\w-]{11,}\.[\w-]{8,}\.)(?:[\w-]*?[-_])?eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
  },
  // Letters alone are words: Bearer authentication. No word has 24.
  header: {
    maybe: /[Bb]earer\s|BEARER\s/,
    pattern: String.raw`\b(?:[Bb]earer|BEARER)\s+(?=[\w.~+/=-]{0,80}?(?:\d|[a-z][A-Z]|[A-Za-z]{24}))[\w.~+/=-]{8,}`,
  },
  // The password in an address, up to the last @ before the host.
  address: {
    maybe: /:\/\//,
    pattern: String.raw`(://(?<=\b[A-Za-z][A-Za-z0-9+.-]{0,20}://)[^\s:/@]{0,64}:)(?!${PLACEHOLDER}|${PORT_AND_COMMIT})[^\s/]+(?=@)`,
  },
} as const satisfies Record<string, PatternShape>;

interface WordShape {
  readonly prefixes: readonly string[];
  /** What follows the prefix. */
  readonly rest: RegExp;
  /** Asked first, of what follows the prefix: `rest` may read far. */
  readonly isTelling?: (ahead: Ahead, at: number) => boolean;
}

/** A word begins with these, or a part of one: in `my_ghp_…` and `x-sk-…`, too, but not in `risk-…`. */
const WORD_SHAPES = {
  apiKey: {
    prefixes: ['sk-', 'sk_', 'rk-', 'rk_', 'pk-', 'pk_'],
    rest: /[\w-]{16,}/y,
    isTelling: ({ randomPart, wordEnd }, at) => randomPart(at) < Math.min(wordEnd(at), at + 190),
  },
  // The operator's, agents' and sessions' own (H5).
  own: {
    prefixes: ['rpo_', 'rpa_', 'rps_', 'rpt_', 'rpr_', 'rpc_'],
    rest: /[\w-]{20,}(?:\.{1,2}[\w-]+)*/y,
    isTelling: ({ noWord, wordEnd }, at) => noWord(at) < Math.min(wordEnd(at), at + 81),
  },
  github: { prefixes: ['gho_', 'ghp_', 'ghs_', 'ghu_', 'ghr_'], rest: /[A-Za-z0-9]{16}\w*/y },
  githubFine: { prefixes: ['github_pat_'], rest: /[A-Za-z0-9]{16}\w*/y },
  gitlab: {
    prefixes: ['glpat-'],
    rest: /[\w-]{16,}/y,
    isTelling: ({ noWord, wordEnd }, at) => noWord(at) < Math.min(wordEnd(at), at + 81),
  },
  slack: {
    prefixes: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxp-', 'xoxr-', 'xoxs-'],
    rest: /[\w-]{10,}/y,
    isTelling: ({ digit, wordEnd }, at) => digit(at) < Math.min(wordEnd(at), at + 81),
  },
  // Sixteen, no more and no fewer: ASIAPACIFICREGION is a name.
  aws: { prefixes: ['AKIA', 'ASIA'], rest: /[A-Z0-9]{16}(?![A-Za-z0-9])/y },
  google: { prefixes: ['AIza'], rest: /[\w-]{30,}/y },
  npm: { prefixes: ['npm_'], rest: /[A-Za-z0-9]{36}/y },
  huggingFace: { prefixes: ['hf_'], rest: /[A-Za-z0-9]{30,}/y },
} as const satisfies Record<string, WordShape>;

export type ShapeName = keyof typeof PATTERN_SHAPES | keyof typeof WORD_SHAPES;

/** Where in the text the next of these stands, from a place on; its length if there is none. */
type Ahead = Readonly<Record<keyof typeof AHEAD, (at: number) => number>>;

const AHEAD = {
  wordEnd: /[^\w-]/g,
  digit: /\d/g,
  /** Of words of small letters there is none. */
  noWord: /[\dA-Z]|(?<![a-z])[a-z]{24}/g,
  /** Words and numbers joined by hyphens are an id or the name of a file; somewhere in these stands a part that is neither. */
  randomPart: new RegExp(
    `(?<![A-Za-z0-9])(?:${[
      // No word is as long.
      '[A-Za-z0-9]{24}',
      // Letters and digits by turns, but no time: 20261116T120000Z.
      String.raw`(?!\d{8}T\d)(?=[A-Za-z0-9]{8})(?:[A-Za-z]+\d+[A-Za-z]+\d|\d+[A-Za-z]+\d+[A-Za-z])`,
      // Small and capital letters, and a digit between.
      String.raw`(?=[A-Za-z0-9]{10})(?=[a-z\d]*[A-Z])(?=[A-Z\d]*[a-z])[A-Za-z]+\d+[A-Za-z]`,
      // Hexadecimal digits, and not only numbers.
      String.raw`(?=\d*[a-f])[\da-f]{16}`,
      // The beginning of a UUID.
      String.raw`[\da-f]{8}-[\da-f]{4}-`,
    ].join('|')})`,
    'g',
  ),
} as const;

/** Asked for places that only grow, so that each looks through the text once, however many prefixes there are in it. */
function lookAhead(text: string): Ahead {
  const look = (pattern: RegExp) => {
    let found = -1;
    return (at: number) => {
      if (found < at) {
        pattern.lastIndex = at;
        found = pattern.exec(text)?.index ?? text.length;
      }
      return found;
    };
  };
  const { wordEnd, digit, noWord, randomPart } = AHEAD;
  return { wordEnd: look(wordEnd), digit: look(digit), noWord: look(noWord), randomPart: look(randomPart) };
}

/** Where a credential stands, up to `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The next credential of one kind, from a place on. */
type FindNext = (from: number) => Span | undefined;

/** By the code of their first letter: almost every word has another. */
const SHAPES_BY_LETTER: (readonly [prefix: string, shape: WordShape])[][] = [];
for (const shape of Object.values<WordShape>(WORD_SHAPES)) {
  for (const prefix of shape.prefixes) {
    const letter = prefix.charCodeAt(0);
    SHAPES_BY_LETTER[letter] = [...(SHAPES_BY_LETTER[letter] ?? []), [prefix, shape]];
  }
}

const MAYBE_WORD = /[srp]k[-_]|rp[oastrc]_|gh[opsur]_|github_pat_|glpat-|xox|AKIA|ASIA|AIza|npm_|hf_/;

const findWords = (text: string): FindNext => {
  const ahead = lookAhead(text);
  return (from) => {
    let isInside = from > 0 && isAlphanumeric(text.charCodeAt(from - 1));
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const isStart = !isInside;
      isInside = isAlphanumeric(unit);
      const end = isStart && isInside ? endOfWord(text, at, ahead) : 0;
      if (end > 0) return { start: at, end };
    }
    return undefined;
  };
};

const isAlphanumeric = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90);

/** Where the credential that begins here ends; 0: there is none. */
function endOfWord(text: string, start: number, ahead: Ahead): number {
  for (const [prefix, { rest, isTelling }] of SHAPES_BY_LETTER[text.charCodeAt(start)] ?? []) {
    if (!text.startsWith(prefix, start)) continue;
    const at = start + prefix.length;
    rest.lastIndex = at;
    if (isTelling?.(ahead, at) !== false && rest.test(text)) return rest.lastIndex;
  }
  return 0;
}

const findPattern =
  (source: string) =>
  (text: string): FindNext => {
    const pattern = new RegExp(source, 'g');
    return (from) => {
      pattern.lastIndex = from;
      const match = pattern.exec(text);
      if (match === null) return undefined;
      return { start: match.index + (match[1]?.length ?? 0), end: match.index + match[0].length };
    };
  };

const FINDERS = [
  ...Object.values<PatternShape>(PATTERN_SHAPES).map(({ maybe, pattern }) => ({ maybe, find: findPattern(pattern) })),
  { maybe: MAYBE_WORD, find: findWords },
];

/** From left to right, none inside another. */
function findCredentials(text: string): readonly Span[] {
  const spans: Span[] = [];
  const kinds = FINDERS.filter(({ maybe }) => maybe.test(text)).map(({ find }) => {
    const findNext = find(text);
    return { findNext, next: findNext(0) };
  });
  for (let done = 0; ; ) {
    let first: Span | undefined;
    for (const kind of kinds) {
      if (kind.next !== undefined && kind.next.start < done) kind.next = kind.findNext(done);
      if (kind.next !== undefined && (first === undefined || kind.next.start < first.start)) first = kind.next;
    }
    if (first === undefined) return spans;
    spans.push(first);
    done = first.end;
  }
}

function redactCredentials(text: string): string {
  const spans = findCredentials(text);
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end } of spans) {
    pieces.push(text.slice(done, start), REDACTED);
    done = end;
  }
  return pieces.join('') + text.slice(done);
}

const BASIC = /\bbasic\s+([\w+/-]{8,}={0,2})/gi;

/** `user:password` in base 64. Anything else after the word is a word: basic JavaScript. */
const holdsPair = (letters: string): boolean => Buffer.from(letters, 'base64').includes(':');

/** `?token=…`, `&api_key=…`, `;Password=…`, and a word of its own. From sign to sign: most texts have few, and few names tell. */
function redactAssigned(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let sign = text.indexOf('='); sign !== -1; sign = text.indexOf('=', Math.max(done, sign + 1))) {
    const name = nameBefore(text, sign);
    if (!isSecretName(name) || text.startsWith(REDACTED, sign + 1)) continue;
    VALUE_END.lastIndex = sign + 1;
    const end = VALUE_END.exec(text)?.index ?? text.length;
    if (end === sign + 1) continue;
    pieces.push(text.slice(done, sign + 1), REDACTED);
    done = end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(done);
}

const VALUE_END = /[\s&#;"'<>]/g;

/** The name that ends here; empty where it is longer than any. */
function nameBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start <= MOST_NAME && isOfName(text.charCodeAt(start - 1))) start--;
  return end - start <= MOST_NAME ? text.slice(start, end) : '';
}

/** Letters, digits and `_`, `.`, `%`, `-`. */
const isOfName = (unit: number): boolean =>
  isAlphanumeric(unit) || unit === 0x5f || unit === 0x2e || unit === 0x25 || unit === 0x2d;

/** Shorter ones are words that stand elsewhere, too. */
const LEAST_KNOWN = 12;

/**
 * Takes out of other texts what these hold of credentials: each of them whole, and each credential of its own. A text with none
 * of these is left as it is, and so is a credential that none of them holds.
 */
export function createHider(given: readonly string[]): (text: string) => string {
  const shown = new Map<string, string>();
  for (const text of given) {
    const safe = withoutCredentials(text);
    if (safe === text) continue;
    for (const spelt of [text, toOneLine(text), JSON.stringify(text).slice(1, -1)]) shown.set(spelt, safe);
    for (const { start, end } of findCredentials(text)) {
      if (end - start >= LEAST_KNOWN) shown.set(text.slice(start, end), REDACTED);
    }
  }
  // Longest first: one may stand in another.
  const pairs = [...shown].sort(([a], [b]) => b.length - a.length);
  return (text) => pairs.reduce((left, [held, safe]) => left.replaceAll(held, () => safe), text);
}

/** What looks like a credential, also where codes stand for some of its letters: `ghp%5F…`, `ghp\u005f…`. */
export function scrubShapes(text: string): string {
  const sent = scrubPlain(text);
  if (!CODES.test(sent) || !hidesSome(sent)) return sent;
  return sent.replace(WORD, (word) => (CODES.test(word) ? scrubWord(word) : word));
}

/** Looked at whole first: words are many, and almost none hides anything. */
const hidesSome = (text: string): boolean => scrubWord(text) !== text;

/** With the word that announces a credential. */
const WORD = /(?:\b(?:bearer|basic)\s+)?[^\s"<>]+/gi;

const CODES = /%[\da-f]{2}|\\u[\da-f]{4}/i;

/** As it was sent, unless it hides something. */
function scrubWord(word: string): string {
  const once = decodeCodes(word);
  for (const decoded of [once, decodeCodes(once)]) {
    const scrubbed = scrubPlain(decoded);
    if (scrubbed !== decoded) return scrubbed;
  }
  return word;
}

function scrubPlain(text: string): string {
  let scrubbed = redactCredentials(text);
  if (/basic\s/i.test(scrubbed)) {
    scrubbed = scrubbed.replace(BASIC, (whole, letters: string) => (holdsPair(letters) ? REDACTED : whole));
  }
  return redactAssigned(scrubbed);
}
