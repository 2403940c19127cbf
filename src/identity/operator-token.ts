// What may serve as the operator's token, whether we made it or somebody chose it. Pure.

/** What a bearer token may consist of (RFC 6750), so long that it cannot be guessed if it was drawn at random. */
const SHAPE = /^[A-Za-z0-9._~+/=-]{32,4096}$/;

/** Ends the sentence "Cannot use …: "; `undefined` when the text will do. */
export function operatorTokenFault(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text.length < 32) return 'it has fewer than 32 characters';
  return SHAPE.test(text) ? undefined : 'it has other characters than letters, digits and . _ ~ + / = -';
}
