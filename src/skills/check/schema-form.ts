// A skill's schema, whatever it was written in, as the three things we need: what we publish, what we check, what we hide.
import type { ZodType } from 'zod';
import { fail, ok, type Result } from '../../values/result.ts';
import { createFastPass, createTally, isSmall } from './fast-pass.ts';
import { findTooMany, INPUT_LIMITS, inspectJson, inspectSize, isHoldable, OUTPUT_LIMITS } from './json-inspection.ts';
import { isJsonSchema, type JsonRecord, type JsonSchema } from './json-schema.ts';
import { createValidator } from './json-validator.ts';
import { type Direction, publishJsonSchema, publishZod } from './published-schema.ts';
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
type Check = (value: unknown) => Checked;

/** Of what passed the check: a schema that is no object at its top level is refused at registration. */
const okRecord = (checked: unknown): Checked => ok(checked as JsonRecord);

export interface SchemaForm {
  /** What hosts see. */
  readonly json: JsonSchema;
  /** What of a value must not be stored or shown. */
  readonly secrecy: Secrecy;
  /** The value as the skill may have it, or everything that is wrong with it (X5). */
  readonly check: Check;
}

const isZod = (schema: SkillSchema): schema is ZodType => '_zod' in schema;

/** The failure is the end of "Cannot register …: input …". */
export function createSchemaForm(schema: unknown, direction: Direction): Result<SchemaForm, string> {
  if (!isJsonSchema(schema)) return fail('is neither a zod schema nor a JSON Schema');
  const published = isZod(schema) ? publishZod(schema, direction) : publishJsonSchema(schema, direction);
  if (!published.ok) return published;
  const json = published.value;
  const check = isZod(schema) ? CHECKS_OF_ZOD[direction](schema, json) : createJsonCheck(json, direction);
  return ok({ json, secrecy: createSecrecy(json), check });
}

const CHECKS_OF_ZOD = { input: createInputCheck, output: createOutputCheck } as const;

/** So much that wrong items could be very many. */
const LARGE_UNITS = 65_536;

/**
 * Almost every value passes the fast pass, and zod has the last word. For what does not, or would take long if zod found
 * thousands of faults in it, the validator finds the fields that zod drops: the caller meant something by them.
 */
function createInputCheck(schema: ZodType, json: JsonSchema): Check {
  const fastPass = createFastPass(json);
  const validateShape = createValidator(json, false);
  return (value) => {
    const tally = createTally(INPUT_LIMITS);
    const isPlain = fastPass(value, 1, tally);
    const isFine = isPlain && isSmall(tally, INPUT_LIMITS);
    if (isFine && tally.units <= LARGE_UNITS) return parse(schema, value, NO_FAULTS);
    const bad = isPlain ? inspectSize(value, tally, INPUT_LIMITS) : inspectJson(value, INPUT_LIMITS);
    if (!isHoldable(bad)) return fail(bad);
    const shape = validateShape(value);
    const certain = [...bad, ...shape.filter(({ unknownField }) => unknownField)];
    // The fast pass lets no schema with choices through: there, too, a wrong shape is a fault for certain.
    const isRefused = isPlain || certain.length > 0;
    if (isRefused && shape.length > MOST_TOLD) return fail(withoutRepeats([...bad, ...shape]));
    return parse(schema, value, certain);
  };
}

const NO_FAULTS: readonly Violation[] = [];

/** `found`: what is wrong with it already. */
function parse(schema: ZodType, value: unknown, found: readonly Violation[]): Checked {
  const parsed = parseInOurWords(schema, value);
  if (!parsed.success) return fail(withoutRepeats([...found, ...violationsOf(parsed.error.issues)]));
  return found.length === 0 ? okRecord(parsed.data) : fail(withoutRepeats(found));
}

/** Twice where there is a fault: a parse that is handed its words takes several times as long, and most find nothing. */
function parseInOurWords(schema: ZodType, value: unknown) {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed : schema.safeParse(value, OUR_WORDS);
}

function createOutputCheck(schema: ZodType, json: JsonSchema): Check {
  const fastPass = createFastPass(json);
  return (value) => {
    const tooMany = findTooMany(value, OUTPUT_LIMITS);
    if (tooMany !== undefined) return fail([tooMany]);
    const parsed = parse(schema, value, NO_FAULTS);
    if (!parsed.ok) return parsed;
    const tally = createTally(OUTPUT_LIMITS);
    const isPlain = fastPass(parsed.value, 1, tally);
    const bad = isPlain ? inspectSize(parsed.value, tally, OUTPUT_LIMITS) : inspectJson(parsed.value, OUTPUT_LIMITS);
    return bad.length === 0 ? parsed : fail(bad);
  };
}

function createJsonCheck(json: JsonSchema, direction: Direction): Check {
  const validate = createValidator(json, true);
  const limits = direction === 'input' ? INPUT_LIMITS : OUTPUT_LIMITS;
  return (value) => {
    const bad = inspectJson(value, limits);
    if (!isHoldable(bad)) return fail(bad);
    // What a skill returned may be its own object, which it changes in its next call.
    const own = direction === 'output' ? copyJson(value) : value;
    const faults = validate(own);
    if (bad.length === 0 && faults.length === 0) return okRecord(own);
    return fail(withoutRepeats([...bad, ...faults]));
  };
}

/** Of a value that was inspected: it ends, and holds plain data only. Fields that are `undefined` are left out, as in JSON. */
function copyJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copied: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    // Assigned, it would be the copy's prototype.
    if (field !== undefined && name !== '__proto__') copied[name] = copyJson(field);
  }
  return copied;
}
