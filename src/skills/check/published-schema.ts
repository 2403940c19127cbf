// The schema that we publish, from what the author wrote: hosts accept it, it says what we enforce, and what we could not
// check is refused when a skill is registered, never half-way through a call.
import { toJSONSchema, type ZodType } from 'zod';
import { messageOf } from '../../values/error-text.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { INPUT_LIMITS, inspectJson } from './json-inspection.ts';
import { findReferenced, isJsonSchema, isSecret, type JsonSchema, mapSubschemas, pathText } from './json-schema.ts';
import { FORMATS } from './value-rules.ts';

export type Direction = 'input' | 'output';

/** The failure is the end of "Cannot register …: input …". What zod wrote is checked by zod: only its outer shape is our matter. */
export function publishZod(schema: ZodType, direction: Direction): Result<JsonSchema, string> {
  const derived = deriveJsonSchema(schema, direction);
  if (!derived.ok) return derived;
  const problem = findOuterProblem(derived.value);
  return problem === undefined ? ok(closeObjects(derived.value, direction)) : fail(problem);
}

export function publishJsonSchema(schema: JsonSchema, direction: Direction): Result<JsonSchema, string> {
  const problem = findDataProblem(schema) ?? findOuterProblem(schema) ?? findInnerProblem(schema, schema, []);
  return problem === undefined ? ok(closeObjects(schema, direction)) : fail(problem);
}

function deriveJsonSchema(schema: ZodType, direction: Direction): Result<JsonSchema, string> {
  try {
    const { $schema: _dialect, ...json } = toJSONSchema(schema, { io: direction, override: leaveToFormat }) as Record<
      string,
      unknown
    >;
    return ok(topOf(json));
  } catch (error) {
    // zod throws for what JSON has no word for (dates, maps, transforms of an output).
    return fail(`cannot be written as JSON Schema: ${messageOf(error)}`);
  }
}

/** zod spells these formats out as long patterns beside their name; a list of tools is to be short (PROTOCOL). */
const leaveToFormat = ({ jsonSchema }: { readonly jsonSchema: { format?: unknown; pattern?: unknown } }): void => {
  if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
};

/** A schema with an id of its own comes as a reference; hosts want the object itself at the top. */
function topOf(json: JsonSchema): JsonSchema {
  if (json.$ref === undefined) return json;
  const { $ref: _reference, ...rest } = json;
  return { ...findReferenced(json, json), ...rest };
}

/** A schema is JSON itself: functions, dates and circles in it are refused before anything walks it. */
function findDataProblem(schema: JsonSchema): string | undefined {
  const [first] = inspectJson(schema, INPUT_LIMITS);
  return first === undefined ? undefined : `is not plain JSON: ${first.path} ${first.message}`;
}

const findOuterProblem = (schema: JsonSchema): string | undefined => findSizeProblem(schema) ?? findTopProblem(schema);

const MAX_BYTES = 65_536;
const MAX_DEPTH = 32;

/** Checked by json-validator.ts. A keyword that is in no list is refused, never silently ignored. */
const CHECKED = new Set(
  `type enum const properties required additionalProperties unevaluatedProperties patternProperties propertyNames
  minProperties maxProperties items prefixItems minItems maxItems uniqueItems minLength maxLength pattern format minimum
  maximum exclusiveMinimum exclusiveMaximum multipleOf anyOf oneOf allOf not $ref $defs definitions`.split(/\s+/),
);

/** Says something to people and hosts, nothing about which values are right. */
const ANNOTATIONS = new Set(
  `$schema $id $comment id title description default examples deprecated readOnly writeOnly secret contentEncoding
  contentMediaType`.split(/\s+/),
);

const AT_TOP = ['anyOf', 'oneOf', 'allOf', 'not'] as const;

