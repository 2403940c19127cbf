// Whether a schema can be published and checked: refused when a skill is registered, never half-way through a call.
import { FORMATS } from './formats.ts';
import { findReferenced, isJsonSchema, type JsonSchema, mapSubschemas } from './json-schema.ts';
import { pathText } from './violation.ts';

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

/**
 * What is wrong with a schema, as the end of "Cannot register …: input_schema …"; `undefined` when nothing is.
 * What zod wrote is checked by zod: there only the outer shape is our matter.
 */
export function findSchemaProblem(schema: JsonSchema, writtenBy: 'zod' | 'author'): string | undefined {
  const outer = findSizeProblem(schema) ?? findTopProblem(schema);
  return outer ?? (writtenBy === 'author' ? findInnerProblem(schema, schema, []) : undefined);
}

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
