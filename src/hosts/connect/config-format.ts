// The formats that hosts keep their configuration in: each can read a text, and change one entry in it and nothing else.
import type { Result } from '../../values/result.ts';
import { jsonFormat } from './edit-json.ts';
import { tomlFormat } from './edit-toml.ts';
import { yamlFormat } from './edit-yaml.ts';
import type { Fields } from './fields.ts';

/** `keys` lead from the top of the file to the entry; the last one is its name. */
export interface ConfigFormat {
  /** All that the file says, or why it cannot be read. A text without content says nothing. */
  readonly parse: (text: string) => Result<Fields, string>;
  /** The text with this entry, added or replaced. Expects a text that parses. */
  readonly put: (text: string, keys: readonly string[], entry: Fields) => string;
  /** The text without the entry. Expects one that has it. */
  readonly remove: (text: string, keys: readonly string[]) => string;
  /** The entry as it would stand in a new file. */
  readonly render: (keys: readonly string[], entry: Fields) => string;
  /** Whether the entry stands there more than once. Absent: `parse` refuses that. */
  readonly isDouble?: (text: string, keys: readonly string[]) => boolean;
}

export const configFormats = { json: jsonFormat, toml: tomlFormat, yaml: yamlFormat } as const satisfies Record<
  string,
  ConfigFormat
>;

export type FormatName = keyof typeof configFormats;
