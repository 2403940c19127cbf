// One JSON value on one line, as harmless for a terminal as json-output.ts makes it.
import { toJsonText } from './json-output.ts';

/** Line breaks inside texts are written as \n, so that every real one stands between values. */
export const toJsonLine = (value: unknown): string => `${toJsonText(value).replace(/\n */g, '')}\n`;
