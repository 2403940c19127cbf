// What kind of field a JSON Schema asks for. What no field fits is written as JSON. Pure.
import { findReferenced, isJsonSchema, type JsonSchema } from '../../../src/skills/check/json-schema.ts';
import { plural } from '../text/format.ts';

export interface Property {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

export type Shape =
  | { readonly kind: 'text'; readonly isLong: boolean }
  | { readonly kind: 'secret' }
  | { readonly kind: 'number' }
  | { readonly kind: 'truth' }
  | { readonly kind: 'choice'; readonly choices: readonly unknown[] }
  | { readonly kind: 'moment' }
  | { readonly kind: 'list'; readonly item: JsonSchema }
  | { readonly kind: 'group'; readonly properties: readonly Property[] }
  | { readonly kind: 'json' };

export interface Field {
  readonly shape: Shape;
  /** Of what the shape was read from: references followed, `null` set aside. */
  readonly schema: JsonSchema;
  readonly takesNull: boolean;
  readonly description: string | undefined;
  readonly fallback: unknown;
}

/** A schema that holds itself is shown so far; below that it is written as JSON. */
const MAX_DEPTH = 5;

/** Longer texts get more room. */
const LONG_TEXT = 300;

export function fieldOf(root: JsonSchema, given: JsonSchema, depth = 0): Field {
  const outer = findReferenced(root, given) ?? given;
  const { schema, takesNull } = withoutNull(root, outer);
  const description = [given, outer, schema].map((place) => place.description).find((text) => typeof text === 'string');
  const fallback = [given, outer, schema].find((place) => 'default' in place)?.default;
  return { shape: shapeOf(schema, depth), schema, takesNull, description: description as string | undefined, fallback };
}

/** `anyOf: [X, null]` and `type: [x, null]` are an X that may also be null. */
function withoutNull(root: JsonSchema, schema: JsonSchema): Pick<Field, 'schema' | 'takesNull'> {
  const variants = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(variants)) {
    const others = variants.filter((variant) => !isJsonSchema(variant) || variant.type !== 'null');
    const [only] = others;
    if (others.length !== 1 || !isJsonSchema(only)) return { schema, takesNull: others.length < variants.length };
    const { anyOf: _anyOf, oneOf: _oneOf, ...around } = schema;
    return {
      schema: { ...around, ...(findReferenced(root, only) ?? only) },
      takesNull: others.length < variants.length,
    };
  }
  if (!Array.isArray(schema.type)) return { schema, takesNull: false };
  const types = schema.type.filter((type) => type !== 'null');
  return {
    schema: { ...schema, type: types.length === 1 ? types[0] : types },
    takesNull: types.length < schema.type.length,
  };
}

function shapeOf(schema: JsonSchema, depth: number): Shape {
  if (schema.allOf !== undefined || schema.anyOf !== undefined || schema.oneOf !== undefined) return { kind: 'json' };
  if (Array.isArray(schema.enum)) return { kind: 'choice', choices: schema.enum.filter((choice) => choice !== null) };
  if (schema.const !== undefined) return { kind: 'choice', choices: [schema.const] };
  const make = typeof schema.type === 'string' ? SHAPES[schema.type] : undefined;
  return make?.(schema, depth) ?? { kind: 'json' };
}

const SHAPES: Readonly<Record<string, (schema: JsonSchema, depth: number) => Shape>> = {
  string: textShape,
  number: () => ({ kind: 'number' }),
  integer: () => ({ kind: 'number' }),
  boolean: () => ({ kind: 'truth' }),
  array: ({ items }, depth) =>
    isJsonSchema(items) && depth < MAX_DEPTH ? { kind: 'list', item: items } : { kind: 'json' },
  object: groupShape,
};

function textShape({ secret, writeOnly, format, maxLength }: JsonSchema): Shape {
  if (secret === true || writeOnly === true || format === 'password') return { kind: 'secret' };
  if (format === 'date-time') return { kind: 'moment' };
  return { kind: 'text', isLong: typeof maxLength === 'number' && maxLength > LONG_TEXT };
}

/** An object that also takes names of the caller's own choosing is written as JSON. */
function groupShape({ properties, required, additionalProperties }: JsonSchema, depth: number): Shape {
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (!isJsonSchema(properties) || isOpen || depth >= MAX_DEPTH) return { kind: 'json' };
  const needed = Array.isArray(required) ? required : [];
  const list = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: isJsonSchema(schema) ? schema : {},
    isRequired: needed.includes(name),
  }));
  return { kind: 'group', properties: list };
}

/** What the value must be like, in few words. */
export function limitsText({ schema, shape, fallback }: Field): string {
  const said = (name: string, text: (value: unknown) => string) =>
    schema[name] === undefined ? [] : [text(schema[name])];
  const words = [
    ...(schema.type === 'integer' ? ['whole number'] : []),
    // The ends of what JavaScript can count are no limits of the skill's own.
    ...said('minimum', (least) => (Number(least) <= Number.MIN_SAFE_INTEGER ? '' : `at least ${least}`)),
    ...said('maximum', (most) => (Number(most) >= Number.MAX_SAFE_INTEGER ? '' : `at most ${most}`)),
    ...said('exclusiveMinimum', (least) => `more than ${least}`),
    ...said('exclusiveMaximum', (most) => `less than ${most}`),
    ...lengthWords(schema),
    ...(shape.kind === 'text' && typeof schema.format === 'string' ? [schema.format] : []),
    ...entryWords(schema),
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
  ];
  return words.filter((word) => word !== '').join(', ');
}

function lengthWords({ minLength, maxLength }: JsonSchema): readonly string[] {
  if (minLength !== undefined && minLength === maxLength) return [`exactly ${plural(Number(minLength), 'character')}`];
  if (minLength !== undefined && maxLength !== undefined) return [`${minLength} to ${maxLength} characters`];
  if (maxLength !== undefined) return [`at most ${plural(Number(maxLength), 'character')}`];
  return minLength === undefined ? [] : [`at least ${plural(Number(minLength), 'character')}`];
}

function entryWords({ minItems, maxItems }: JsonSchema): readonly string[] {
  if (minItems !== undefined && minItems === maxItems) return [`exactly ${entriesText(minItems)}`];
  const least = minItems === undefined ? [] : [`at least ${entriesText(minItems)}`];
  return maxItems === undefined ? least : [...least, `at most ${entriesText(maxItems)}`];
}

const entriesText = (count: unknown): string => plural(Number(count), 'entry', 'entries');
