// What of a payload may be stored, printed or shown: a copy without secrets, in text that every database takes. An input that
// holds inputs of other skills is redacted by the schemas of these, too.
import { REDACTED } from '../../text/credentials.ts';
import { isSecretName } from '../../text/secret-names.ts';
import { storableText } from '../../text/storable-text.ts';
import { isRecord } from '../../values/is-record.ts';
import { INPUT_LIMITS, isBrief } from '../check/json-inspection.ts';
import type { Secrecy } from '../check/secrecy.ts';
import type { StepIn } from '../define/define-skill.ts';
import type { RegisteredSkill } from '../define/registered-skill.ts';
import type { Secrets } from './secrets.ts';

type Find = (name: string) => RegisteredSkill | undefined;

/** Of the steps that the input holds, too: it is recorded before any of them runs. */
export function addSecrets(find: Find, skill: RegisteredSkill, input: unknown, secrets: Secrets): void {
  learnSecrets(input, skill.input.secrecy, secrets);
  for (const step of skill.stepsIn(input)) {
    const inner = skillOf(find, step);
    if (inner !== undefined) addSecrets(find, inner, step.input, secrets);
  }
}

/** What a call that was refused may leave in the log: a caller without permission must not fill it. */
const MOST_BYTES = 65_536;

export const isBriefInput = (input: unknown): boolean => isBrief(input, { ...INPUT_LIMITS, maxBytes: MOST_BYTES });

export const NOT_RECORDED = {
  unfit: { not_recorded: 'the input is too large, too deep or not JSON' },
  noObject: { not_recorded: 'the input is not an object' },
  refused: { not_recorded: `the call was refused, and its input has more than ${MOST_BYTES / 1_024} KB` },
} as const;

/** Of an input that can be held. One that is no object is not stored at all: what in it is secret cannot be told. */
export function recordableInput(find: Find, skill: RegisteredSkill, input: unknown, secrets: Secrets): unknown {
  return isRecord(input) ? redactInput(find, skill, input, secrets) : NOT_RECORDED.noObject;
}

function redactInput(find: Find, skill: RegisteredSkill, input: object, secrets: Secrets): unknown {
  const steps = skill.stepsIn(input).filter((step) => step.input !== undefined);
  const instead = insteadOf(steps.map(({ at, ...step }) => [at, redactStep(find, step, secrets)]));
  return redact(input, skill.input.secrecy, secrets, instead);
}

/** Shown as the call of the step itself would be, and not at all where that cannot be told. */
function redactStep(find: Find, step: Omit<StepIn, 'at'>, secrets: Secrets): unknown {
  const inner = skillOf(find, step);
  return inner === undefined || !isRecord(step.input) ? UNKNOWN : redactInput(find, inner, step.input, secrets);
}

const skillOf = (find: Find, { skill }: Pick<StepIn, 'skill'>): RegisteredSkill | undefined =>
  typeof skill === 'string' ? find(skill) : undefined;

/** By field or position: what stands there instead, or deeper. */
interface Instead {
  value?: unknown;
  readonly inside: Map<string | number, Instead>;
}

function insteadOf(parts: readonly (readonly [StepIn['at'], unknown])[]): Instead {
  const root: Instead = { inside: new Map() };
  for (const [path, value] of parts) {
    let branch = root;
    for (const key of path) {
      const next: Instead = branch.inside.get(key) ?? { inside: new Map() };
      branch.inside.set(key, next);
      branch = next;
    }
    branch.value = value;
  }
  return root;
}

const UNKNOWN = '[unknown field]';
/** Instead of a text or a number where a list or an object with secrets belongs: it may be one of them. */
const WRONG_TYPE = '[wrong type]';
const TOO_DEEP = '[nested too deeply]';
const MAX_DEPTH = 64;

/** What is secret in `value`, to be found in the other texts of the call. `secrets`: asked for when there is any. */
export function learnSecrets(value: unknown, secrecy: Secrecy, secrets: Secrets | (() => Secrets)): void {
  const marked = secretsIn(value, secrecy);
  const named: string[] = [];
  collectNamed(value, named, 0);
  if (marked.length === 0 && named.length === 0) return;
  const learning = typeof secrets === 'function' ? secrets() : secrets;
  learning.add(marked);
  learning.addNamed(named);
}

/** The texts and numbers under a secret mark, at any depth. */
export function secretsIn(value: unknown, secrecy: Secrecy): readonly string[] {
  const found: string[] = [];
  collect(secrecy, value, found, 0);
  return found;
}

