// Which parts of a value are secret by its schema, over all branches that a part may be meant by.
import { findReferenced, isJsonSchema, isSecret, type JsonSchema, mapSubschemas } from './json-schema.ts';
import { compilePattern } from './value-rules.ts';

/**
 * Whether a part of a value is secret, and whether something inside of it is. Secret in any branch of the schema is secret,
 * because an input that fits no branch is stored too. Fields that the schema does not name cost nothing: the caller decides
 * how many there are.
 */
export interface Secrecy {
  readonly secret: boolean;
  /** It, or something in it at any depth. */
  readonly holdsSecret: boolean;
  /** Its fields are named by the schema, not by the one who filled it in. */
  readonly hasNames: boolean;
  /** A text or a number is wrong here, and what it was meant to be may be secret. */
  readonly hidesLeaf: boolean;
  /** `undefined`: no branch knows the field. */
  readonly field: (name: string) => Secrecy | undefined;
  readonly item: (index: number) => Secrecy | undefined;
}

export function createSecrecy(root: JsonSchema): Secrecy {
  const ids = new Map<JsonSchema, number>();
  const known = new Map<string, Secrecy>();
  // One for each set of schemas: a recursive schema leads back to the same ones.
  const secrecyOf = (schemas: readonly JsonSchema[]): Secrecy => {
    const all = branchesOf(root, schemas);
    const key = all.map((schema) => idOf(ids, schema)).join();
    const secrecy = known.get(key) ?? createPart(root, all, secrecyOf);
    known.set(key, secrecy);
    return secrecy;
  };
  return secrecyOf([root]);
}

function idOf(ids: Map<JsonSchema, number>, schema: JsonSchema): number {
  const id = ids.get(schema) ?? ids.size;
  ids.set(schema, id);
  return id;
}

type Type = 'array' | 'object';
type SecrecyOf = (schemas: readonly JsonSchema[]) => Secrecy;

function createPart(root: JsonSchema, schemas: readonly JsonSchema[], secrecyOf: SecrecyOf): Secrecy {
  const named = new Set(schemas.flatMap(namesOf));
  const listed = Math.max(
    0,
    ...schemas.map(({ prefixItems }) => (Array.isArray(prefixItems) ? prefixItems.length : 0)),
  );
  const children = new Map<string | number | undefined, Secrecy | undefined>();
  const childOf = (key: string | number | undefined, type: Type, found: () => readonly JsonSchema[]) => {
    if (!children.has(key)) children.set(key, createChild(schemas, found(), type, secrecyOf));
    return children.get(key);
  };
  const holdsSecret = holdSecret(root, schemas);
  return {
    secret: schemas.some(isSecret),
    holdsSecret,
    hasNames: schemas.some(({ properties }) => properties !== undefined),
    hidesLeaf: holdsSecret && !schemas.some(mayBeLeaf),
    // All that is not named is alike.
    field: (name) =>
      childOf(named.has(name) ? name : undefined, 'object', () => schemas.flatMap((each) => fieldOf(each, name))),
    item: (index) => {
      const at = Math.min(index, listed);
      return childOf(at, 'array', () => schemas.flatMap((each) => itemOf(each, at)));
    },
  };
}

/** `undefined`: no branch knows it. Of no schema: anything may stand there. */
function createChild(
  schemas: readonly JsonSchema[],
  direct: readonly JsonSchema[],
  type: Type,
  secrecyOf: SecrecyOf,
): Secrecy | undefined {
  if (direct.length > 0) return secrecyOf(direct);
  return schemas.length === 0 || schemas.some((schema) => isOpen(schema, type)) ? secrecyOf([]) : undefined;
}

const namesOf = ({ properties }: JsonSchema): readonly string[] =>
  isJsonSchema(properties) ? Object.keys(properties) : [];

function itemOf(schema: JsonSchema, index: number): readonly JsonSchema[] {
  const listed = Array.isArray(schema.prefixItems) ? schema.prefixItems[index] : undefined;
  return [listed ?? schema.items].filter(isJsonSchema);
}

function fieldOf(schema: JsonSchema, name: string): readonly JsonSchema[] {
  const named = schema.properties;
  const patterns = isJsonSchema(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  if (isJsonSchema(named) && Object.hasOwn(named, name)) {
    const matching = patterns.filter(([pattern]) => compilePattern(pattern).test(name));
    return [named[name], ...matching.map(([, inner]) => inner)].filter(isJsonSchema);
  }
  // A pattern or a rule for all other fields: whether it applies is not worth asking, its mark counts.
  return [...patterns.map(([, inner]) => inner), schema.additionalProperties].filter(isJsonSchema);
}

const COMBINING = ['anyOf', 'oneOf', 'allOf', '$ref'] as const;

/** A schema with one of these says nothing about further fields itself, or closes the object. */
const CLOSING = ['properties', 'unevaluatedProperties', ...COMBINING] as const;

function isOpen(schema: JsonSchema, type: Type): boolean {
  if (schema.additionalProperties !== undefined) return schema.additionalProperties === true;
  if (CLOSING.some((keyword) => keyword in schema)) return false;
  const types = schema.type === undefined ? [type] : [schema.type].flat();
  return types.includes(type);
}

/** What combines others without a type of its own says nothing about it: the others do. */
function mayBeLeaf(schema: JsonSchema): boolean {
  if (schema.type === undefined) return !COMBINING.some((keyword) => keyword in schema);
  return [schema.type].flat().some((type) => type !== 'object' && type !== 'array' && type !== 'null');
}

/** At any depth. */
function holdSecret(root: JsonSchema, schemas: readonly JsonSchema[]): boolean {
  const seen = new Set<JsonSchema>();
  const enter = (schema: JsonSchema): JsonSchema => {
    if (seen.has(schema)) return schema;
    seen.add(schema);
    const referenced = findReferenced(root, schema);
    if (referenced !== undefined) enter(referenced);
    return mapSubschemas(schema, enter);
  };
  schemas.forEach(enter);
  return [...seen].some(isSecret);
}

/** The schemas themselves and all that they combine, references followed; each once. */
function branchesOf(root: JsonSchema, schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  const all = new Set<JsonSchema>();
  const enter = (schema: unknown): void => {
    if (!isJsonSchema(schema) || all.has(schema)) return;
    all.add(schema);
    if (schema.$ref !== undefined) enter(findReferenced(root, schema));
    for (const list of [schema.anyOf, schema.oneOf, schema.allOf]) if (Array.isArray(list)) list.forEach(enter);
  };
  schemas.forEach(enter);
  return [...all];
}
