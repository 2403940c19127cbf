// How many bytes a text takes as a JSON string, known before that string is made.

/** `text`: UTF-8. Without the quotes around it: a control character takes up to six bytes, a quote two. */
export function jsonBytes(text: Uint8Array): number {
  let bytes = text.length;
  for (const byte of text) {
    if (byte < SPACE) bytes += SHORT.has(byte) ? 1 : 5;
    else if (byte === QUOTE || byte === BACKSLASH) bytes += 1;
  }
  return bytes;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `\b`, `\t`, `\n`, `\f`, `\r`. */
const SHORT = new Set([8, 9, 10, 12, 13]);
