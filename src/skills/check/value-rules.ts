// The keywords of JSON Schema that look at one value: type, constants, texts, numbers, counts.

import { isRecord } from '../../values/is-record.ts';
import { choiceText } from './choice-text.ts';
import { countText } from './count-text.ts';
import { FORMATS } from './formats.ts';
import type { JsonSchema } from './json-schema.ts';
import { type Compiler, type Rule, report } from './rule.ts';

export function compileValueRules(schema: JsonSchema, compiler: Compiler): readonly Rule[] {
  const keywords = compiler.details ? [...SHAPE_KEYWORDS, ...DETAIL_KEYWORDS] : SHAPE_KEYWORDS;
  return keywords.filter((keyword) => schema[keyword] !== undefined).map((keyword) => RULES[keyword](schema[keyword]));
}

const SHAPE_KEYWORDS = ['type', 'const', 'enum'] as const;

const DETAIL_KEYWORDS = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const;

type Keyword = (typeof SHAPE_KEYWORDS)[number] | (typeof DETAIL_KEYWORDS)[number];

// The operands' types were checked when the skill was registered (schema-problems.ts), or zod wrote them.
const RULES = {
  type: (operand) => typeRule(Array.isArray(operand) ? operand : [operand]),
  const: (operand) => oneOfValues([operand]),
  enum: (operand) => oneOfValues(operand as readonly unknown[]),
  minLength: (limit) =>
    text((value) => codePoints(value) >= num(limit), `must have at least ${countText(limit, 'character')}`),
  maxLength: (limit) =>
    text((value) => codePoints(value) <= num(limit), `must have at most ${countText(limit, 'character')}`),
  pattern: (operand) => patternRule(String(operand)),
  format: (operand) => formatRule(String(operand)),
  minimum: (limit) => numeric((value) => value >= num(limit), `must be at least ${limit}`),
  maximum: (limit) => numeric((value) => value <= num(limit), `must be at most ${limit}`),
  exclusiveMinimum: (limit) => numeric((value) => value > num(limit), `must be greater than ${limit}`),
  exclusiveMaximum: (limit) => numeric((value) => value < num(limit), `must be less than ${limit}`),
  multipleOf: (step) => numeric((value) => isMultiple(value, num(step)), `must be a multiple of ${step}`),
  minItems: (limit) => list((value) => value.length >= num(limit), `must have at least ${countText(limit, 'item')}`),
  uniqueItems: (operand) => list((value) => operand !== true || areUnique(value), 'must not have equal items'),
  minProperties: (limit) => record((count) => count >= num(limit), `must have at least ${countText(limit, 'field')}`),
  maxProperties: (limit) => record((count) => count <= num(limit), `must have at most ${countText(limit, 'field')}`),
} as const satisfies Record<Keyword, (operand: unknown) => Rule>;

const num = (operand: unknown): number => operand as number;

const IS_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isRecord,
};

const NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
};

function typeRule(types: readonly unknown[]): Rule {
  const tests = types.map((type) => IS_TYPE[String(type)] ?? (() => false));
  const message = `must be ${types.map((type) => NAMES[String(type)]).join(' or ')}`;
  const [only] = tests;
  const fits = tests.length === 1 && only !== undefined ? only : (value: unknown) => tests.some((test) => test(value));
  return (value, walk) => {
    if (!fits(value)) report(walk, message);
  };
}

function oneOfValues(values: readonly unknown[]): Rule {
  const plain = new Set(values);
  const structured = values.filter((value) => typeof value === 'object' && value !== null).map(canonical);
  const message = `must be ${choiceText(values)}`;
  return (value, walk) => {
    if (!plain.has(value) && !structured.includes(canonical(value))) report(walk, message);
  };
}

function patternRule(source: string): Rule {
  const pattern = compilePattern(source);
  return text((value) => pattern.test(value), `must match the pattern ${source.slice(0, 100)}`);
}

/** JSON Schema's patterns are Unicode ones; zod's own are written without the flag. */
export function compilePattern(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

function formatRule(name: string): Rule {
  const fits = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  return text((value) => fits === undefined || fits(value), `must be a valid ${name}`);
}

function text(fits: (value: string) => boolean, message: string): Rule {
  return (value, walk) => {
    if (typeof value === 'string' && !fits(value)) report(walk, message);
  };
}

function numeric(fits: (value: number) => boolean, message: string): Rule {
  return (value, walk) => {
    if (typeof value === 'number' && !fits(value)) report(walk, message);
  };
}

function list(fits: (value: readonly unknown[]) => boolean, message: string): Rule {
  return (value, walk) => {
    if (Array.isArray(value) && !fits(value)) report(walk, message);
  };
}

function record(fits: (count: number) => boolean, message: string): Rule {
  return (value, walk) => {
    if (isRecord(value) && !fits(Object.keys(value).length)) report(walk, message);
  };
}

/** Limits on text count code points, as JSON Schema says (B5). */
function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

/** 0.3 is a multiple of 0.1, though not in binary fractions. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.max(1, Math.abs(times)) * 4;
}

function areUnique(values: readonly unknown[]): boolean {
  return new Set(values.map(canonical)).size === values.length;
}

/** The same text for equal JSON values, whatever the order of their fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? '';
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}
