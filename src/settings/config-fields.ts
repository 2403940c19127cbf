// Which fields a configuration may have, and what is wrong with a value: the end of a sentence, and what to write. Pure.
import type { AnySkill } from '../skills/define/define-skill.ts';
import { toOneLine } from '../text/one-line.ts';
import { isDuration } from '../values/duration-ms.ts';
import { parseTrustedProxies } from './trusted-proxies.ts';
import type { UserConfig } from './user-config.ts';

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
      return `the field "${toOneLine(field, MAX_FIELD)}" is unknown. Use ${Object.keys(rules).join(', ')}.`;
    }
    const problem = value === undefined ? undefined : rule(value);
    if (problem !== undefined) return `the field "${field}" ${problem}`;
  }
  return undefined;
}

export const listOfTexts: FieldRule = (value) =>
  Array.isArray(value) && value.every((text) => typeof text === 'string' && text.trim() !== '')
    ? undefined
    : 'is not a list of texts. Write ["one", "two"].';

export const textValue: FieldRule = (value) =>
  typeof value === 'string' && value.trim() !== '' ? undefined : 'is not a text. Write "…".';

export const durationValue: FieldRule = (value) =>
  typeof value === 'string' && isDuration(value) ? undefined : 'is not a duration. Write "90m", "12h" or "30d".';

export const functionValue: FieldRule = (value) =>
  typeof value === 'function' ? undefined : 'is not a function. Write (event) => { … }.';

export const truthValue: FieldRule = (value) =>
  typeof value === 'boolean' ? undefined : 'is not a truth value. Write true or false.';

export const CONFIG_FIELDS = {
  skills: (value) => (Array.isArray(value) ? readNames(value) : 'is not a list. Write [skill, skill].'),
  agents: listOfTexts,
  roots: listOfTexts,
  defaultRoots: truthValue,
  without: listOfTexts,
  pin: listOfTexts,
  allowLinks: listOfTexts,
  trustProxy: (value) => listOfTexts(value) ?? findProxyProblem(value as readonly string[]),
  limits: findLimitProblem,
  ownership: findOwnershipProblem,
} as const satisfies Record<keyof UserConfig, FieldRule>;

/** Faults of a definition cost that skill alone. A name that throws does it here, where the file can still be named. */
function readNames(skills: readonly unknown[]): undefined {
  for (const skill of skills) void (skill as Partial<AnySkill> | null | undefined)?.name;
}

function findProxyProblem(entries: readonly string[]): string | undefined {
  const parsed = parseTrustedProxies(entries);
  return parsed.ok ? undefined : `has an entry that ${parsed.failure}.`;
}

function findLimitProblem(limits: unknown): string | undefined {
  const fix = 'Write { callerPerMinute: 60 }.';
  if (!isPlainObject(limits)) return `is ${kindOf(limits)}. ${fix}`;
  const { callerPerMinute = 1, ...others } = limits;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) return `has the unknown entry "${toOneLine(stranger, 80)}". ${fix}`;
  return Number.isInteger(callerPerMinute) && Number(callerPerMinute) >= 1
    ? undefined
    : `has a callerPerMinute that is not a whole number from 1. ${fix}`;
}

/** As long as the name of a typed skill, which it stands beside. */
const LONGEST_TYPE = 64;

function findOwnershipProblem(ownership: unknown): string | undefined {
  const fix = 'Write { invoice: (userId, resourceId) => true }.';
  if (!isPlainObject(ownership)) return `is ${kindOf(ownership)}. ${fix}`;
  for (const [type, isOwner] of Object.entries(ownership)) {
    const entry = `has an entry "${toOneLine(type, 80)}"`;
    if (type === 'task') return `${entry}, which is built in. Rename it.`;
    if (type !== toOneLine(type, LONGEST_TYPE).trim() || type === '') return `${entry}, which is no name. Rename it.`;
    if (typeof isOwner !== 'function') return `${entry} that is no function. ${fix}`;
  }
  return undefined;
}

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
  return typeof value === 'object' ? 'an instance of a class' : `a ${typeof value}`;
}
