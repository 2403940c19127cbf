// Credentials by their look, and fields by their name, where no mark tells: what is shown, logged or kept is without them.
import { toOneLine } from './one-line.ts';

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

const utf8 = new TextDecoder();

const decodeCodes = (line: string): string =>
  line
    .replace(/(?:%[\da-f]{2})+/gi, (codes) =>
      utf8.decode(Uint8Array.from(codes.slice(1).split('%'), (code) => Number.parseInt(code, 16))),
    )
    .replace(/\\+u([\da-f]{4})/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Twice: an address may stand in an address. */
const READINGS = [toOneLine, decodeCodes, toOneLine, decodeCodes, toOneLine];

export const REDACTED = '[redacted]';

/** A word begins: in `my_ghp_…` and `x-sk-…`, too, but not in `risk-…`. */
const START = '(?<![A-Za-z0-9])';

/** Words and numbers joined by hyphens are an id or the name of a file; somewhere in these stands a part that is neither. */
const SOME_RANDOM_PART = `(?=(?:[A-Za-z0-9]{0,30}[-_]){0,6}(?:${[
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
].join('|')}))`;

/** Not only words of small letters. */
const NO_WORDS = String.raw`(?=[\w-]{0,80}?(?:[\dA-Z]|[a-z]{24}))`;

/** What is written where the password belongs: `USER:PASSWORD@HOST`, `<password>`, `$DB_PASSWORD`, `***`. */
const PLACEHOLDER = String.raw`(?:(?:YOUR_?)?(?:PASSWORD|PASSWD|PASS|SECRET|TOKEN)|<[\w -]{1,40}>|\$\w{1,40}|\$?\{\w{1,40}\}|\*+|…|\.\.\.|\[redacted\])@`;

/**
 * Credentials by their look, where no mark tells. The caller chooses the text, so the time for each of these must grow no
 * faster than the text: a shape that can fail late must not start again inside the text that it has read.
 */
export const SHAPES = {
  privateKey: String.raw`-----BEGIN [A-Z ]{0,40}KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}KEY-----|$)`,
  // From the beginning of its word, once it is sure that two more parts follow.
  webToken: String.raw`(?<![\w-])(?=[\w-]{11,}\.[\w-]{8,}\.)(?:[\w-]*?[-_])?eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
  // Letters alone are words: Bearer authentication. No word has 24.
  header: String.raw`\b(?:[Bb]earer|BEARER)\s+(?=[\w.~+/=-]{0,80}?(?:\d|[a-z][A-Z]|[A-Za-z]{24}))[\w.~+/=-]{8,}`,
  apiKey: String.raw`${START}(?:sk|rk|pk)[-_]${SOME_RANDOM_PART}[\w-]{16,}`,
  // The operator's, agents' and sessions' own (H5).
  own: String.raw`${START}rp[oas]_${NO_WORDS}[\w-]{20,}(?:\.{1,2}[\w-]+)*`,
  github: String.raw`${START}gh[opsur]_[A-Za-z0-9]{16}\w*`,
  githubFine: String.raw`${START}github_pat_[A-Za-z0-9]{16}\w*`,
  gitlab: String.raw`${START}glpat-${NO_WORDS}[\w-]{16,}`,
  slack: String.raw`${START}xox[abeprs]-(?=[\w-]{0,80}?\d)[\w-]{10,}`,
  // Sixteen of the letters of base 32, no more and no fewer: ASIAPACIFICREGION is a name.
  aws: `${START}(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])`,
  google: String.raw`${START}AIza[\w-]{30,}`,
  npm: `${START}npm_[A-Za-z0-9]{36}`,
  huggingFace: `${START}hf_[A-Za-z0-9]{30,}`,
  // The password in an address, up to the last @ before the host.
  address: String.raw`(?<=\b[A-Za-z][A-Za-z0-9+.-]{0,20}://[^\s:/@]{0,64}:)(?!${PLACEHOLDER})[^\s/]+(?=@)`,
} as const;

const ANY_SHAPE = new RegExp(Object.values(SHAPES).join('|'), 'g');

/** A cheap look first: most texts hold none of these. */
const MAYBE =
  /eyJ|earer|EARER|[srp]k[-_]|rp[oas]_|gh[opsur]_|github_pat_|glpat-|xox|AKIA|ASIA|AIza|npm_|hf_|-----BEGIN|:\/\//;

const BASIC = /\bbasic\s+([\w+/-]{8,}={0,2})/gi;

/** `user:password` in base 64. Anything else after the word is a word: basic JavaScript. */
const holdsPair = (letters: string): boolean => Buffer.from(letters, 'base64').includes(':');

/** `?token=…`, `&api_key=…`, `;Password=…`, and a word of its own. */
const ASSIGNED = /(?<![\w.%-])([\w.%-]{1,64}=)(?!\[redacted\])([^\s&#;"'<>]+)/g;

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
    for (const [credential] of text.matchAll(ANY_SHAPE)) {
      if (credential.length >= LEAST_KNOWN) shown.set(credential, REDACTED);
    }
  }
  // Longest first: one may stand in another.
  const pairs = [...shown].sort(([a], [b]) => b.length - a.length);
  return (text) => pairs.reduce((left, [held, safe]) => left.replaceAll(held, () => safe), text);
}

/** What looks like a credential, also where codes stand for some of its letters: `ghp%5F…`, `ghp\u005f…`. */
export function scrubShapes(text: string): string {
  const sent = scrubPlain(text);
  if (!CODES.test(sent)) return sent;
  return sent.replace(WORD, (word) => (CODES.test(word) ? scrubWord(word) : word));
}

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
  let scrubbed = MAYBE.test(text) ? text.replace(ANY_SHAPE, REDACTED) : text;
  if (/basic\s/i.test(scrubbed)) {
    scrubbed = scrubbed.replace(BASIC, (whole, letters: string) => (holdsPair(letters) ? REDACTED : whole));
  }
  if (!scrubbed.includes('=')) return scrubbed;
  return scrubbed.replace(ASSIGNED, (whole, name: string) =>
    isSecretName(name.slice(0, -1)) ? `${name}${REDACTED}` : whole,
  );
}

