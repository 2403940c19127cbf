// A workflow as JSON: stages one after the other, each of them a step or a group of steps that run side by side. A step may
// go through a list, hang on a condition, and be tried again. What can be wrong beyond the form: workflow-faults.ts.

import { z } from 'zod';
import type { StepIn } from '../../skills/define/define-skill.ts';
import { FAILURE_CODES, FAILURE_MODES } from '../../skills/define/failure.ts';
import { limitedText } from '../kit/fields.ts';
import { fieldOf, stepInputField } from '../kit/steps.ts';

/** Together, those in groups counted one by one. */
export const MOST_STEPS = 50;

const MOST_ATTEMPTS = 5;

/** Those of which a caller can hope that they pass: of a fatal one nothing else would come again (X4). */
const RECOVERABLE_CODES = FAILURE_CODES.filter((code) => FAILURE_MODES[code].severity === 'recoverable');

/** A letter first: no id can be the name of something that every object has for itself, as `__proto__`. */
const stepId = limitedText({ min: 1, max: 64 }).regex(/^[A-Za-z][\w-]*$/, {
  error: 'must be a letter, then letters, digits, _ and -',
});

/** Long enough for a path into an output. */
const reference = limitedText({ min: 1, max: 500 });

const fields = {
  id: stepId.describe('The name of the step, which later steps refer to.'),
  skill: reference.describe(
    `The typed skill to run: its name, or "\${steps.ID.output.FIELD}" for the name that an earlier step gave.`,
  ),
  input: stepInputField
    .optional()
    .describe(`Its input. "\${steps.ID.output.FIELD}" stands for what an earlier step gave.`),
  for_each: reference
    .optional()
    .describe(
      `A list to go through: "\${steps.ID.output.FIELD}". The step runs once for each of its items, one after the other; ` +
        `"\${item}" and "\${item.FIELD}" stand for the item, and its output is the list of what the runs gave.`,
    ),
  when: reference
    .optional()
    .describe(
      `A condition: "\${steps.ID.output.FIELD}" or, with for_each, "\${item.FIELD}". It runs only if that is true.`,
    ),
  retry: z
    .object({
      attempts: z.int().min(1).max(MOST_ATTEMPTS).describe('How often it is tried at most, the first time included.'),
      codes: z
        .array(z.enum(RECOVERABLE_CODES))
        .min(1)
        .optional()
        .describe('Failures after which it is tried again; left out: those that may pass by themselves.'),
    })
    .optional()
    .describe('Tries the step again after a failure that may pass.'),
};

const step = z.object(fields);

/** One object with everything optional, not a union: what is wrong is told by its field, and hosts can show the form. */
const stage = z.object({
  ...fields,
  id: fields.id.optional(),
  skill: fields.skill.optional(),
  parallel: z
    .array(step)
    .min(1)
    .max(MOST_STEPS)
    .optional()
    .describe('Steps that run side by side, in place of the other fields.'),
});

export const workflowSchema = z.object({
  steps: z.array(stage).min(1).max(MOST_STEPS).describe('What runs, one after the other: steps, and groups of steps.'),
});

export type Workflow = z.infer<typeof workflowSchema>;
export type WorkflowStep = z.infer<typeof step>;

/** What a group may not have beside its steps. */
export const STEP_FIELDS = Object.keys(fields);

/** The check has seen that it is the one or the other. */
export const stagesOf = ({ steps }: Workflow): readonly (readonly WorkflowStep[])[] =>
  steps.map(({ parallel: group, id = '', skill = '', ...rest }) => group ?? [{ id, skill, ...rest }]);

/** Whatever its form: also of a workflow that was not checked. What is both a group and a step counts as both. */
export const listSteps = (workflow: unknown): readonly StepIn[] =>
  listIn(workflow, 'steps').flatMap((stage, index) => {
    const at = ['steps', index];
    return [
      stepIn(stage, at),
      ...listIn(stage, 'parallel').map((step, place) => stepIn(step, [...at, 'parallel', place])),
    ];
  });

const stepIn = (step: unknown, at: readonly (string | number)[]): StepIn => ({
  skill: fieldOf(step, 'skill'),
  input: fieldOf(step, 'input'),
  at: [...at, 'input'],
});

/** Of a value that was not checked. */
export function listIn(value: unknown, field: string): readonly unknown[] {
  const list = fieldOf(value, field);
  return Array.isArray(list) ? list : [];
}
