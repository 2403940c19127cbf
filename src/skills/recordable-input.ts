// What of a call's input is secret, and what of it may be stored and shown; with the steps that it holds, each by its own schema.
import type { StepIn } from './define-skill.ts';
import { isRecord } from './is-record.ts';
import type { RegisteredSkill } from './registered-skill.ts';
import { isBrief } from './schema/json-inspection.ts';
import { type Instead, UNKNOWN } from './secrets/redactor.ts';
import type { Secrets } from './secrets/scrub.ts';

type Find = (name: string) => RegisteredSkill | undefined;

/** Of the steps that the input holds, too: it is recorded before any of them runs. */
export function addSecrets(find: Find, skill: RegisteredSkill, input: unknown, secrets: Secrets): void {
  secrets.add(skill.inputRedactor.secretsIn(input));
  for (const step of skill.stepsIn(input)) {
    const inner = skillOf(find, step);
    if (inner !== undefined) addSecrets(find, inner, step.input, secrets);
  }
}

/** What a call that was refused may leave in the log: whoever may not call must not fill it. */
const MOST_BYTES = 65_536;

export const isBriefInput = (input: unknown): boolean => isBrief(input, MOST_BYTES);

export const NOT_RECORDED = {
  unfit: { not_recorded: 'the input is too large, too deep or not JSON' },
  noObject: { not_recorded: 'the input is not an object' },
  refused: { not_recorded: `the call was refused, and its input has more than ${MOST_BYTES / 1_024} KB` },
} as const;

/** Of an input that can be held. One that is no object is not stored at all: nobody can tell what in it is secret. */
export function recordableInput(find: Find, skill: RegisteredSkill, input: unknown, secrets: Secrets): unknown {
  return isRecord(input) ? redactInput(find, skill, input, secrets) : NOT_RECORDED.noObject;
}

function redactInput(find: Find, skill: RegisteredSkill, input: object, secrets: Secrets): unknown {
  const steps = skill.stepsIn(input).filter((step) => step.input !== undefined);
  const instead = insteadOf(steps.map(({ at, ...step }) => [at, redactStep(find, step, secrets)]));
  return skill.inputRedactor.redact(input, secrets, instead);
}

/** Shown as the call of the step itself would be, and not at all where that cannot be told. */
function redactStep(find: Find, step: Omit<StepIn, 'at'>, secrets: Secrets): unknown {
  const inner = skillOf(find, step);
  return inner === undefined || !isRecord(step.input) ? UNKNOWN : redactInput(find, inner, step.input, secrets);
}

interface Branch extends Instead {
  value?: unknown;
  readonly inside: Map<string | number, Branch>;
}

function insteadOf(parts: readonly (readonly [StepIn['at'], unknown])[]): Instead {
  const root: Branch = { inside: new Map() };
  for (const [path, value] of parts) {
    let branch = root;
    for (const key of path) {
      const next: Branch = branch.inside.get(key) ?? { inside: new Map() };
      branch.inside.set(key, next);
      branch = next;
    }
    branch.value = value;
  }
  return root;
}

const skillOf = (find: Find, { skill }: Pick<StepIn, 'skill'>): RegisteredSkill | undefined =>
  typeof skill === 'string' ? find(skill) : undefined;
