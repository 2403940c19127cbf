// What is wrong with an object that a file or a program hands over: the end of a sentence, and what to write instead. Pure.
import { findNearest } from '../text/nearest.ts';
import { toOneLine } from '../text/one-line.ts';
import { isDuration } from './duration-ms.ts';

/** `cannot`: what could not be done. `problem`: what is the case and what to do, as the end of the sentence. */
export function refuse(cannot: string, problem: string | undefined): void {
  if (problem !== undefined) throw new Error(`Cannot ${cannot}: ${problem}`);
}

/** Of the whole object, before any of it is used: programs without types hand over anything. */
export const findOptionProblem = (
  call: string,
  options: unknown,
  fields: Readonly<Record<string, FieldRule>>,
  needed: readonly string[] = [],
): string | undefined =>
  isPlainObject(options)
    ? (findFieldProblem(options, fields) ?? findMissingField(options, fields, needed))
    : `its options are ${kindOf(options)}, not an object. Write ${call}({ … }).`;

/** What is wrong with a value, as what follows the name of its field; `undefined`: nothing. */
export type FieldRule = (value: unknown) => string | undefined;

const MAX_FIELD = 300;

/** Of fields that are unknown or break their rule, the first. */
export function findFieldProblem(
  fields: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, FieldRule>>,
): string | undefined {
  for (const [field, value] of Object.entries(fields)) {
    const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
    if (rule === undefined) {
      return `the field "${toOneLine(field, MAX_FIELD)}" is unknown. ${knownFields(field, Object.keys(rules))}`;
    }
    const problem = value === undefined ? undefined : rule(value);
    if (problem !== undefined) return `the field "${field}" ${problem}`;
  }
  return undefined;
}

/** Its rule says what to write. */
function findMissingField(
  options: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, FieldRule>>,
  needed: readonly string[],
): string | undefined {
  const field = needed.find((name) => options[name] === undefined);
  return field && `the field "${field}" ${rules[field]?.(undefined)}`;
}

function knownFields(stranger: string, known: readonly string[]): string {
  const [nearest] = findNearest(stranger, known, 1);
  return nearest === undefined ? `Use ${known.join(', ')}.` : `Did you mean "${nearest}"?`;
}

export const listOfTexts: FieldRule = (value) =>
  Array.isArray(value) && value.every((text) => typeof text === 'string' && text.trim() !== '')
    ? undefined
    : 'is not a list of texts. Write ["one", "two"].';

/** Also an empty one: what a person typed into a field of a program. */
export const anyText: FieldRule = (value) => (typeof value === 'string' ? undefined : 'is not a text. Write "…".');

export const textValue: FieldRule = (value) =>
  typeof value === 'string' && value.trim() !== '' ? undefined : 'is not a text. Write "…".';

export const durationValue: FieldRule = (value) =>
  typeof value === 'string' && isDuration(value) ? undefined : 'is not a duration. Write "90m", "12h" or "30d".';

export const functionValue: FieldRule = (value) =>
  typeof value === 'function' ? undefined : 'is not a function. Write (event) => { … }.';

export const truthValue: FieldRule = (value) =>
  typeof value === 'boolean' ? undefined : 'is not a truth value. Write true or false.';

export const dateValue: FieldRule = (value) =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? undefined : 'is not a date. Write new Date("2026-01-31").';

/** A promise or an instance of a class would pass for a configuration without fields. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Promise) return 'a promise';
  if (value === undefined) return 'undefined';
  return typeof value === 'object' ? 'an instance of a class' : `a ${typeof value}`;
}
