// Text without the characters that steer a terminal: as JSON, or as a document of which nothing is hidden. Pure.

/** DEL and C1, line separators, and marks that reorder or hide text. JSON.stringify escapes none of them. */
const STEERING = '\\x7f-\\x9f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\u{e0000}-\\u{e007f}';

const inJson = new RegExp(`[${STEERING}]`, 'gu');
/** Newlines and tabs stay. */
const inDocument = new RegExp(`[\\0-\\x08\\x0b-\\x1f${STEERING}]`, 'gu');

/** The same value for every reader of JSON: such characters are written as \u…. */
export function toJsonText(value: unknown, indent = 2): string {
  return `${JSON.stringify(value, null, indent).replace(inJson, escapeUnits)}\n`;
}

/** On one line. */
export const toJsonLine = (value: unknown): string => toJsonText(value, 0);

/** A document for a terminal: what would steer it is shown by its code. Pipes get the bytes instead. */
export function toVisibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(inDocument, showCode);
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

function showCode(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
}
