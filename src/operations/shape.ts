// A value described once: its JSON Schema, its TypeScript type, and what is wrong with one that does not fit.
// A closed subset of JSON Schema without a library: `repertoire mcp` loads it at every start.
import type { Violation } from '../skills/check/violation.ts';
import { withoutCredentials } from '../text/credentials.ts';
import { isRecord } from '../values/is-record.ts';
import type { JsonObject } from '../values/json-object.ts';
import { fail, ok, type Result } from '../values/result.ts';

/** `path`: where the value stands, for the messages. */
type FindFaults = (value: unknown, path: string) => readonly Violation[];

/** How a value is read that was left out. */
interface Absence {
  readonly usual: unknown;
  /** `null` stands for nothing. */
  readonly takesNull?: boolean;
}

export class Shape<out T = unknown> {
  readonly schema: JsonObject;
  readonly faultsIn: FindFaults;
  /** There where it may be left out. */
  readonly absent: Absence | undefined;
  /** Never there: the compiler reads `T` from it. */
  declare readonly type?: T;

  constructor(schema: JsonObject, faultsIn: FindFaults, absent?: Absence) {
    this.schema = schema;
    this.faultsIn = faultsIn;
    this.absent = absent;
  }

  /** A sentence for readers of the description. */
  about(description: string): Shape<T> {
    const schema = names.has(this.schema) ? { allOf: [this.schema] } : this.schema;
    return new Shape({ ...schema, description }, this.faultsIn, this.absent);
  }

  /** With a name of its own in the description of the API: whatever uses it refers to it. */
  named(name: string): Shape<T> {
    const schema = { ...this.schema };
    names.set(schema, name);
    return new Shape(schema, this.faultsIn, this.absent);
  }

  nullable(): Shape<T | null> {
    const { schema } = this;
    const isPlain = typeof schema.type === 'string' && !('enum' in schema || 'const' in schema || names.has(schema));
    return new Shape(
      isPlain ? { ...schema, type: [schema.type, 'null'] } : { anyOf: [schema, { type: 'null' }] },
      (value, path) => (value === null ? NONE : this.faultsIn(value, path)),
      this.absent,
    );
  }

  optional(): Shape<T | undefined> {
    return new Shape(this.schema, this.faultsIn, { usual: undefined, ...this.absent });
  }

  /** It may be left out, and is `value` then. */
  usual(value: T): Shape<T> {
    return new Shape({ ...this.schema, default: value }, this.faultsIn, { ...this.absent, usual: value });
  }

  /** Some agents send `null` for what they leave out, though the schema does not offer it. */
  orNull(): Shape<T> {
    if (this.absent === undefined) throw new Error('Only what may be left out can be null instead');
    return new Shape(this.schema, this.faultsIn, { ...this.absent, takesNull: true });
  }
}

const names = new WeakMap<JsonObject, string>();

/** `undefined` for a schema that stands where it is used. */
export const componentName = (schema: JsonObject): string | undefined => names.get(schema);

export type TypeOf<S> = S extends Shape<infer T> ? T : never;

export type Fields = Readonly<Record<string, Shape>>;

type Left<F extends Fields> = { [K in keyof F]: undefined extends TypeOf<F[K]> ? K : never }[keyof F];

/** What an object of these fields is; those that may be left out and have no usual value may be missing. */
export type ValuesOf<F extends Fields> = { readonly [K in Exclude<keyof F, Left<F>>]: TypeOf<F[K]> } & {
  readonly [K in Left<F>]?: Exclude<TypeOf<F[K]>, undefined>;
};

const NONE: readonly Violation[] = [];

/** `wanted` ends the sentences "must be …" and "is required: send …". */
const simple = <T>(schema: JsonObject, wanted: string, fits: (value: unknown) => boolean): Shape<T> =>
  new Shape(schema, (value, path) => (fits(value) ? NONE : [{ path, message: complaint(value, wanted) }]));

const complaint = (value: unknown, wanted: string): string =>
  value === undefined ? `is required: send ${wanted}` : `must be ${wanted}`;

