// Text without the characters that steer a terminal: as JSON, or as a document of which nothing is hidden. Pure.
import { escapeSteering, STEERING, showCode } from '../../../text/one-line.ts';

/** Newlines and tabs stay. */
const inDocument = new RegExp(`[\\0-\\x08\\x0b-\\x1f${STEERING}]`, 'gu');

/** The same value for every reader of JSON: such characters are written as \u…. */
export function toJsonText(value: unknown, indent = 2): string {
  return `${escapeSteering(JSON.stringify(value, null, indent))}\n`;
}

/** On one line. */
export const toJsonLine = (value: unknown): string => toJsonText(value, 0);

/** A document for a terminal: what would steer it is shown by its code. Pipes get the bytes instead. */
export function toVisibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(inDocument, showCode);
}
