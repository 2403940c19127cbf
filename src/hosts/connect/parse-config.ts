// Reads the text of a host's configuration, within limits: what is too much for us is refused in a sentence. Pure.
import { fail, type Result } from '../../values/result.ts';
import { configFormats, type FormatName } from './config-format.ts';
import type { Fields } from './fields.ts';

/** Nobody writes that much by hand, and reading YAML takes seconds beyond it. JSON has the history of some hosts in it. */
const longest = {
  json: Number.POSITIVE_INFINITY,
  toml: 2 * 1024 * 1024,
  yaml: 2 * 1024 * 1024,
} as const satisfies Record<FormatName, number>;

const byHand = 'change the entry by hand';

export function parseConfig(text: string, format: FormatName): Result<Fields, string> {
  if (text.length > longest[format]) return fail(`it is larger than 2 MB, too large to be edited safely; ${byHand}`);
  return withinStack(() => configFormats[format].parse(withoutMark(text)));
}

/** Whatever calls itself for each level has an end to its stack; a value that holds itself has no last level. */
export function withinStack<T>(compute: () => Result<T, string>): Result<T, string> {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail(`it is too large, nested too deeply or refers to itself, and cannot be edited safely; ${byHand}`);
  }
}

export const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);
