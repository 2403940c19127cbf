// JSON values and JSON Schemas as data: types, paths, what a local `$ref` stands for. Pure; the dashboard's forms use it too.
import { storableText } from '../../text/storable-text.ts';
import { isRecord } from '../../values/is-record.ts';

/**
 * A JSON Schema as plain data, for skills that are written without zod, and as published for all.
 *
 * @example
 * const input: JsonSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
 */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/**
 * A JSON object that has been checked: no NUL, no lone surrogate, bounded depth and size.
 *
 * @example
 * const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' } });
 * const output: JsonRecord = answer.success ? answer.outputPayload : {};
 */
export type JsonRecord = Readonly<Record<string, unknown>>;

export const isJsonSchema: (value: unknown) => value is JsonSchema = isRecord;

/** Chains of references longer than this are refused when a skill is registered. */
const MAX_HOPS = 32;

/** The schema that a chain of references ends in; `undefined` when it leads nowhere, outside, or in a circle. */
export function findReferenced(root: JsonSchema, schema: JsonSchema): JsonSchema | undefined {
  let current: unknown = schema;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (!isJsonSchema(current)) return undefined;
    if (current.$ref === undefined) return current;
    current = typeof current.$ref === 'string' ? findByPointer(root, current.$ref) : undefined;
  }
  return undefined;
}

function findByPointer(root: JsonSchema, reference: string): unknown {
  if (reference === '#') return root;
  const segments = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference);
  if (segments === null) return undefined;
  const [, section = '', encoded = ''] = segments;
  const definitions = root[section];
  const name = encoded.replaceAll('~1', '/').replaceAll('~0', '~');
  return isJsonSchema(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'propertyNames', 'not'] as const;
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions'] as const;

/** A copy with every schema directly inside replaced. What is no schema (`false`, a default, a constant) stays. */
export function mapSubschemas(
  schema: JsonSchema,
  change: (inner: JsonSchema, keyword: string) => JsonSchema,
): JsonSchema {
  const copy: Record<string, unknown> = { ...schema };
  const changed = (inner: unknown, keyword: string) => (isJsonSchema(inner) ? change(inner, keyword) : inner);
  for (const keyword of ONE) if (keyword in copy) copy[keyword] = changed(copy[keyword], keyword);
  for (const keyword of LISTS) {
    const list = copy[keyword];
    if (Array.isArray(list)) copy[keyword] = list.map((inner) => changed(inner, keyword));
  }
  for (const keyword of NAMED) {
    const named = copy[keyword];
    if (!isJsonSchema(named)) continue;
    copy[keyword] = Object.fromEntries(Object.entries(named).map(([name, inner]) => [name, changed(inner, keyword)]));
  }
  return copy;
}

/** However the author says it: our own mark, or JSON Schema's and OpenAPI's usual ones. */
export const isSecret = (schema: JsonSchema): boolean =>
  schema.secret === true || schema.writeOnly === true || schema.format === 'password';

export type PathSegment = string | number;

const MAX_SEGMENT = 64;

/** `tasks[2].title`; names that would blur the path are quoted, long ones cut. */
export function pathText(segments: readonly PropertyKey[]): string {
  let text = '';
  for (const segment of segments) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else text += fieldText(String(segment), text === '');
  }
  return text;
}

function fieldText(name: string, first: boolean): string {
  if (/^[\w$-]{1,64}$/.test(name)) return first ? name : `.${name}`;
  const cut = name.length <= MAX_SEGMENT ? name : `${name.slice(0, MAX_SEGMENT)}…`;
  return `[${JSON.stringify(storableText(cut))}]`;
}
