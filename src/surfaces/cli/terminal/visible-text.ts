// A document made safe for a terminal: what would steer it is shown instead of sent. Only for terminals; pipes get the bytes.

/** Control characters other than newline and tab, line separators, and marks that reorder or hide text. */
const steering =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

export function toVisibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(steering, showCode);
}

function showCode(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
}
