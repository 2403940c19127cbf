// What `connect` asks of each format that hosts keep their configuration in. Only types.
import type { Result } from '../../values/result.ts';
import type { Fields } from './fields.ts';

export type FormatName = 'json' | 'toml' | 'yaml';

export interface ConfigFormat {
  /** A text as it can be read and changed, or why it cannot be read. A text without content says nothing. */
  readonly open: (text: string) => Result<OpenText, string>;
  /** The entry as it would stand in a new file. */
  readonly render: (keys: readonly string[], entry: Fields) => string;
}

/** `keys` lead from the top of the file to the entry; the last one is its name. */
export interface OpenText {
  /** All that the text says. */
  readonly fields: Fields;
  /** The text with this entry, added or replaced. */
  readonly put: (keys: readonly string[], entry: Fields) => string;
  /** The text without the entry, which it has. */
  readonly remove: (keys: readonly string[]) => string;
  /** Whether the entry stands there more than once. Absent: `open` refuses that. */
  readonly isDouble?: (keys: readonly string[]) => boolean;
}
