// Which fields a configuration may have, with the rule of each. Pure.
import type { AnySkill } from '../skills/define/define-skill.ts';
import { toOneLine } from '../text/one-line.ts';
import { type FieldRule, isPlainObject, kindOf, listOfTexts, truthValue } from '../values/field-rules.ts';
import { parseTrustedProxies } from './trusted-proxies.ts';
import type { UserConfig } from './user-config.ts';
import { findVisibleProblem } from './visible-field.ts';

export const CONFIG_FIELDS = {
  skills: (value) => (Array.isArray(value) ? readNames(value) : 'is not a list. Write [skill, skill].'),
  agents: listOfTexts,
  roots: listOfTexts,
  defaultRoots: truthValue,
  without: listOfTexts,
  pin: listOfTexts,
  visible: findVisibleProblem,
  allowLinks: listOfTexts,
  trustProxy: (value) => listOfTexts(value) ?? findProxyProblem(value as readonly string[]),
  limits: findLimitProblem,
  ownership: findOwnershipProblem,
  approvalFor: (value) =>
    Array.isArray(value) && value.every((each) => each === 'destructive')
      ? undefined
      : 'has an entry that is not "destructive". Write ["destructive"].',
  // A bad entry costs itself alone: it is told when runs begin (J7).
  schedules: (value) =>
    Array.isArray(value)
      ? undefined
      : 'is not a list. Write [{ name: "nightly", skill: "report", input: {}, cron: "0 3 * * *", timezone: "UTC" }].',
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