interface TextRules {
  readonly least?: number;
  readonly most?: number;
  readonly pattern?: RegExp;
  readonly format?: string;
  /** In words; needed where a pattern says more than a length. */
  readonly wanted?: string;
  /** What else is wrong with it, beyond what JSON Schema can say: a whole predicate, such as "must not be …". */
  readonly fault?: (text: string) => string | undefined;
}

export function text(rules: TextRules = {}): Shape<string> {
  const { least = 0, most = Number.POSITIVE_INFINITY, pattern, format, wanted = textOf(least, most), fault } = rules;
  const schema = {
    type: 'string',
    ...(least > 0 && { minLength: least }),
    ...(Number.isFinite(most) && { maxLength: most }),
    ...(pattern && { pattern: pattern.source }),
    ...(format && { format }),
  };
  if (pattern?.flags) throw new Error(`A JSON Schema cannot say the flags of ${pattern}`);
  const isLimited = least > 0 || Number.isFinite(most);
  const fits = (value: unknown): value is string =>
    typeof value === 'string' &&
    (!isLimited || (hasAtLeast(value, least) && !hasAtLeast(value, most + 1))) &&
    (pattern?.test(value) ?? true);
  return new Shape(schema, (value, path) => {
    const message = fits(value) ? fault?.(value) : complaint(value, wanted);
    return message === undefined ? NONE : [{ path, message }];
  });
}

/** In code points, as JSON Schema counts. A text of so many has at most twice as many units. */
const hasAtLeast = (value: string, length: number): boolean =>
  value.length >= length && (value.length >= 2 * length || [...value].length >= length);

function textOf(least: number, most: number): string {
  if (Number.isFinite(most)) return `a text of ${least > 0 ? `${least} to` : 'at most'} ${most} characters`;
  return least > 0 ? 'a text that is not empty' : 'a text';
}

/** As `Date.toISOString` writes it. */
export const moment = text({
  format: 'date-time',
  fault: (value) => (Number.isNaN(Date.parse(value)) ? 'must be a date-time' : undefined),
});

export interface Range {
  readonly least?: number;
  readonly most?: number;
}

export const whole = (range: Range = {}): Shape<number> =>
  simple({ type: 'integer', ...boundsOf(range) }, `a whole number${rangeText(range)}`, (value) => {
    return Number.isInteger(value) && isWithin(value, range);
  });

export const decimal = (range: Range = {}): Shape<number> =>
  simple({ type: 'number', ...boundsOf(range) }, `a number${rangeText(range)}`, (value) => isWithin(value, range));

const isWithin = (value: unknown, { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }: Range) =>
  typeof value === 'number' && value >= least && value <= most;

const boundsOf = ({ least, most }: Range): JsonObject => ({
  ...(least !== undefined && { minimum: least }),
  ...(most !== undefined && { maximum: most }),
});

function rangeText({ least, most }: Range): string {
  if (most !== undefined) return ` from ${least ?? '…'} to ${most}`;
  return least === undefined ? '' : ` of at least ${least}`;
}

/** How many there are of something. */
export const count = whole({ least: 0 });

export const flag: Shape<boolean> = simple({ type: 'boolean' }, 'true or false', (value) => typeof value === 'boolean');