/** The schema need not know them: `password` is one without a mark, too (X1). */
function collectNamed(value: unknown, found: string[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  const isList = Array.isArray(value);
  for (const name of Object.keys(value)) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    if (!isList && isNamedSecret(name, inner)) collectLeaves(inner, found, depth + 1);
    else collectNamed(inner, found, depth + 1);
  }
}

/** Whether there is something in it, or how many, is no secret: `has_password: true`, `token: null`, `secrets: 7`. */
export const isNamedSecret = (name: string, value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  typeof value !== 'boolean' &&
  value !== '' &&
  !(typeof value === 'number' && /s$/i.test(name)) &&
  isSecretName(name);

function collect(secrecy: Secrecy | undefined, value: unknown, found: string[], depth: number): void {
  if (!secrecy?.holdsSecret || depth > MAX_DEPTH) return;
  if (secrecy.secret) {
    // The names in a record are its owner's; those of an object are the author's, and in every message.
    if (!secrecy.hasNames && isRecord(value)) for (const name of Object.keys(value)) found.push(name);
    return void collectLeaves(value, found, depth);
  }
  if (secrecy.hidesLeaf && typeof value !== 'object') return void collectLeaves(value, found, depth);
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) collect(secrecy.item(index), inner, found, depth + 1);
  } else if (isRecord(value)) {
    for (const name of Object.keys(value)) collect(secrecy.field(name), value[name], found, depth + 1);
  }
}

function collectLeaves(value: unknown, found: string[], depth: number): void {
  if (typeof value === 'string') found.push(value);
  else if (typeof value === 'number' || typeof value === 'bigint') found.push(String(value));
  else if (typeof value === 'object' && value !== null && depth <= MAX_DEPTH) {
    for (const inner of Object.values(value)) collectLeaves(inner, found, depth + 1);
  }
}

/**
 * The copy. Values of fields that the schema does not know are left out: they may be secret, too. `instead`: what stands in
 * place of a part, which then is not looked at.
 */
export const redact = (value: unknown, secrecy: Secrecy, secrets: Secrets, instead?: Instead): unknown =>
  copy(value, secrecy, { secrets, instead, depth: 0 });

interface Copying {
  readonly secrets: Secrets;
  readonly instead: Instead | undefined;
  readonly depth: number;
}

function copy(value: unknown, secrecy: Secrecy, copying: Copying): unknown {
  if (copying.instead?.value !== undefined) return copying.instead.value;
  if (secrecy.secret) return REDACTED;
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value !== 'object') return secrecy.hidesLeaf ? WRONG_TYPE : copyLeaf(value, copying.secrets);
  if (copying.depth > MAX_DEPTH) return TOO_DEEP;
  return Array.isArray(value) ? copyList(value, secrecy, copying) : copyRecord(value, secrecy, copying);
}

function copyList(value: readonly unknown[], secrecy: Secrecy, copying: Copying): unknown {
  return value.map((inner, index) => {
    const child = secrecy.item(index);
    return child === undefined ? UNKNOWN : copy(inner, child, inside(copying, index));
  });
}

/** A name tells enough to fix an input; thousands of them would only fill the log. */
const MOST_UNKNOWN = 20;

function copyRecord(value: object, secrecy: Secrecy, copying: Copying): unknown {
  const copied: [string, unknown][] = [];
  let unknown = 0;
  for (const name of Object.keys(value)) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    if (inner === undefined) continue;
    const child = secrecy.field(name);
    if (child === undefined && ++unknown > MOST_UNKNOWN) continue;
    const shown = child === undefined ? UNKNOWN : copyField(name, inner, child, inside(copying, name));
    copied.push([storableText(copying.secrets.scrub(name)), shown]);
  }
  if (unknown > MOST_UNKNOWN) copied.push(['…', `${(unknown - MOST_UNKNOWN).toLocaleString('en')} more`]);
  return Object.fromEntries(copied);
}

const copyField = (name: string, value: unknown, secrecy: Secrecy, copying: Copying): unknown =>
  copying.instead === undefined && isNamedSecret(name, value) ? REDACTED : copy(value, secrecy, copying);

const inside = ({ secrets, instead, depth }: Copying, key: string | number): Copying => ({
  secrets,
  instead: instead?.inside.get(key),
  depth: depth + 1,
});

/** A secret number is one in the log too. */
function copyLeaf(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return storableText(secrets.scrub(value));
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const text = String(value);
  return secrets.scrub(text) === text ? value : REDACTED;
}
