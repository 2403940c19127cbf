// `goal_decomposition`: a goal in words as steps, by a language model, or from the skills and tasks that there are (B4).
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { reportStoreFailure } from '../kit/failures.ts';
import { defaultingField, idField, limitedText, optionalField } from '../kit/fields.ts';
import type { FindSkills } from '../ports/find-skills.ts';
import type { Task } from '../ports/task-store.ts';
import { askOrDegrade } from './ai-model.ts';
import { parsePlan, planStep } from './plan.ts';
import { listOpenTasks, rankTasks } from './pressing-tasks.ts';
import { askForPlan } from './prompt.ts';
import { findTask, planFromSkills } from './skill-plan.ts';
import type { SuggestionPorts } from './suggestion-generation.ts';

export interface PlanPorts extends SuggestionPorts {
  readonly findSkills: FindSkills;
}

/** Of each part of a goal. */
const MOST_FOUND = 10;

export const goalDecomposition = ({ tasks, model, now, findSkills }: PlanPorts) =>
  defineSkill({
    name: 'goal_decomposition',
    description:
      'Breaks a goal into steps with priorities and dependencies. With a user_id the open tasks of that user are ' +
      'considered. Without a language model the steps come from the skills that fit, and degraded is true.',
    category: 'planning',
    assignedTo: ['PlannerAgent'],
    input: z.object({
      goal: limitedText({ min: 1, max: 2_000 })
        .trim()
        .refine((goal) => goal !== '', { error: 'must not be blank' })
        .describe('What is to be reached, in words.'),
      user_id: optionalField(idField).describe('A user whose open tasks are to be considered.'),
      max_steps: defaultingField(z.int().min(1).max(20), 7).describe('How many steps to give at most.'),
    }),
    output: z.object({ steps: z.array(planStep), degraded: z.boolean() }),
    successCriteria: ['At most max_steps steps, in an order in which they can be done.'],
    failureModes: ['VALIDATION_ERROR', 'NOT_FOUND', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 30,
    annotations: { readOnly: true, openWorld: true },
    run: ({ goal, user_id, max_steps }, context) =>
      reportStoreFailure(context, async () => {
        const open: readonly Task[] | undefined = user_id === undefined ? [] : await listOpenTasks(tasks, user_id);
        if (open === undefined) return failure('NOT_FOUND', { resource: `user ${user_id}` });
        const time = now();
        const data = { tasks: rankTasks(open, time).map(({ task }) => task), now: time, goal };
        const { value: steps, degraded } = await askOrDegrade(model, context, {
          messages: askForPlan(data, max_steps),
          parse: (answer) => parsePlan(answer, max_steps),
          instead: () =>
            planFromSkills({
              goal,
              tasks: data.tasks,
              maxSteps: max_steps,
              find: (request) => findSkills(request, MOST_FOUND, context.caller),
            }),
        });
        // A model may repeat what it was shown.
        const marked = steps.map((step) => ({ ...step, is_new: step.is_new && !findTask(data.tasks, step.title) }));
        return { steps: marked, degraded };
      }),
  });
