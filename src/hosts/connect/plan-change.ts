// A configuration's text and a wanted entry → the new text, or why there is none. Pure.
// Whatever the editors do is checked: the entry is as wanted, and all else says what it said before.
import { fail, ok, type Result } from '../../values/result.ts';
import { type ConfigFormat, configFormats, type FormatName } from './config-format.ts';
import { createFields, type Fields, findValue, isFields, isSame, withValue } from './fields.ts';
import { parseConfig, withinStack, withoutMark } from './parse-config.ts';

export interface Place {
  readonly format: FormatName;
  /** From the top of the file to the entry. */
  readonly keys: readonly string[];
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
  text: string | undefined,
  place: Place,
  entryFor: (present: Fields | undefined) => Fields,
): Result<PlannedChange, string> {
  const read = readEntry(text ?? '', place);
  if (!read.ok) return read;
  const { fields, entry: before } = read.value;
  const after = entryFor(before);
  if (before !== undefined && isSame(before, after)) return ok({ action: 'unchanged', before, after, text });
  const changed = keepMark(text ?? '', (plain) => configFormats[place.format].put(plain, place.keys, after));
  if (!isSame(valuesOf(changed, place), withValue(fields, place.keys, after))) return fail(unusual);
  return ok({ action: before === undefined ? 'added' : 'replaced', before, after, text: changed });
}

/** `backup`: the file as it was before an entry was added, if that is known. */
export function planRemoval(
  text: string | undefined,
  place: Place,
  backup: string | undefined,
): Result<PlannedChange, string> {
  const read = readEntry(text ?? '', place);
  if (!read.ok) return read;
  const { fields, entry: before } = read.value;
  if (text === undefined || before === undefined) return ok({ action: 'absent', before, after: before, text });
  const removed = { action: 'removed', before, after: undefined } as const;
  if (backup !== undefined && isOnlyAddition(backup, text, place, before)) return ok({ ...removed, text: backup });
  if (isOnlyAddition(undefined, text, place, before)) return ok({ ...removed, text: undefined });
  const changed = keepMark(text, (plain) => configFormats[place.format].remove(plain, place.keys));
  const parents = place.keys.slice(0, -1);
  const wanted = withoutEmpty(withValue(fields, place.keys, undefined), parents);
  if (!isSame(withoutEmpty(valuesOf(changed, place), parents), wanted)) return fail(unusual);
  return ok({ ...removed, text: changed });
}

/** Whether `text` is `base`, which has no such entry, with this one added and nothing else changed since. */
export function isOnlyAddition(base: string | undefined, text: string, place: Place, entry: Fields): boolean {
  const plan = withinStack(() => planPut(base, place, () => entry));
  return plan.ok && plan.value.action === 'added' && plan.value.text === text;
}

/** In TOML a table that only had tables in it goes with the last of them. */
function withoutEmpty(fields: Fields, keys: readonly string[]): Fields {
  const value = findValue(fields, keys);
  if (keys.length === 0 || !isFields(value) || Object.keys(value).length > 0) return fields;
  return withoutEmpty(withValue(fields, keys, undefined), keys.slice(0, -1));
}

const unusual = 'it is laid out in a way that cannot be changed safely';

interface ReadEntry {
  readonly fields: Fields;
  readonly entry: Fields | undefined;
}

function readEntry(text: string, { format, keys }: Place): Result<ReadEntry, string> {
  const parsed = parseConfig(text, format);
  if (!parsed.ok) return parsed;
  const fields = parsed.value;
  for (let length = 1; length <= keys.length; length++) {
    const value = findValue(fields, keys.slice(0, length));
    if (value === undefined) return ok({ fields, entry: undefined });
    // A key with nothing behind it is how people leave room in YAML.
    if (value === null && format === 'yaml' && length < keys.length) return ok({ fields, entry: undefined });
    if (!isFields(value)) return fail(`"${keys.slice(0, length).join('.')}" is not ${nouns[format]}`);
  }
  const { isDouble }: ConfigFormat = configFormats[format];
  if (isDouble?.(withoutMark(text), keys)) return fail(`"${keys.join('.')}" is there twice; delete one of the two`);
  const entry = findValue(fields, keys);
  return ok({ fields, entry: isFields(entry) ? entry : undefined });
}

const nouns = { json: 'an object', toml: 'a table', yaml: 'a map' } as const satisfies Record<FormatName, string>;

function valuesOf(text: string, { format }: Place): Fields {
  const parsed = parseConfig(text, format);
  return parsed.ok ? parsed.value : createFields([['', parsed.failure]]);
}

/** Windows programs put a byte order mark first; it stays. */
function keepMark(text: string, change: (plain: string) => string): string {
  const plain = withoutMark(text);
  return text.slice(0, text.length - plain.length) + change(plain);
}
