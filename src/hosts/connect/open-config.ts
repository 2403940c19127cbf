// Opens the text of a host's configuration, within limits: what is too much for us is refused in a sentence. Pure.
import { fail, ok, type Result } from '../../values/result.ts';
import type { ConfigFormat, FormatName, OpenText } from './config-format.ts';
import { jsonFormat } from './json-format.ts';
import { tomlFormat } from './toml-format.ts';
import { yamlFormat } from './yaml-format.ts';

export const configFormats = {
  json: jsonFormat,
  toml: tomlFormat,
  yaml: yamlFormat,
} as const satisfies Record<FormatName, ConfigFormat>;

/** People do not write that much by hand, and reading TOML or YAML takes seconds beyond it. JSON holds some hosts' history. */
const longest = {
  json: Number.POSITIVE_INFINITY,
  toml: 2 * 1024 * 1024,
  yaml: 2 * 1024 * 1024,
} as const satisfies Record<FormatName, number>;

const byHand = 'edit the entry by hand';

/** The byte order mark that Windows programs put first stays. */
export function openConfig(text: string, format: FormatName): Result<OpenText, string> {
  if (text.length > longest[format]) return fail(`it is larger than 2 MB, too large to be edited safely; ${byHand}`);
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const opened = withinStack(() => configFormats[format].open(text.slice(mark.length)));
  if (!opened.ok || mark === '') return opened;
  const { put, remove } = opened.value;
  return ok({
    ...opened.value,
    put: (keys, entry) => mark + put(keys, entry),
    remove: (keys) => mark + remove(keys),
  });
}

/** Code that calls itself for each level runs out of stack; a value that holds itself has no last level. */
export function withinStack<T>(compute: () => Result<T, string>): Result<T, string> {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail(`it is too large, nested too deeply or refers to itself, and cannot be edited safely; ${byHand}`);
  }
}
