// Takes secrets out of texts: those that a call is known to hold, and whatever has the shape of a credential.

export const REDACTED = '[redacted]';

/** The secrets of one call and of the steps inside it. */
export interface Secrets {
  /** Texts and numbers under a secret mark. */
  readonly add: (values: Iterable<string>) => void;
  readonly scrub: (text: string) => string;
}

/** Shorter ones would tear every text apart: `no`, `42`. Their own field is redacted all the same. */
const MIN_LENGTH = 4;

/** Beyond this every text is dropped whole: searching thousands of secrets in each would take too long. */
const MAX_KNOWN = 500;

export function createSecrets(): Secrets {
  const known = new Set<string>();
  let longestFirst: readonly string[] = [];
  return {
    add: (values) => {
      const before = known.size;
      for (const value of values) if (value.length >= MIN_LENGTH && known.size <= MAX_KNOWN) known.add(value);
      // One secret may be part of another: the longer is taken out first.
      if (known.size !== before) longestFirst = [...new Set([...known].flatMap(spellings))].sort(byLength);
    },
    scrub: (text) => {
      if (known.size > MAX_KNOWN) return REDACTED;
      let scrubbed = text;
      for (const each of longestFirst) if (scrubbed.includes(each)) scrubbed = scrubbed.replaceAll(each, REDACTED);
      return scrubShapes(scrubbed);
    },
  };
}

const byLength = (a: string, b: string): number => b.length - a.length;

/** A secret also leaks as part of JSON, of an address or of a header. */
function spellings(secret: string): readonly string[] {
  const wellFormed = secret.replace(/\p{Surrogate}/gu, '\uFFFD');
  const base64 = Buffer.from(wellFormed).toString('base64').replace(/=+$/, '');
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed), base64];
}

/** Credentials as they look when nobody marked them. */
const SHAPES = new RegExp(
  [
    String.raw`-----BEGIN [A-Z ]*KEY-----[\s\S]*?(?:-----END [A-Z ]*KEY-----|$)`,
    String.raw`\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
    String.raw`\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}`,
    String.raw`\b(?:sk|rk|pk)[-_][\w-]{16,}`,
    // The operator's and agents' own (H5).
    String.raw`\brp[oa]_[\w-]{20,}`,
    String.raw`\bgh[opsur]_\w{20,}`,
    String.raw`\bgithub_pat_\w{20,}`,
    String.raw`\bglpat-[\w-]{16,}`,
    String.raw`\bxox[abprs]-[\w-]{10,}`,
    String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{12,}`,
    String.raw`\bAIza[\w-]{30,}`,
    // The password in an address.
    String.raw`(?<=\b[a-z][a-z0-9+.-]{0,20}://[^\s:/@]{0,64}:)[^\s/@]+(?=@)`,
  ].join('|'),
  'g',
);

/** A cheap look first: most texts hold none of these. */
const MAYBE = /eyJ|earer|asic|[srp]k[-_]|rp[oa]_|gh[opsur]_|github_pat_|glpat-|xox|AKIA|ASIA|AIza|-----BEGIN|:\/\//;

export const scrubShapes = (text: string): string => (MAYBE.test(text) ? text.replace(SHAPES, REDACTED) : text);
