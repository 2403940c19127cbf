// Takes secrets out of texts: those that a call is known to hold, and whatever has the shape of a credential.
import { createKnownTexts } from './known-texts.ts';

export const REDACTED = '[redacted]';

/** The secrets of one call and of the steps inside it. */
export interface Secrets {
  /** Texts and numbers under a secret mark. */
  readonly add: (values: Iterable<string>) => void;
  readonly scrub: (text: string) => string;
}

/** Shorter ones would tear every text apart: `no`, `42`. Their own field is redacted all the same. */
const MIN_LENGTH = 4;

/** Beyond this every text is dropped whole: no honest call holds so many. */
const MAX_KNOWN = 500;

export function createSecrets(): Secrets {
  const known = new Set<string>();
  const texts = createKnownTexts();
  return {
    add: (values) => {
      for (const value of values) {
        if (known.size > MAX_KNOWN) return;
        if (value.length < MIN_LENGTH || known.has(value)) continue;
        known.add(value);
        texts.add(spellings(value));
      }
    },
    scrub: (text) => (known.size > MAX_KNOWN ? REDACTED : scrubShapes(texts.takeOut(text, REDACTED))),
  };
}

/** A secret also leaks as part of JSON, of an address or of a header. */
export function spellings(secret: string): readonly string[] {
  const wellFormed = secret.replace(/\p{Surrogate}/gu, '\uFFFD');
  const base64 = Buffer.from(wellFormed).toString('base64').replace(/=+$/, '');
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed), base64];
}

/**
 * Credentials as they look when nobody marked them. Whoever calls chooses the text, so none of these may take longer than
 * the text is long: a shape that can fail late must not begin anew inside of what it has read.
 */
export const SHAPES = {
  privateKey: String.raw`-----BEGIN [A-Z ]{0,40}KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}KEY-----|$)`,
  // From the beginning of its word, once it is sure that two more parts follow.
  webToken: String.raw`(?<![\w-])(?=[\w-]{11,}\.[\w-]{8,}\.)(?:[\w-]*?[-_])?eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
  header: String.raw`\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}`,
  apiKey: String.raw`\b(?:sk|rk|pk)[-_][\w-]{16,}`,
  // The operator's, agents' and sessions' own (H5).
  own: String.raw`\brp[oas]_[\w-]{20,}`,
  github: String.raw`\bgh[opsur]_\w{20,}`,
  githubFine: String.raw`\bgithub_pat_\w{20,}`,
  gitlab: String.raw`\bglpat-[\w-]{16,}`,
  slack: String.raw`\bxox[abprs]-[\w-]{10,}`,
  aws: String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{12,}`,
  google: String.raw`\bAIza[\w-]{30,}`,
  // The password in an address.
  address: String.raw`(?<=\b[a-z][a-z0-9+.-]{0,20}://[^\s:/@]{0,64}:)[^\s/@]+(?=@)`,
} as const;

const ANY_SHAPE = new RegExp(Object.values(SHAPES).join('|'), 'g');

/** A cheap look first: most texts hold none of these. */
const MAYBE = /eyJ|earer|asic|[srp]k[-_]|rp[oas]_|gh[opsur]_|github_pat_|glpat-|xox|AKIA|ASIA|AIza|-----BEGIN|:\/\//;

export const scrubShapes = (text: string): string => (MAYBE.test(text) ? text.replace(ANY_SHAPE, REDACTED) : text);