function findSizeProblem(schema: JsonSchema): string | undefined {
  if (depthOf(schema, 0) > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} schemas deep`;
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  return bytes > MAX_BYTES ? `has ${bytes} bytes; at most ${MAX_BYTES} are allowed` : undefined;
}

function depthOf(schema: JsonSchema, above: number): number {
  let deepest = above + 1;
  // A schema that contains itself as an object, not by `$ref`, would never end.
  if (deepest > MAX_DEPTH) return deepest;
  mapSubschemas(schema, (inner) => {
    deepest = Math.max(deepest, depthOf(inner, above + 1));
    return inner;
  });
  return deepest;
}

function findTopProblem(schema: JsonSchema): string | undefined {
  const combined = AT_TOP.find((keyword) => keyword in schema);
  if (combined !== undefined) return `has ${combined} at its top level, which makes hosts reject every tool`;
  return schema.type === 'object' ? undefined : 'is not an object at its top level';
}

function findInnerProblem(root: JsonSchema, schema: JsonSchema, path: readonly string[]): string | undefined {
  const own = findOwnProblem(root, schema);
  if (own !== undefined) return path.length === 0 ? own : `${own} (at ${pathText(path)})`;
  let inside: string | undefined;
  mapSubschemas(schema, (inner, keyword) => {
    inside ??= findInnerProblem(root, inner, [...path, keyword]);
    return inner;
  });
  return inside;
}

function findOwnProblem(root: JsonSchema, schema: JsonSchema): string | undefined {
  const foreign = Object.keys(schema).find((keyword) => !CHECKED.has(keyword) && !ANNOTATIONS.has(keyword));
  if (foreign !== undefined) return `uses the keyword ${JSON.stringify(foreign)}, which is not checked`;
  if (schema.$ref !== undefined && findReferenced(root, schema) === undefined) {
    return `refers to ${JSON.stringify(schema.$ref)}, which is not a definition inside the schema`;
  }
  return findOperandProblem(schema);
}

function findOperandProblem(schema: JsonSchema): string | undefined {
  if (schema.format !== undefined && !Object.hasOwn(FORMATS, String(schema.format))) {
    return `uses the format ${JSON.stringify(schema.format)}, which is not checked`;
  }
  const misshapen = Object.keys(schema).find((keyword) => OPERANDS[keyword]?.(schema[keyword]) === false);
  return misshapen === undefined ? undefined : `has a wrong value for ${misshapen}`;
}

const TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

const isCount = (operand: unknown) => Number.isInteger(operand) && (operand as number) >= 0;
const isNumber = (operand: unknown) => typeof operand === 'number' && Number.isFinite(operand);
const isList = (operand: unknown) => Array.isArray(operand) && operand.length > 0;
const isSchema = (operand: unknown) => typeof operand === 'boolean' || isJsonSchema(operand);
const isSchemas = (operand: unknown) => Array.isArray(operand) && operand.length > 0 && operand.every(isSchema);
const areNamed = (operand: unknown) => isJsonSchema(operand) && Object.values(operand).every(isSchema);
const isNames = (operand: unknown) => Array.isArray(operand) && operand.every((name) => typeof name === 'string');

const OPERANDS: Readonly<Record<string, ((operand: unknown) => boolean) | undefined>> = {
  type: (operand) => (isList(operand) ? (operand as unknown[]) : [operand]).every((type) => TYPES.has(type)),
  enum: isList,
  properties: areNamed,
  patternProperties: (operand) => areNamed(operand) && Object.keys(operand as object).every(isPattern),
  $defs: areNamed,
  definitions: areNamed,
  required: isNames,
  additionalProperties: isSchema,
  unevaluatedProperties: (operand) => operand === false,
  propertyNames: isSchema,
  items: isSchema,
  prefixItems: isSchemas,
  anyOf: isSchemas,
  oneOf: isSchemas,
  allOf: isSchemas,
  not: isSchema,
  minProperties: isCount,
  maxProperties: isCount,
  minItems: isCount,
  maxItems: isCount,
  minLength: isCount,
  maxLength: isCount,
  uniqueItems: (operand) => typeof operand === 'boolean',
  pattern: isPattern,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (operand) => isNumber(operand) && (operand as number) > 0,
};

function isPattern(operand: unknown): boolean {
  if (typeof operand !== 'string') return false;
  try {
    return Boolean(new RegExp(operand, 'u'));
  } catch {
    return false;
  }
}

/**
 * Objects that list their properties have no others, unless they say so: the published schema says what we enforce. Secret
 * fields of an input are marked `writeOnly` too, which hosts know; an output returns them, so there they are not.
 */
function closeObjects(schema: JsonSchema, direction: Direction): JsonSchema {
  return close(schema, { root: schema, direction, insideAllOf: false, entered: new Set() });
}

interface Position {
  readonly root: JsonSchema;
  readonly direction: Direction;
  /** Members of `allOf` share one object: closed, each would refuse what the others list. */
  readonly insideAllOf: boolean;
  /** The definitions we are inside of by way of `allOf`: one that holds itself is not entered again. */
  readonly entered: ReadonlySet<JsonSchema>;
}

function close(reference: JsonSchema, outer: Position): JsonSchema {
  const { schema, at } = enterMember(reference, outer);
  const inner = mapSubschemas(schema, (subschema, keyword) =>
    close(subschema, { ...at, insideAllOf: keyword === 'allOf' }),
  );
  return { ...inner, ...closing(schema, at), ...marking(schema, at) };
}

/** A member of `allOf` that is a reference is written out: as a definition of its own it would be closed. */
function enterMember(schema: JsonSchema, at: Position): { readonly schema: JsonSchema; readonly at: Position } {
  if (!at.insideAllOf || schema.$ref === undefined) return { schema, at };
  const referenced = findReferenced(at.root, schema);
  if (referenced === undefined || at.entered.has(referenced)) return { schema, at };
  return { schema: referenced, at: { ...at, entered: new Set([...at.entered, referenced]) } };
}

function closing(schema: JsonSchema, { root, insideAllOf }: Position): JsonSchema {
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

function marking(schema: JsonSchema, { direction }: Position): JsonSchema {
  if (!isSecret(schema)) return {};
  return direction === 'input' ? { secret: true, writeOnly: true } : { secret: true };
}
