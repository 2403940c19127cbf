// What may serve as the operator's token, whether we made it or somebody chose it. Pure.

/** What a bearer token may consist of (RFC 6750). */
const SHAPE = /^[A-Za-z0-9._~+/=-]+$/;
/** So long that it cannot be guessed if it was drawn at random. */
const LEAST = 32;
/** So short that every header has room for it. */
const MOST = 4_096;

/** Ends the sentence "Cannot use …: "; `undefined` when the text will do. */
export function operatorTokenFault(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text.length < LEAST) return `it has fewer than ${LEAST} characters`;
  if (text.length > MOST) return `it has more than ${MOST} characters`;
  return SHAPE.test(text) ? undefined : 'it has other characters than letters, digits and . _ ~ + / = -';
}
