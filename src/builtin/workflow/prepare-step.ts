// What a step of a workflow is to run, decided before any of its stage begins: once, once for each item of a list, or not at
// all. A failure says what cannot be made; it does not quote the input of a step.
import { fail, ok, type Result } from '../../values/result.ts';
import type { IsSkill } from '../ports/find-skills.ts';
import {
  createTextBudget,
  findOnlyReference,
  resolveInput,
  resolveReference,
  type Scope,
  type TextBudget,
} from './reference.ts';
import type { WorkflowStep } from './workflow-schema.ts';

/** One call of a skill. */
export interface StepRun {
  readonly step: WorkflowStep;
  readonly skill: string;
  readonly input: unknown;
  /** Its place in the list, from 0; absent: the step goes through none. */
  readonly item: number | undefined;
}

export interface PreparedStep {
  readonly step: WorkflowStep;
  /** `when` is not true. */
  readonly isSkipped: boolean;
  readonly runs: readonly StepRun[];
}

/** Why a step cannot run. */
export interface Unprepared {
  /** From 0. */
  readonly item: number | undefined;
  readonly reason: string;
}

export function prepareStep(
  step: WorkflowStep,
  outputs: Scope['outputs'],
  isSkill: IsSkill,
): Result<PreparedStep, Unprepared> {
  const items = itemsOf(step, outputs);
  if (!items.ok) return fail({ item: undefined, reason: items.failure });
  const budget = createTextBudget();
  const runs: StepRun[] = [];
  for (const [place, item] of items.value.entries()) {
    const at = item === undefined ? undefined : place;
    const run = prepareRun(step, { outputs, item }, { isSkill, budget });
    if (!run.ok) return fail({ item: at, reason: run.failure });
    if (run.value !== undefined) runs.push({ step, ...run.value, item: at });
  }
  return ok({ step, isSkipped: step.for_each === undefined && runs.length === 0, runs });
}

const MOST_ITEMS = 100;

type Items = readonly Scope['item'][];

const WITHOUT_LIST: Items = [undefined];

function itemsOf({ for_each }: WorkflowStep, outputs: Scope['outputs']): Result<Items, string> {
  if (for_each === undefined) return ok(WITHOUT_LIST);
  const list = resolveOnly(for_each, { outputs });
  if (!list.ok) return fail(`for_each: ${list.failure}`);
  if (!Array.isArray(list.value)) return fail(`for_each: stands for ${kindOf(list.value)}, not for a list`);
  const { length } = list.value;
  if (length > MOST_ITEMS) return fail(`for_each: stands for ${length} items; at most ${MOST_ITEMS} are allowed`);
  return ok(list.value.map((value: unknown) => ({ value })));
}

interface Preparing {
  readonly isSkill: IsSkill;
  readonly budget: TextBudget;
}

/** `undefined`: it is not to run. */
function prepareRun(
  { skill, input = {}, when }: WorkflowStep,
  scope: Scope,
  { isSkill, budget }: Preparing,
): Result<{ readonly skill: string; readonly input: unknown } | undefined, string> {
  const wanted = isWanted(when, scope);
  if (!wanted.ok) return wanted;
  if (!wanted.value) return ok(undefined);
  const name = nameOf(skill, scope, isSkill);
  if (!name.ok) return name;
  const made = resolveInput(input, scope, budget);
  return made.ok ? ok({ skill: name.value, input: made.value }) : made;
}

/** Nothing but true and false: a misspelt field must not look like a condition that is not met. */
function isWanted(when: string | undefined, scope: Scope): Result<boolean, string> {
  if (when === undefined) return ok(true);
  const stepId = findOnlyReference(when)?.stepId;
  // Nothing came of a step that was skipped, so nothing of it is true.
  if (stepId !== undefined && !scope.outputs.has(stepId)) return ok(false);
  const found = resolveOnly(when, scope);
  if (!found.ok) return fail(`when: ${found.failure}`);
  return typeof found.value === 'boolean'
    ? ok(found.value)
    : fail(`when: stands for ${kindOf(found.value)}, not for true or false`);
}

function nameOf(skill: string, scope: Scope, isSkill: IsSkill): Result<string, string> {
  if (!skill.includes('${')) return ok(skill);
  const found = resolveOnly(skill, scope);
  if (!found.ok) return fail(`skill: ${found.failure}`);
  const { value } = found;
  if (typeof value !== 'string') return fail(`skill: stands for ${kindOf(value)}, not for the name of a typed skill`);
  if (isSkill(value)) return ok(value);
  // What does not look like a name may be anything.
  const named = /^[a-z][a-z0-9_]{0,63}$/.test(value) ? ` "${value}"` : '';
  return fail(`skill: there is no typed skill${named}`);
}

/** The check of the workflow has seen that the text is one reference. */
function resolveOnly(text: string, scope: Scope): Result<unknown, string> {
  const reference = findOnlyReference(text);
  return reference === undefined ? fail('is not one reference') : resolveReference(reference, scope);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return KINDS[typeof value] ?? 'something else';
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
};
