// A workflow as JSON: stages one after the other, each of them a step or a group of steps that run side by side.
import { z } from 'zod';
import { limitedText } from '../kit/limited-text.ts';
import { stepInputField } from '../kit/step-input.ts';

/** Together, those in groups counted one by one. */
export const MOST_STEPS = 50;

/** A letter first: no id can be the name of something that every object has for itself, as `__proto__`. */
const stepId = limitedText({ min: 1, max: 64 }).regex(/^[A-Za-z][\w-]*$/, {
  error: 'must be a letter, then letters, digits, _ and -',
});
const skillName = limitedText({ min: 1, max: 64 });
const input = stepInputField.optional().describe(`"\${steps.ID.output.FIELD}" stands for an output of an earlier step`);

const step = z.object({ id: stepId, skill: skillName, input });

/** One object with everything optional, not a union: what is wrong is told by its field, and hosts can show the form. */
const stage = z.object({
  id: stepId.optional(),
  skill: skillName.optional(),
  input,
  parallel: z
    .array(step)
    .min(1)
    .max(MOST_STEPS)
    .optional()
    .describe('steps that run side by side, instead of id, skill and input'),
});

export const workflowSchema = z.object({ steps: z.array(stage).min(1).max(MOST_STEPS) });

export type Workflow = z.infer<typeof workflowSchema>;
export type WorkflowStep = z.infer<typeof step>;