/**
 * Whether a field of this name holds a credential, whatever its schema says: `password`, `apiKey`, `X-Auth-Token`, `PASSWORD_2`.
 * What a name ends with counts: `token_count`, `max_tokens`, `password_length` and `passwordless` hold none. Nor does a token
 * that only says where a list goes on, or which page a form is of.
 */
export function isSecretName(name: string): boolean {
  if (name.length > MOST_NAME || !MAYBE_NAME.test(name)) return false;
  const words = name
    .replace(/\d+$/, '')
    .replace(CAMEL, ' ')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  const [first = '', second = '', third = ''] = ['', '', ...words].slice(-3);
  // `password_confirmation`, `token_value`: it is what stands before that tells.
  const [before, last] = TAILS.has(third) ? [first, second] : [second, third];
  if (isOpenToken(before, last)) return false;
  return SECRET_NAMES.has(last) || SECRET_NAMES.has(before + last) || ENDS_SECRET.test(last);
}

const TAILS: ReadonlySet<string> = new Set(['value', 'confirmation', 'confirm', 'header', 'repeat', 'again']);

/** Written as one word: `PGPASSWORD`, `githubtoken`. */
const ENDS_SECRET = /(?:password|passwd|passphrase|apikey|token|secret)$/;

const isOpenToken = (before: string, last: string): boolean =>
  last.endsWith('token') && OPEN_TOKENS.has(last === 'token' ? before : last.slice(0, -'token'.length));

const MOST_NAME = 64;
/** A cheap look first: almost every name is none. Also `passWord` and `api_key`, in any letter case. */
const MAYBE_NAME = /pass|pwd|secret|token|auth|cred|cookie|key|jwt/i;
const CAMEL = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g;

/** What stands before `token` in the name of one that opens nothing. */
const OPEN_TOKENS: ReadonlySet<string> = new Set(
  'page nextpage paging pagination next prev previous continuation cursor csrf xsrf'.split(' '),
);

/** One word, or two written together. */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  [
    'password passwords passwd pwd passphrase passcode secret secrets token authorization credential credentials creds cookie cookies jwt pass auth',
    'apikey apikeys accesskey accesskeys secretkey secretkeys privatekey privatekeys signingkey encryptionkey authkey',
    'masterkey sshkey servicekey accountkey subscriptionkey accesstoken refreshtoken authtoken sessiontoken idtoken',
    'bearertoken clientsecret',
  ].flatMap((line) => line.split(' ')),
);
