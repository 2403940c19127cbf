// A text that a caller sent, as an attribute: one line of bounded length, and no credential in it.
import { withoutCredentials } from '../text/credentials.ts';
import { toOneLine } from '../text/one-line.ts';

/** More than this is not looked at. */
const MOST_READ = 4_000;

export const tellingText = (text: string, max = 256): string =>
  toOneLine(withoutCredentials(text.slice(0, MOST_READ)), max);
