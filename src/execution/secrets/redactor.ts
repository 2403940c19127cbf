// What of a payload may be stored, printed or shown: a copy without secrets, in text that every database takes.
import { isSecret } from '../schema/close-objects.ts';
import { findReferenced, isJsonSchema, type JsonSchema } from '../schema/json-schema.ts';
import { REDACTED, type Secrets } from './scrub.ts';

export interface Redactor {
  /** The texts and numbers under a secret mark, at any depth. */
  readonly secretsIn: (value: unknown) => readonly string[];
  /** The copy. Values of fields that the schema does not know are left out: nobody said that they are no secret. */
  readonly redact: (value: unknown, secrets: Secrets) => unknown;
}

const NO_SECRETS: readonly string[] = [];
const UNKNOWN = '[unknown field]';
const TOO_DEEP = '[nested too deeply]';
const MAX_DEPTH = 64;

export function createRedactor(root: JsonSchema): Redactor {
  const top = branchesOf(root, [root]);
  const marked = JSON.stringify(root).includes('"secret":true');
  return {
    secretsIn: (value) => {
      if (!marked) return NO_SECRETS;
      const found: string[] = [];
      collect(root, top, value, found, 0);
      return found;
    },
    redact: (value, secrets) => copy(value, { root, secrets }, top, 0),
  };
}

function collect(root: JsonSchema, schemas: readonly JsonSchema[], value: unknown, found: string[], depth: number) {
  if (depth > MAX_DEPTH) return;
  if (schemas.some(isSecret)) {
    // The names in a record are its owner's; those of an object are the author's, and in every message.
    if (!schemas.some(({ properties }) => properties !== undefined)) found.push(...namesIn(value));
    return collectLeaves(value, found, depth);
  }
  for (const [key, inner] of fieldsOf(value)) {
    const child = childrenOf(root, schemas, key);
    if (child !== undefined) collect(root, child, inner, found, depth + 1);
  }
}

const namesIn = (value: unknown): readonly string[] =>
  [...fieldsOf(value)].flatMap(([key]) => (typeof key === 'string' ? [key] : []));

function collectLeaves(value: unknown, found: string[], depth: number): void {
  if (typeof value === 'string') found.push(value);
  else if (typeof value === 'number' || typeof value === 'bigint') found.push(String(value));
  else if (depth <= MAX_DEPTH) {
    for (const [, inner] of fieldsOf(value)) collectLeaves(inner, found, depth + 1);
  }
}

interface Copying {
  readonly root: JsonSchema;
  readonly secrets: Secrets;
}

function copy(value: unknown, copying: Copying, schemas: readonly JsonSchema[], depth: number): unknown {
  if (schemas.some(isSecret)) return REDACTED;
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'string') return cleanText(copying.secrets.scrub(value));
  if (typeof value === 'number') return copyNumber(value, copying.secrets);
  if (typeof value !== 'object') return null;
  if (depth > MAX_DEPTH) return TOO_DEEP;
  const copied = fieldsOf(value).map(([key, inner]): [string | number, unknown] => {
    const child = childrenOf(copying.root, schemas, key);
    return [key, child === undefined ? UNKNOWN : copy(inner, copying, child, depth + 1)];
  });
  if (Array.isArray(value)) return copied.map(([, inner]) => inner);
  return Object.fromEntries(copied.map(([key, inner]) => [cleanText(copying.secrets.scrub(String(key))), inner]));
}

/** A secret number is one in the log too. */
function copyNumber(value: number, secrets: Secrets): unknown {
  if (!Number.isFinite(value)) return null;
  const text = String(value);
  return secrets.scrub(text) === text ? value : REDACTED;
}

const cleanText = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD');

function fieldsOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).filter(([, inner]) => inner !== undefined);
}

/**
 * The schemas that a field may be meant by, over all branches: whether it is secret in any of them decides, because an
 * input that fits no branch is stored too. `undefined`: no branch knows the field. Empty: anything may stand there.
 */
function childrenOf(
  root: JsonSchema,
  schemas: readonly JsonSchema[],
  key: string | number,
): readonly JsonSchema[] | undefined {
  const direct = schemas.flatMap((schema) => (typeof key === 'number' ? itemOf(schema, key) : fieldOf(schema, key)));
  if (direct.length > 0) return branchesOf(root, direct);
  return schemas.length === 0 || schemas.some((schema) => isOpen(schema, key)) ? [] : undefined;
}

function itemOf(schema: JsonSchema, index: number): readonly JsonSchema[] {
  const listed = Array.isArray(schema.prefixItems) ? schema.prefixItems[index] : undefined;
  return [listed ?? schema.items].filter(isJsonSchema);
}

function fieldOf(schema: JsonSchema, name: string): readonly JsonSchema[] {
  const named = schema.properties;
  if (isJsonSchema(named) && Object.hasOwn(named, name)) return [named[name]].filter(isJsonSchema);
  // A pattern or a rule for all other fields: whether it applies is not worth asking, its mark counts.
  const patterns = isJsonSchema(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
  return [...patterns, schema.additionalProperties].filter(isJsonSchema);
}

/** A schema with one of these says nothing about further fields itself, or closes the object. */
const CLOSING = ['properties', 'unevaluatedProperties', 'anyOf', 'oneOf', 'allOf', '$ref'] as const;

function isOpen(schema: JsonSchema, key: string | number): boolean {
  if (schema.additionalProperties !== undefined) return schema.additionalProperties === true;
  if (CLOSING.some((keyword) => keyword in schema)) return false;
  const type = typeof key === 'number' ? 'array' : 'object';
  const types = schema.type === undefined ? [type] : [schema.type].flat();
  return types.includes(type);
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
