// Brings the forms of an English word to one stem: "validates", "validating" and "validation" meet. Light on purpose:
// two words that share a stem by accident cost more than two forms that miss each other.

/** Expects lower-case ASCII letters; anything else comes back as it is. */
export function stem(word: string): string {
  if (word.length < 4 || !ENGLISH.test(word)) return word;
  let rest = withoutPlural(word);
  rest = withoutTense(rest);
  rest = withAmericanSpelling(rest);
  rest = withoutDerivation(rest);
  return withoutEnding(rest);
}

const ENGLISH = /^[a-z]+$/;
const VOWEL = /[aeiouy]/;

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutTense(word: string): string {
  for (const ending of ['ing', 'ed']) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, -ending.length);
    // "string", "need" and "bring" are no forms of a shorter word.
    if (rest.length >= 3 && VOWEL.test(rest) && !rest.endsWith('e')) return infinitive(rest);
  }
  return word;
}

/** "copied" was "copy", "coding" was "code", "validating" was "validate"; but "fixing" was "fix". */
function infinitive(rest: string): string {
  if (rest.endsWith('i')) return `${rest.slice(0, -1)}y`;
  if (/^[^aeiou][aeiouy][^aeiouwxy]$/.test(rest)) return `${rest}e`;
  return rest.length > 4 && /[^eo]at$/.test(rest) ? `${rest}e` : rest;
}

/** The final "e" of "-ise" and "-yse" may be gone already. */
function withAmericanSpelling(word: string): string {
  if (word.length < 6) return /^(?:colour|favour|labour)$/.test(word) ? word.replace('our', 'or') : word;
  return word
    .replace(/isation$/, 'ization')
    .replace(/lys(?:e|is|er)?$/, 'lyz')
    .replace(/(?<=[a-z]{3}[lmnrtv])is(e|er)?$/, 'iz$1')
    .replace(/(?<=[a-z]{3})our$/, 'or')
    .replace(/([td])re$/, '$1er')
    .replace(/ogue$/, 'og');
}

/** Endings that make another word of the same matter, what they become, and how long the word must then still be. */
const DERIVATIONS: readonly (readonly [ending: string, becomes: string, least: number])[] = [
  ...['ization', 'izer', 'ize', 'iz'].map((ending) => [ending, '', 4] as const),
  ['ability', 'abl', 5],
  ['ibility', 'ibl', 5],
  ['ically', 'ic', 4],
  ['ly', '', 4],
  ...['ational', 'ation', 'ator', 'ate', 'atic'].map((ending) => [ending, '', 4] as const),
  ['tion', 't', 4],
  ['sion', 's', 4],
  ['tor', 't', 4],
  // Not "customer", which would meet "custom".
  ['customer', 'customer', 4],
  ['er', '', 4],
  ['ment', '', 5],
  ['ness', '', 4],
  ['ity', '', 5],
  // Not "general", which would meet "generate".
  ['eral', 'eral', 4],
  ['al', '', 5],
];

/** The last letters of all these endings. */
const MAY_BE_DERIVED = /(?:er|ze|iz|or|te|ic|on|ly|ty|al|nt|ss)$/;

function withoutDerivation(word: string): string {
  // Most words have none of these endings.
  if (!MAY_BE_DERIVED.test(word)) return word;
  let rest = word;
  for (const [ending, becomes, least] of DERIVATIONS) {
    if (!rest.endsWith(ending)) continue;
    const length = rest.length - ending.length;
    if (ending === becomes) return rest;
    if (length + becomes.length >= least) rest = rest.slice(0, length) + becomes;
  }
  return rest;
}

/** What is left of "cancelled", "cancel" and "cache", "caching" is brought together by the last letters. */
function withoutEnding(word: string): string {
  // "note" must not become "not".
  if (word.length < 4 || /^.{3}e$/.test(word)) return word;
  if (word.endsWith('e')) return withoutDouble(word.slice(0, -1));
  if (/[^aeiou]y$/.test(word)) return word.length > 5 ? word.slice(0, -1) : `${word.slice(0, -1)}i`;
  return withoutDouble(word);
}

const withoutDouble = (word: string): string => (/([^aeiou])\1$/.test(word) ? word.slice(0, -1) : word);
