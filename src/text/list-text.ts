// A text from outside, safe inside a list or a sentence of ours.
import { toOneLine } from './one-line.ts';

/** One line, capped, and no markup that could end the list and start another. */
export const listText = (text: string, max: number): string => withoutTags(toOneLine(text, max));

export const withoutTags = (line: string): string => line.replace(/<(?=[a-z/!?])/gi, '&lt;');
