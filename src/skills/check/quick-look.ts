// One pass that says "certainly nothing to complain about" for almost every value, without collecting anything.
import { type FieldLooks, isCleanObject, type LookAt, looksClean } from './json-inspection.ts';
import { findReferenced, isJsonSchema, type JsonSchema } from './json-schema.ts';

/**
 * True only when the JSON is fit to hold and no field is unknown to the schema. False means: look again, thoroughly.
 * Types, lengths and patterns are not looked at.
 */
export type QuickLook = LookAt;

export function createQuickLook(root: JsonSchema): QuickLook {
  const compiled = new Map<JsonSchema, QuickLook>();
  const compile = (schema: unknown): QuickLook => {
    if (!isJsonSchema(schema)) return schema === false ? never : looksClean;
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    // Entered before its parts are compiled: they may refer back to it.
    let quick: QuickLook = never;
    compiled.set(schema, (value, depth, look) => quick(value, depth, look));
    quick = lookOf(root, schema, compile);
    return quick;
  };
  return compile(root);
}

type Compile = (schema: unknown) => QuickLook;

const never: QuickLook = () => false;

/** Whatever has these is left to the thorough look. */
const INTRICATE = [
  'oneOf',
  'allOf',
  'not',
  'patternProperties',
  'unevaluatedProperties',
  'propertyNames',
  'prefixItems',
];

function lookOf(root: JsonSchema, schema: JsonSchema, compile: Compile): QuickLook {
  if (INTRICATE.some((keyword) => keyword in schema)) return never;
  if (schema.$ref !== undefined) return compile(findReferenced(root, schema) ?? false);
  if (schema.anyOf !== undefined) return lookOfNullable(schema, compile);
  if (schema.items !== undefined) return lookOfList(compile(schema.items));
  if (schema.properties !== undefined || schema.additionalProperties !== undefined)
    return lookOfObject(schema, compile);
  return looksClean;
}

/** `X | null`; other choices are intricate. */
function lookOfNullable({ anyOf }: JsonSchema, compile: Compile): QuickLook {
  const [first, second, ...more] = Array.isArray(anyOf) ? anyOf : [];
  if (more.length > 0 || !isJsonSchema(second) || second.type !== 'null') return never;
  const inner = compile(first);
  return (value, depth, look) => value === null || inner(value, depth, look);
}

function lookOfList(item: QuickLook): QuickLook {
  return (value, depth, look) => {
    if (!Array.isArray(value)) return looksClean(value, depth, look);
    if (depth > look.maxDepth || look.units > look.maxUnits) return false;
    for (const each of value) if (!item(each, depth + 1, look)) return false;
    return true;
  };
}

function lookOfObject(schema: JsonSchema, compile: Compile): QuickLook {
  const fields = fieldLooks(schema, compile);
  return (value, depth, look) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return looksClean(value, depth, look);
    return isCleanObject(value, depth, look, fields);
  };
}

function fieldLooks({ properties, additionalProperties }: JsonSchema, compile: Compile): FieldLooks {
  // Nobody may have `__proto__`, whatever a schema says.
  const known = Object.entries(properties ?? {}).filter(([name]) => name !== '__proto__');
  return {
    names: known.map(([name]) => name),
    looks: known.map(([, schema]) => compile(schema)),
    places: new Map(known.map(([name], place) => [name, place])),
    further: compile(additionalProperties ?? true),
  };
}
