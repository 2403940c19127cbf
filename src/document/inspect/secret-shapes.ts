// The shapes of credentials, how to tell a real one from a placeholder, and how to shorten one so that it can be shown.

export interface SecretShape {
  readonly kind: string;
  /** What every such secret starts with; case matters. */
  readonly prefixes: readonly string[];
  /** Sticky: matches at the prefix. */
  readonly pattern: RegExp;
  readonly severity: 'high' | 'medium';
  /** Lower bound on the Shannon entropy (bits per character) of what follows the prefix. */
  readonly entropy: number;
}

export const secretShapes: readonly SecretShape[] = [
  shape('AWS access key id', ['AKIA', 'ASIA'], /[A-Z2-7]{16}/, 2.8),
  shape('GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /[A-Za-z0-9]{36,251}/, 3.5),
  shape('GitHub fine-grained token', ['github_pat_'], /[A-Za-z0-9_]{40,251}/, 3.5),
  shape('GitLab token', ['glpat-'], /[A-Za-z0-9_-]{20,64}/, 3.2),
  shape('Anthropic API key', ['sk-ant-'], /[A-Za-z0-9_-]{32,200}/, 3.5),
  shape('OpenAI-style API key', ['sk-'], /(?:proj-|svcacct-|or-v1-)?[A-Za-z0-9_-]{20,200}/, 3.5),
  shape('Stripe live key', ['sk_live_', 'rk_live_'], /[A-Za-z0-9]{20,200}/, 3.2),
  shape('Slack token', ['xoxa-', 'xoxb-', 'xoxp-', 'xoxr-', 'xoxs-'], /[A-Za-z0-9-]{20,200}/, 3),
  shape('Google API key', ['AIza'], /[A-Za-z0-9_-]{35}/, 3.5),
  shape('npm token', ['npm_'], /[A-Za-z0-9]{36}/, 3.5),
  shape('Hugging Face token', ['hf_'], /[A-Za-z0-9]{34,40}/, 3.5),
  { ...shape('JSON Web Token', ['eyJ'], jwtPattern(), 3.5), severity: 'medium' },
];

/** The secret that starts at `index`, placeholders excepted; `undefined` when there is none. */
export function findSecretAt(text: string, index: number, secret: SecretShape): string | undefined {
  const token = tokenAt(text, index, secret);
  return token !== undefined && looksReal(token, secret) ? token : undefined;
}

/** Every secret-shaped word (placeholders too: nothing is lost by it) cut to its first four characters. */
export function shortenSecrets(text: string): string {
  let shortened = text;
  for (const { shown } of shownShapes) {
    shortened = shortened.replace(shown, (token) => `${token.slice(0, 4)}…`);
  }
  return shortened
    .replace(labelledSecret, (_, label: string, value: string) => `${label}${value.slice(0, 4)}…`)
    .replace(/[A-Za-z0-9+/_-]{40,}={0,2}/g, (word) => (isDense(word) ? `${word.slice(0, 4)}…` : word));
}

/** Bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const labelledSecret =
  /((?:password|passwd|secret|token|api[_-]?key)["']?\s{0,2}[:=]\s{0,2}["']?|\bbearer\s{1,2}|:\/\/[^\s:/@]{1,64}:)([^\s"'`$<{@]{8,200})/gi;

const shownShapes = secretShapes.map(({ prefixes, pattern }) => ({
  shown: new RegExp(`(?:${prefixes.join('|')})${pattern.source}[A-Za-z0-9_-]*`, 'g'),
}));

function shape(kind: string, prefixes: readonly string[], body: RegExp, entropy: number): SecretShape {
  return { kind, prefixes, pattern: new RegExp(body.source, 'y'), severity: 'high', entropy };
}

function jwtPattern(): RegExp {
  return /[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,1000}/;
}

function tokenAt(text: string, index: number, { prefixes, pattern }: SecretShape): string | undefined {
  const before = text[index - 1];
  if (before !== undefined && /[A-Za-z0-9_-]/.test(before)) return undefined;
  const prefix = prefixes.find((candidate) => text.startsWith(candidate, index));
  if (prefix === undefined) return undefined;
  pattern.lastIndex = index + prefix.length;
  const body = pattern.exec(text)?.[0];
  if (body === undefined) return undefined;
  const after = text[index + prefix.length + body.length];
  return after !== undefined && /[A-Za-z0-9_]/.test(after) ? undefined : prefix + body;
}

// Words that no generator draws by chance, runs of one character, counting up, and AWS' and jwt.io's published examples.
const placeholder =
  /example|your|xxxx|placeholder|dummy|fake|sample|redacted|insert|changeme|replace|secret|token|test|here|12345|abcde|a1b2c3|1a2b3c|(.)\1{4}|eyJzdWIiOiIxMjM0NTY3ODkw/i;

function looksReal(token: string, { prefixes, entropy }: SecretShape): boolean {
  const prefix = prefixes.find((candidate) => token.startsWith(candidate)) ?? '';
  const body = token.slice(prefix.length);
  if (placeholder.test(body)) return false;
  // A generator mixes digits and letters; kebab-case names such as `sk-learn-pipeline-for-text` have no digits.
  if (!/\d/.test(body) || !/[A-Za-z]/.test(body)) return false;
  return entropyOf(body) >= entropy;
}

function isDense(word: string): boolean {
  return /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) && entropyOf(word.slice(0, 200)) > 4.2;
}
