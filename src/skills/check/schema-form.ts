// A skill's schema, whatever it was written in, as the three things we need: what we publish, what we check, what we hide.
import { toJSONSchema, type ZodType } from 'zod';
import { fail, ok, type Result } from '../../values/result.ts';
import { closeObjects } from './close-objects.ts';
import { copyJson } from './copy-json.ts';
import {
  createLook,
  INPUT_LIMITS,
  inspectJson,
  isHoldable,
  isSmall,
  type JsonLimits,
  OUTPUT_LIMITS,
} from './json-inspection.ts';
import { findReferenced, isJsonSchema, type JsonRecord, type JsonSchema } from './json-schema.ts';
import { createValidator } from './json-validator.ts';
import { createQuickLook } from './quick-look.ts';
import type { Fault } from './rule.ts';
import { findSchemaProblem } from './schema-problems.ts';
import { createSecrecy, type Secrecy } from './secrecy.ts';
import { MOST_TOLD, type Violation, withoutRepeats } from './violation.ts';
import { OUR_WORDS, violationsOf } from './zod-violations.ts';

/**
 * What `input` and `output` of a skill may be: a zod 4 schema (types, checks and JSON Schema in one), or a JSON Schema.
 *
 * @example
 * const inputs: readonly SkillSchema[] = [z.object({ name: z.string() }), { type: 'object', properties: {} }];
 */
export type SkillSchema = ZodType | JsonSchema;

type Checked = Result<JsonRecord, readonly Violation[]>;

/** Of what passed the check: a schema that is no object at its top level is refused at registration. */
const okRecord = (checked: unknown): Checked => ok(checked as JsonRecord);

export interface SchemaForm {
  /** What hosts see. */
  readonly json: JsonSchema;
  /** What of a value must not be stored or shown. */
  readonly secrecy: Secrecy;
  /** The value as the skill may have it, or everything that is wrong with it (X5). */
  readonly check: (value: unknown) => Checked;
}

export type Direction = 'input' | 'output';

const isZod = (schema: SkillSchema): schema is ZodType => '_zod' in schema;

/** The failure is the end of "Cannot register …: input_schema …". */
export function createSchemaForm(schema: unknown, direction: Direction): Result<SchemaForm, string> {
  if (!isJsonSchema(schema)) return fail('is neither a zod schema nor a JSON Schema');
  return isZod(schema) ? formOfZod(schema, direction) : formOfJsonSchema(schema, direction);
}

function formOfZod(schema: ZodType, direction: Direction): Result<SchemaForm, string> {
  const derived = deriveJsonSchema(schema, direction);
  if (!derived.ok) return derived;
  const problem = findSchemaProblem(derived.value, 'zod');
  if (problem !== undefined) return fail(problem);
  const json = closeObjects(derived.value, direction);
  const check = direction === 'input' ? inputCheckOfZod(schema, json) : outputCheckOfZod(schema, json);
  return ok({ json, secrecy: createSecrecy(json), check });
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
    return fail(`cannot be written as JSON Schema: ${error instanceof Error ? error.message : 'zod refused it'}`);
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

function inputCheckOfZod(schema: ZodType, json: JsonSchema): (value: unknown) => Checked {
  const lookAt = createFineLook(json, INPUT_LIMITS);
  const checkThoroughly = createThoroughCheck(schema, json);
  return (value) => {
    const look = lookAt(value);
    if (!look.isFine || look.isLarge) return checkThoroughly(value, look);
    const parsed = parseInOurWords(schema, value);
    return parsed.success ? okRecord(parsed.data) : fail(violationsOf(parsed.error.issues));
  };
}

/** Twice where there is a fault: a parse that is handed its words takes half as long again, and most find nothing. */
function parseInOurWords(schema: ZodType, value: unknown) {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed : schema.safeParse(value, OUR_WORDS);
}

/** For what has faults, or would take long if it had: zod is not asked where it could only find thousands more. */
function createThoroughCheck(schema: ZodType, json: JsonSchema): (value: unknown, look: FineLook) => Checked {
  const validateShape = createValidator(json, false);
  return (value, { isFine, isPlain }) => {
    const bad = isFine ? [] : inspectJson(value, INPUT_LIMITS);
    if (!isHoldable(bad)) return fail(bad);
    const shape = validateShape(value);
    // zod drops fields that it does not know; to us they are faults, because the caller meant something by them.
    const unknown = unknownFields(shape);
    const isRefused = isPlain || bad.length > 0 || unknown.length > 0;
    if (isRefused && shape.length > MOST_TOLD) return fail(withoutRepeats([...bad, ...shape]));
    const parsed = parseInOurWords(schema, value);
    if (parsed.success && bad.length + unknown.length === 0) return okRecord(parsed.data);
    const faults = parsed.success ? [] : violationsOf(parsed.error.issues);
    return fail(withoutRepeats([...bad, ...unknown, ...faults]));
  };
}

const unknownFields = (faults: readonly Fault[]): readonly Fault[] =>
  faults.length === 0 ? faults : faults.filter(({ unknownField }) => unknownField);

interface FineLook {
  /** Nothing to complain about, but for types and values. */
  readonly isFine: boolean;
  /** As `isFine`, but it may be too large. The quick look passes no schema with choices: a wrong shape is a fault for certain. */
  readonly isPlain: boolean;
  /** So much that wrong items could be very many. */
  readonly isLarge: boolean;
}

const LARGE_UNITS = 65_536;

/** Almost every value passes this one look; what does not is looked at thoroughly. */
function createFineLook(json: JsonSchema, limits: JsonLimits): (value: unknown) => FineLook {
  const quick = createQuickLook(json);
  return (value) => {
    const look = createLook(limits);
    const isPlain = quick(value, 1, look);
    return { isFine: isPlain && isSmall(look, limits), isPlain, isLarge: look.units > LARGE_UNITS };
  };
}

function outputCheckOfZod(schema: ZodType, json: JsonSchema): (value: unknown) => Checked {
  const lookAt = createFineLook(json, OUTPUT_LIMITS);
  return (value) => {
    const parsed = parseInOurWords(schema, value);
    if (!parsed.success) return fail(violationsOf(parsed.error.issues));
    if (lookAt(parsed.data).isFine) return okRecord(parsed.data);
    const bad = inspectJson(parsed.data, OUTPUT_LIMITS);
    return bad.length === 0 ? okRecord(parsed.data) : fail(bad);
  };
}

function formOfJsonSchema(schema: JsonSchema, direction: Direction): Result<SchemaForm, string> {
  const problem = findDataProblem(schema) ?? findSchemaProblem(schema, 'author');
  if (problem !== undefined) return fail(problem);
  const json = closeObjects(schema, direction);
  const validate = createValidator(json, true);
  const limits = direction === 'input' ? INPUT_LIMITS : OUTPUT_LIMITS;
  const check = (value: unknown): Checked => {
    const bad = inspectJson(value, limits);
    if (!isHoldable(bad)) return fail(bad);
    const own = direction === 'output' ? copyJson(value) : value;
    const faults = validate(own);
    if (bad.length === 0 && faults.length === 0) return okRecord(own);
    return fail(withoutRepeats([...bad, ...faults]));
  };
  return ok({ json, secrecy: createSecrecy(json), check });
}

/** A schema is JSON itself: functions, dates and circles in it are refused before anything walks it. */
function findDataProblem(schema: JsonSchema): string | undefined {
  const [first] = inspectJson(schema, INPUT_LIMITS);
  return first === undefined ? undefined : `is not plain JSON: ${first.path} ${first.message}`;
}
