// Makes the published schema say what we enforce: objects that list their properties have no others, unless they say so.
import { findReferenced, isJsonSchema, type JsonSchema, mapSubschemas } from './json-schema.ts';

/** Secret fields of an input are marked `writeOnly` too, which hosts know; an output returns them, so there they are not. */
export function closeObjects(schema: JsonSchema, direction: 'input' | 'output'): JsonSchema {
  return close(schema, { root: schema, direction, insideAllOf: false, entered: new Set() });
}

interface Place {
  readonly root: JsonSchema;
  readonly direction: 'input' | 'output';
  /** Members of `allOf` share one object: closed, each would refuse what the others list. */
  readonly insideAllOf: boolean;
  /** The definitions we are inside of by way of `allOf`: one that holds itself is not entered again. */
  readonly entered: ReadonlySet<JsonSchema>;
}

function close(reference: JsonSchema, outer: Place): JsonSchema {
  const { schema, place } = enterMember(reference, outer);
  const inner = mapSubschemas(schema, (subschema, keyword) =>
    close(subschema, { ...place, insideAllOf: keyword === 'allOf' }),
  );
  return { ...inner, ...closing(schema, place), ...marking(schema, place) };
}

/** A member of `allOf` that is a reference is written out: as a definition of its own it would be closed. */
function enterMember(schema: JsonSchema, place: Place): { readonly schema: JsonSchema; readonly place: Place } {
  if (!place.insideAllOf || schema.$ref === undefined) return { schema, place };
  const referenced = findReferenced(place.root, schema);
  if (referenced === undefined || place.entered.has(referenced)) return { schema, place };
  return { schema: referenced, place: { ...place, entered: new Set([...place.entered, referenced]) } };
}

function closing(schema: JsonSchema, { root, insideAllOf }: Place): JsonSchema {
  if (insideAllOf || schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined) return {};
  if (Array.isArray(schema.allOf)) return isOpen(membersOf(root, schema)) ? {} : { unevaluatedProperties: false };
  return isJsonSchema(schema.properties) ? { additionalProperties: false } : {};
}

/** A member that names no properties, or permits further ones, leaves the whole open. */
function isOpen(members: readonly JsonSchema[]): boolean {
  return members.some(({ properties, additionalProperties }) => {
    return !isJsonSchema(properties) || (additionalProperties !== undefined && additionalProperties !== false);
  });
}

function membersOf(root: JsonSchema, { allOf }: JsonSchema): readonly JsonSchema[] {
  const members = Array.isArray(allOf) ? allOf.filter(isJsonSchema) : [];
  return members.map((member) => findReferenced(root, member) ?? member);
}

function marking(schema: JsonSchema, { direction }: Place): JsonSchema {
  if (!isSecret(schema)) return {};
  return direction === 'input' ? { secret: true, writeOnly: true } : { secret: true };
}

/** However the author says it: our own mark, or JSON Schema's and OpenAPI's usual ones. */
export const isSecret = (schema: JsonSchema): boolean =>
  schema.secret === true || schema.writeOnly === true || schema.format === 'password';
