// One pass that says "certainly nothing to complain about" for almost every value, without collecting anything: several times
// as fast as the thorough checks.
import type { JsonLimits } from './json-measure.ts';
import { findReferenced, isJsonSchema, type JsonSchema } from './json-schema.ts';

/** Counts while a value is passed; nothing else is allocated, because almost every value passes. */
export interface Tally {
  units: number;
  /** Beyond it the value is too large for certain: an object that holds another many times over has no end in sight. */
  readonly maxUnits: number;
  readonly maxDepth: number;
  /** Below zero there are too many. */
  valuesLeft: number;
}

/** As long as the longest number: a leaf that is no text counts so much, whatever it is. */
const UNITS_PER_LEAF = 24;

/** `\u0000` is six bytes for one unit. */
const MAX_BYTES_PER_UNIT = 6;

export const createTally = ({ maxBytes, maxDepth, maxValues }: JsonLimits): Tally => ({
  units: 0,
  maxUnits: maxBytes * UNITS_PER_LEAF,
  maxDepth,
  valuesLeft: maxValues,
});

/** Counts a value that holds others; false: nothing in it may be looked at. */
const mayEnter = (depth: number, tally: Tally): boolean =>
  --tally.valuesLeft >= 0 && depth <= tally.maxDepth && tally.units <= tally.maxUnits;

/** Small enough for certain; else the bytes have to be counted. */
export const isSmall = ({ units }: Tally, { maxBytes }: JsonLimits): boolean => units * MAX_BYTES_PER_UNIT <= maxBytes;

/** Too large for certain: its texts alone have more characters than it may have bytes. */
export const isLarge = ({ units, valuesLeft }: Tally, { maxBytes, maxValues }: JsonLimits): boolean =>
  units - UNITS_PER_LEAF * (maxValues - valuesLeft) > maxBytes;

/** True only when there is nothing to complain about. False means: check it thoroughly. */
export type FastPass = (value: unknown, depth: number, tally: Tally) => boolean;

/** Whether the JSON is fit to hold and no field is unknown to the schema. Types, lengths and patterns are not looked at. */
export function createFastPass(root: JsonSchema): FastPass {
  const compiled = new Map<JsonSchema, FastPass>();
  const compile = (schema: unknown): FastPass => {
    if (!isJsonSchema(schema)) return schema === false ? never : passJson;
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    // Entered before its parts are compiled: they may refer back to it.
    let pass: FastPass = never;
    compiled.set(schema, (value, depth, tally) => pass(value, depth, tally));
    pass = passOf(root, schema, compile);
    return pass;
  };
  return compile(root);
}

type Compile = (schema: unknown) => FastPass;

const never: FastPass = () => false;

/** A schema with one of these is left to the thorough checks. */
const INTRICATE = [
  'oneOf',
  'allOf',
  'not',
  'patternProperties',
  'unevaluatedProperties',
  'propertyNames',
  'prefixItems',
];

function passOf(root: JsonSchema, schema: JsonSchema, compile: Compile): FastPass {
  if (INTRICATE.some((keyword) => keyword in schema)) return never;
  if (schema.$ref !== undefined) return compile(findReferenced(root, schema) ?? false);
  if (schema.anyOf !== undefined) return passNullable(schema, compile);
  if (schema.items !== undefined) return passList(compile(schema.items));
  const hasFields = schema.properties !== undefined || schema.additionalProperties !== undefined;
  return hasFields ? passObject(fieldsOf(schema, compile)) : passJson;
}

/** `X | null`; other choices are intricate. */
function passNullable({ anyOf }: JsonSchema, compile: Compile): FastPass {
  const [first, second, ...more] = Array.isArray(anyOf) ? anyOf : [];
  if (more.length > 0 || !isJsonSchema(second) || second.type !== 'null') return never;
  const inner = compile(first);
  return (value, depth, tally) => value === null || inner(value, depth, tally);
}

function passList(item: FastPass): FastPass {
  return (value, depth, tally) => {
    if (!Array.isArray(value)) return passJson(value, depth, tally);
    return mayEnter(depth, tally) && passItems(value, depth, tally, item);
  };
}

/** All items at once before any: a list of holes is long and takes no room. */
function passItems(items: readonly unknown[], depth: number, tally: Tally, item: FastPass): boolean {
  if (items.length > tally.valuesLeft) {
    tally.valuesLeft = -1;
    return false;
  }
  for (const each of items) if (!item(each, depth + 1, tally)) return false;
  return true;
}

function passObject(fields: Fields): FastPass {
  return (value, depth, tally) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return passJson(value, depth, tally);
    return passFields(value, depth, tally, fields);
  };
}

interface Fields {
  /** In the order in which the schema lists them, and most objects have them. */
  readonly names: readonly string[];
  readonly passes: readonly FastPass[];
  readonly indexes: ReadonlyMap<string, number>;
  /** For all other fields. */
  readonly further: FastPass;
}

function fieldsOf({ properties, additionalProperties }: JsonSchema, compile: Compile): Fields {
  // No object may have `__proto__`, whatever a schema says.
  const known = Object.entries(properties ?? {}).filter(([name]) => name !== '__proto__');
  return {
    names: known.map(([name]) => name),
    passes: known.map(([, schema]) => compile(schema)),
    indexes: new Map(known.map(([name], index) => [name, index])),
    further: compile(additionalProperties ?? true),
  };
}

/** Any JSON that is fit to hold. */
export function passJson(value: unknown, depth: number, tally: Tally): boolean {
  if (typeof value === 'string') {
    tally.units += value.length + 2;
    // Before it is looked through: one long text may be there a million times.
    return --tally.valuesLeft >= 0 && tally.units <= tally.maxUnits && isGoodText(value);
  }
  tally.units += UNITS_PER_LEAF;
  if (typeof value !== 'object' || value === null) return --tally.valuesLeft >= 0 && isJsonLeaf(value);
  if (!Array.isArray(value)) return passFields(value, depth, tally, ANY_FIELDS);
  return mayEnter(depth, tally) && passItems(value, depth, tally, passJson);
}

const ANY_FIELDS: Fields = { names: [], passes: [], indexes: new Map(), further: passJson };

/** Fields that are known need no look at their name; all others are looked at alike. */
function passFields(value: object, depth: number, tally: Tally, fields: Fields): boolean {
  if (!mayEnter(depth, tally) || !isPlain(value)) return false;
  const { names, passes, indexes } = fields;
  let expected = 0;
  // What is inherited, too: a plain object has nothing of that kind, unless all objects were tampered with.
  for (const key in value) {
    // Comparing names is quicker than a search, and usually enough.
    const index = names[expected] === key ? expected : indexes.get(key);
    if (index === undefined && (key === '__proto__' || !isGoodText(key))) return false;
    if (index !== undefined) expected = index + 1;
    const field = (value as Readonly<Record<string, unknown>>)[key];
    // JSON leaves it out.
    if (field === undefined) continue;
    tally.units += key.length + UNITS_PER_LEAF;
    tally.valuesLeft--;
    const pass = index === undefined ? fields.further : (passes[index] ?? fields.further);
    if (!pass(field, depth + 1, tally)) return false;
  }
  return true;
}

/** `isWellFormed` is in every Node that we run on, though not yet in the types of ES2023. */
export const isGoodText = (text: string): boolean =>
  (text as unknown as { isWellFormed: () => boolean }).isWellFormed() && !text.includes('\0');

export const isJsonLeaf = (value: unknown): boolean =>
  value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** Objects of another realm (a worker, a loader) count: their prototype's prototype is `null` too. */
export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
