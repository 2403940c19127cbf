// What a configuration file holds, whatever its format: plain values without a prototype, so that no key is special.

/** A number or a date whose spelling matters, kept as it was written. */
export class Spelled {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): string {
    return this.text;
  }
}

export type Value = null | boolean | number | string | Spelled | readonly Value[] | Fields;

export interface Fields {
  readonly [key: string]: Value;
}

export function isFields(value: Value | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Spelled);
}

export function createFields(pairs: Iterable<readonly [string, Value]>): Fields {
  const fields: Record<string, Value> = Object.create(null);
  for (const [key, value] of pairs) fields[key] = value;
  return fields;
}

/** From a plain object. What is `undefined` is left out. */
export function toFields(data: object): Fields {
  const pairs = Object.entries(data).filter(([, value]) => value !== undefined);
  return createFields(pairs.map(([key, value]) => [key, toValue(value)]));
}

export function toValue(data: unknown): Value {
  if (Array.isArray(data)) return data.map(toValue);
  if (typeof data !== 'object' || data === null) return data as Value; // true: configuration holds JSON's scalars only
  if (data instanceof Spelled) return data;
  return data instanceof Date ? new Spelled(data.toISOString()) : toFields(data);
}

/** The value inside one object for each key. */
export const nest = (keys: readonly string[], value: Value): Value =>
  keys.reduceRight<Value>((inner, key) => createFields([[key, inner]]), value);

/** The value at the end of `keys`, or `undefined` where the way ends before. */
export function findValue(value: Value, keys: readonly string[]): Value | undefined {
  let found: Value | undefined = value;
  for (const key of keys) found = isFields(found) ? found[key] : undefined;
  return found;
}

/** The same value with another one, or with none, at the end of `keys`. */
export function withValue(fields: Fields, keys: readonly string[], value: Value | undefined): Fields {
  const [key = '', ...rest] = keys;
  const inner = fields[key];
  const next = rest.length === 0 ? value : withValue(isFields(inner) ? inner : createFields([]), rest, value);
  const others = Object.entries(fields).filter(([name]) => name !== key);
  return createFields(next === undefined ? others : [...others, [key, next]]);
}

/** The order of keys does not count. */
export function isSame(a: Value | undefined, b: Value | undefined): boolean {
  return sortedText(a) === sortedText(b);
}

function sortedText(value: Value | undefined): string {
  if (value === undefined) return '';
  if (value instanceof Spelled) return `=${value.text}`;
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`;
  if (!isFields(value)) return JSON.stringify(value);
  const pairs = Object.keys(value).sort();
  return `{${pairs.map((key) => `${JSON.stringify(key)}:${sortedText(value[key])}`).join()}}`;
}