export const choice = <const T extends string>(values: readonly T[]): Shape<T> => {
  const wanted = values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`;
  return simple({ type: 'string', enum: values }, wanted, (value) => values.some((each) => each === value));
};

export const exactly = <const T extends boolean | string | null>(value: T): Shape<T> => {
  const schema = value === null ? { type: 'null' } : { type: typeof value, const: value };
  return simple(schema, JSON.stringify(value), (given) => given === value);
};

export const anything: Shape = simple({}, 'a value', (value) => value !== undefined);

/** Of any fields. */
export const object: Shape<JsonObject> = simple({ type: 'object' }, 'an object', isRecord);

/** By some of these names. */
export const mapOf = <K extends string, T>(keys: Shape<K>, values: Shape<T>): Shape<Readonly<Partial<Record<K, T>>>> =>
  new Shape({ type: 'object', propertyNames: keys.schema, additionalProperties: values.schema }, (value, path) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([name, each]) => [
          ...keys.faultsIn(name, fieldPath(path, name)),
          ...values.faultsIn(each, fieldPath(path, name)),
        ])
      : object.faultsIn(value, path),
  );

/** Described here, checked elsewhere. */
export const described = <T>(schema: JsonObject): Shape<T> => new Shape(schema, () => NONE);

export const list = <T>(items: Shape<T>, most = Number.POSITIVE_INFINITY): Shape<readonly T[]> => {
  const limit = Number.isFinite(most) ? { maxItems: most } : {};
  const wanted = Number.isFinite(most) ? `a list of at most ${most} entries` : 'a list';
  return new Shape({ type: 'array', items: items.schema, ...limit }, (value, path) =>
    Array.isArray(value) && value.length <= most
      ? value.flatMap((each, index) => items.faultsIn(each, `${path}[${index}]`))
      : [{ path, message: complaint(value, wanted) }],
  );
};

/** With these fields and no others. */
export const record = <F extends Fields>(fields: F): Shape<ValuesOf<F>> =>
  new Shape(schemaOfFields(fields), (value, path) => {
    if (!isRecord(value)) return object.faultsIn(value, path);
    const read = readFields(fields, value, path);
    return read.ok ? NONE : read.failure;
  });

export function schemaOfFields(fields: Fields): JsonObject {
  const entries = Object.entries(fields);
  const properties = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  const required = entries.filter(([, { absent }]) => absent === undefined).map(([name]) => name);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** One of two shapes; what is wrong is told of the last. */
export const either = <A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> =>
  new Shape({ anyOf: [one.schema, other.schema] }, (value, path) =>
    one.faultsIn(value, path).length === 0 ? NONE : other.faultsIn(value, path),
  );

/** A word of an address or a command line, as the shape wants it. Only digits are a number: `1e2`, ` 5` and nothing are none. */
export function fromWord(word: string, shape: Shape | undefined): unknown {
  const type = shape?.schema.type;
  if (type === 'integer' && /^\d{1,9}$/.test(word)) return Number(word);
  if (type === 'boolean' && (word === 'true' || word === 'false')) return word === 'true';
  return word;
}

/** What came, with the usual values where something was left out; or everything that is wrong with it. */
export function readFields<F extends Fields>(
  fields: F,
  given: JsonObject,
  path = '',
): Result<ValuesOf<F>, readonly Violation[]> {
  const faults = unknownFields(Object.keys(given), Object.keys(fields), path);
  const values: Record<string, unknown> = {};
  for (const [name, { absent, faultsIn }] of Object.entries(fields)) {
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    const value = own === null && absent?.takesNull ? undefined : own;
    if (value !== undefined || absent === undefined) {
      // Our own name: nothing in it has to be hidden.
      faults.push(...faultsIn(value, path === '' ? name : `${path}.${name}`));
      values[name] = value;
    } else if (absent.usual !== undefined) values[name] = absent.usual;
  }
  // Every field was found to be what its shape says.
  return faults.length === 0 ? ok(values as ValuesOf<F>) : fail(faults);
}

const fieldPath = (path: string, name: string): string => (path === '' ? shown(name) : `${path}.${shown(name)}`);

export function unknownFields(given: readonly string[], known: readonly string[], path = ''): Violation[] {
  const takes = known.length === 0 ? 'nothing is' : `known are ${known.join(', ')}`;
  return given
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: fieldPath(path, name), message: `is not known here: ${takes}` }));
}

/** Names come from the client: one that is not plain is quoted, and cut. */
export const shown = (name: string): string =>
  PLAIN.test(name) ? withoutCredentials(name) : JSON.stringify(plain(name));

const PLAIN = /^[\w-]{1,64}$/;

const plain = (name: string): string =>
  withoutCredentials(name.slice(0, 1_000))
    .slice(0, 64)
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '\uFFFD');
