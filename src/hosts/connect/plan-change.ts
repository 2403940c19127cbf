// A configuration's text and a wanted entry → the new text, or why there is none. Pure.
// Whatever the formats do is checked: the entry is as wanted, and all else says what it said before.
import { fail, ok, type Result } from '../../values/result.ts';
import type { FormatName, OpenText } from './config-format.ts';
import { createFields, type Fields, findValue, isFields, isSame, withValue } from './fields.ts';
import { openConfig, withinStack } from './open-config.ts';

/** Where in a file the entry stands, or would stand. */
export interface EntryPath {
  readonly format: FormatName;
  /** From the top of the file to the entry. */
  readonly keys: readonly string[];
}

/** A file that can be read, as it is. */
export interface PresentConfig extends EntryPath {
  /** `undefined`: there is no file. */
  readonly text: string | undefined;
  readonly open: OpenText;
}

export interface PlannedChange {
  readonly action: 'added' | 'replaced' | 'unchanged' | 'removed' | 'absent';
  readonly before: Fields | undefined;
  readonly after: Fields | undefined;
  /** What the file is to hold; `undefined`: there is to be no file. */
  readonly text: string | undefined;
}

/** `entryFor`: the wanted entry, which may keep something of the present one. */
export function planPut(
  config: PresentConfig,
  entryFor: (present: Fields | undefined) => Fields,
): Result<PlannedChange, string> {
  const present = findEntry(config);
  if (!present.ok) return present;
  const { text, open, keys } = config;
  const before = present.value;
  const after = entryFor(before);
  if (before !== undefined && isSame(before, after)) return ok({ action: 'unchanged', before, after, text });
  const changed = open.put(keys, after);
  if (!isSame(fieldsOf(changed, config), withValue(open.fields, keys, after))) return fail(unusual);
  return ok({ action: before === undefined ? 'added' : 'replaced', before, after, text: changed });
}

/** `backup`: the file as it was before an entry was added, if that is known. */
export function planRemoval(config: PresentConfig, backup: string | undefined): Result<PlannedChange, string> {
  const present = findEntry(config);
  if (!present.ok) return present;
  const { text, open, keys } = config;
  const before = present.value;
  if (text === undefined || before === undefined) return ok({ action: 'absent', before, after: before, text });
  const removed = { action: 'removed', before, after: undefined } as const;
  if (backup !== undefined && isOnlyAddition(backup, text, config, before)) return ok({ ...removed, text: backup });
  if (isOnlyAddition(undefined, text, config, before)) return ok({ ...removed, text: undefined });
  const changed = open.remove(keys);
  const parents = keys.slice(0, -1);
  const wanted = withoutEmpty(withValue(open.fields, keys, undefined), parents);
  if (!isSame(withoutEmpty(fieldsOf(changed, config), parents), wanted)) return fail(unusual);
  return ok({ ...removed, text: changed });
}

/** Whether `text` is `base`, which has no such entry, with this one added and nothing else changed since. */
export function isOnlyAddition(base: string | undefined, text: string, path: EntryPath, entry: Fields): boolean {
  const open = openConfig(base ?? '', path.format);
  if (!open.ok) return false;
  const plan = withinStack(() => planPut({ ...path, text: base, open: open.value }, () => entry));
  return plan.ok && plan.value.action === 'added' && plan.value.text === text;
}

/** In TOML a table that only had tables in it goes with the last of them. */
function withoutEmpty(fields: Fields, keys: readonly string[]): Fields {
  const value = findValue(fields, keys);
  if (keys.length === 0 || !isFields(value) || Object.keys(value).length > 0) return fields;
  return withoutEmpty(withValue(fields, keys, undefined), keys.slice(0, -1));
}

const unusual = 'its layout cannot be edited safely';

function findEntry({ open, format, keys }: PresentConfig): Result<Fields | undefined, string> {
  for (let length = 1; length <= keys.length; length++) {
    const value = findValue(open.fields, keys.slice(0, length));
    if (value === undefined) return ok(undefined);
    // A key with nothing behind it is how people leave room in YAML.
    if (value === null && format === 'yaml' && length < keys.length) return ok(undefined);
    if (!isFields(value)) return fail(`"${keys.slice(0, length).join('.')}" is not ${nouns[format]}`);
  }
  if (open.isDouble?.(keys)) return fail(`"${keys.join('.')}" appears twice; delete one of them`);
  const entry = findValue(open.fields, keys);
  return ok(isFields(entry) ? entry : undefined);
}

const nouns = { json: 'an object', toml: 'a table', yaml: 'a map' } as const satisfies Record<FormatName, string>;

function fieldsOf(text: string, { format }: EntryPath): Fields {
  const open = openConfig(text, format);
  return open.ok ? open.value.fields : createFields([['', open.failure]]);
}
