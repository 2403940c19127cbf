// Fields that hold a credential, by their name alone. Pure.

/**
 * Whether a field of this name holds a credential, whatever its schema says: `password`, `apiKey`, `X-Auth-Token`, `PASSWORD_2`.
 * What a name ends with counts: `token_count`, `max_tokens`, `password_length` and `passwordless` hold none. Nor does a token
 * that only says where a list goes on, or which page a form is of.
 */
export function isSecretName(name: string): boolean {
  if (name.length > MOST_NAME || !MAYBE_NAME.test(name)) return false;
  const spelt = /[A-Z]/.test(name) ? name.replace(/\d+$/, '').replace(CAMEL, ' ') : name.replace(/\d+$/, '');
  const words = spelt
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

/** A longer one is no name of a field. */
export const MOST_NAME = 64;

/** A cheap look first: almost every name is none. Also `passWord` and `api_key`, in any letter case. */
const MAYBE_NAME = /pass|pwd|secret|token|auth|cred|cookie|key|jwt|bearer|otp/i;
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
    'accesstokens refreshtokens authtokens sessiontokens bearertoken bearer otp totp clientsecret',
  ].flatMap((line) => line.split(' ')),
);
