// The steps to a goal: what is published, what of a model's answer may become them, and a plan that fits every goal.
import { z } from 'zod';
import { cutText, findJsonObject, lineOf } from './model-text.ts';
import { modelDescription, modelTitle } from './suggestions.ts';

/** `task_sequencing` takes them as they are. */
export const planStep = z.object({
  id: z.string().describe('The name of the step in this plan.'),
  title: z.string(),
  description: z.string().nullable(),
  priority: z.int().min(1).max(5),
  depends_on: z.array(z.string()).describe('Ids of the earlier steps that have to be done before it.'),
  is_new: z.boolean().describe('False: it is an open task of the user already.'),
  skill_name: z.string().nullable().describe('The skill that it comes from, or that does it; null: none is known.'),
  skill_kind: z.enum(['document', 'typed']).nullable().describe('What kind of skill that is.'),
});

export type PlanStep = z.infer<typeof planStep>;

/** Before it has its place in a plan. */
export interface PlacedStep extends Omit<PlanStep, 'id' | 'depends_on'> {
  /** Positions of earlier steps. */
  readonly after: readonly number[];
}

/** With as many digits as the longest plan needs: ids sort as the steps stand. */
const idOf = (position: number): string => `step-${String(position + 1).padStart(2, '0')}`;

export const planOf = (steps: readonly PlacedStep[]): readonly PlanStep[] =>
  steps.map(({ after, ...step }, position) => ({ id: idOf(position), ...step, depends_on: after.map(idOf) }));

const NO_SKILL = { is_new: true, skill_name: null, skill_kind: null } as const;

const answered = z.object({
  steps: z
    .array(
      z.object({
        title: modelTitle,
        description: modelDescription,
        priority: planStep.shape.priority,
        depends_on: z.array(z.int().min(0)),
      }),
    )
    .min(1),
});

/** All of it or nothing: a plan of which a step is missing is no plan. What is beyond `maxSteps` is cut off the end. */
export function parsePlan(text: string, maxSteps: number): readonly PlanStep[] | undefined {
  const steps = answered.safeParse(findJsonObject(text)).data?.steps;
  if (steps?.some(({ depends_on }, index) => depends_on.some((before) => before >= index))) return undefined;
  if (steps === undefined) return undefined;
  return planOf(
    steps.slice(0, maxSteps).map(({ depends_on, ...step }) => ({ ...step, ...NO_SKILL, after: ascending(depends_on) })),
  );
}

const ascending = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);

/** Where nothing that is known fits. The same goal always gives the same steps, each resting on the one before. */
export const planByTemplate = (goal: string, maxSteps: number): readonly Omit<PlacedStep, 'after'>[] =>
  TEMPLATE.filter(({ rank }) => rank <= maxSteps).map(({ rank: _rank, title, ...step }) => ({
    ...step,
    ...NO_SKILL,
    title: title.replace('{goal}', () => cutText(lineOf(goal), 120)),
  }));

interface TemplateStep extends Pick<PlacedStep, 'title' | 'description' | 'priority'> {
  /** Which step is kept longest when only a few are wanted: 1. */
  readonly rank: number;
}

const TEMPLATE: readonly TemplateStep[] = [
  {
    rank: 2,
    title: 'Write down what is there when this is reached: {goal}',
    description: 'Two or three sentences that another person could check, and the date by which it is needed.',
    priority: 5,
  },
  {
    rank: 4,
    title: 'Collect what is given',
    description: 'What exists already, who has to agree, what it may cost, what is still unknown.',
    priority: 4,
  },
  {
    rank: 5,
    title: 'List the pieces of work',
    description: 'Each small enough for a day. Note which of them needs another one first.',
    priority: 4,
  },
  {
    rank: 1,
    title: 'Do the smallest useful piece of: {goal}',
    description: 'Choose the piece that shows soonest whether the way is right.',
    priority: 4,
  },
  {
    rank: 6,
    title: 'Do the other pieces, one after the other',
    description: 'Those that others wait for come first.',
    priority: 3,
  },
  {
    rank: 3,
    title: 'Check the result',
    description: 'Compare it with the goal, and fix what is missing.',
    priority: 3,
  },
  {
    rank: 7,
    title: 'Hand it over and close it',
    description: 'Tell those who waited for it, and note what you would do differently.',
    priority: 2,
  },
];
