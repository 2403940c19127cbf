// A text from outside, safe inside a list or a sentence of ours: one line, no markup, and of what a caller sent no credential.
import { withoutCredentials } from './credentials.ts';
import { toOneLine } from './one-line.ts';

/** One line, capped, and no markup that could end the list and start another. */
export const listText = (text: string, max: number): string => withoutTags(toOneLine(text, max));

export const withoutTags = (line: string): string => line.replace(/<(?=[a-z/!?])/gi, '&lt;');

/** More than this of what a caller sent is not looked at: it may have any length. */
const MOST_READ = 8_000;

/** What a caller sent, in an answer: as `listText`, and what looks like a credential is left out (T9). */
export const echoText = (text: string, max: number): string =>
  listText(withoutCredentials(text.slice(0, MOST_READ)), max);
