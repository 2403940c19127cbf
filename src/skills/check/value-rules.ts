// The keywords of JSON Schema that look at one value: type, constants, texts, numbers, counts, formats.
import { isRecord } from '../../values/is-record.ts';
import { isUuid } from '../../values/uuid.ts';
import type { JsonSchema } from './json-schema.ts';
import { choiceText, countText } from './violation.ts';

/** What a value must be, whatever lies around it. */
export interface ValueRule {
  readonly fits: (value: unknown) => boolean;
  readonly message: string;
}

/** Without `details` only the shape: zod checks lengths, patterns and bounds itself. */
export function valueRulesOf(schema: JsonSchema, details: boolean): readonly ValueRule[] {
  const keywords = details ? [...SHAPE_KEYWORDS, ...DETAIL_KEYWORDS] : SHAPE_KEYWORDS;
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

// The operands' types were checked when the skill was registered (published-schema.ts), or zod wrote them.
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
} as const satisfies Record<Keyword, (operand: unknown) => ValueRule>;

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

function typeRule(types: readonly unknown[]): ValueRule {
  const tests = types.map((type) => IS_TYPE[String(type)] ?? (() => false));
  const message = `must be ${types.map((type) => NAMES[String(type)]).join(' or ')}`;
  const [only] = tests;
  const fits = tests.length === 1 && only !== undefined ? only : (value: unknown) => tests.some((test) => test(value));
  return { fits, message };
}

function oneOfValues(values: readonly unknown[]): ValueRule {
  const plain = new Set(values);
  const structured = values.filter((value) => typeof value === 'object' && value !== null).map(canonical);
  return {
    fits: (value) => plain.has(value) || structured.includes(canonical(value)),
    message: `must be ${choiceText(values)}`,
  };
}

function patternRule(source: string): ValueRule {
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

function formatRule(name: string): ValueRule {
  const fits = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  return text((value) => fits === undefined || fits(value), `must be a valid ${name}`);
}

function text(fits: (value: string) => boolean, message: string): ValueRule {
  return { fits: (value) => typeof value !== 'string' || fits(value), message };
}

function numeric(fits: (value: number) => boolean, message: string): ValueRule {
  return { fits: (value) => typeof value !== 'number' || fits(value), message };
}

function list(fits: (value: readonly unknown[]) => boolean, message: string): ValueRule {
  return { fits: (value) => !Array.isArray(value) || fits(value), message };
}

function record(fits: (count: number) => boolean, message: string): ValueRule {
  return { fits: (value) => !isRecord(value) || fits(Object.keys(value).length), message };
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

/** Leap days are checked by counting, not by the pattern. */
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const IPV4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/;
const HOST_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The values of `format` that we check, as JSON Schema means them; any other is refused at registration. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isDateTime,
  date: isDate,
  time: (text) => TIME.test(text),
  duration: (text) => /^P(?=\d|T\d)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/.test(text),
  email: (text) => text.length <= 320 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text),
  uuid: isUuid,
  uri: isUri,
  hostname: (text) => text.length <= 253 && text.split('.').every((label) => HOST_LABEL.test(label)),
  ipv4: (text) => IPV4.test(text),
  ipv6: (text) => text.includes(':') && !/[\s[\]%]/.test(text) && URL.canParse(`http://[${text}]/`),
  base64: (text) => BASE64.test(text),
  /** A hint to hosts: the field is secret. */
  password: () => true,
};

function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^[Tt]$/.test(text.charAt(10)) && TIME.test(text.slice(11));
}

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  // Built from numbers: `Date.parse` would take 30 February as 2 March.
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*$/i.test(text) && (!/^https?:/i.test(text) || URL.canParse(text));
}
