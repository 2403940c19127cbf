// How many values a JSON text holds, read without building any: a megabyte of `{},{},…` takes a hundred megabytes as objects,
// and the whole program waits while they are made.

/**
 * Objects, lists, texts, numbers, `true`, `false`, `null` and the names of fields count one each. As many are parsed, checked,
 * redacted, recorded and sent in less than a tenth of a second, whatever they are.
 */
export const MAX_JSON_VALUES = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Of a text that is no JSON any answer may come. Looks no further than it has to. */
export function hasTooManyValues(json: string, most = MAX_JSON_VALUES): boolean {
  // With its comma or its brackets each takes two characters: almost no text has to be looked through.
  if (json.length < 2 * most) return false;
  let left = most;
  let isInWord = false;
  for (let at = 0; at < json.length && left >= 0; at++) {
    const unit = json.charCodeAt(at);
    const begins = BEGINS[unit] ?? WORD;
    if (begins === VALUE || (begins === WORD && !isInWord)) left--;
    isInWord = begins === WORD;
    if (unit === QUOTE) at = endOfText(json, at);
  }
  return left < 0;
}

/** What a character begins: a letter or a digit is a word's, and of `true` and `12` only the first begins a value. */
const [NOTHING, VALUE, WORD] = [0, 1, 2] as const;

const BEGINS = new Uint8Array(128).fill(WORD);
for (const sign of '{["') BEGINS[sign.charCodeAt(0)] = VALUE;
for (const sign of '}],: \t\r\n') BEGINS[sign.charCodeAt(0)] = NOTHING;

/** Where the quote that closes it stands. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

/** By an odd number of backslashes. */
function isEscaped(json: string, quote: number): boolean {
  let first = quote;
  while (json.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}
