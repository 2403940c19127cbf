// `task_sequencing`: in which order tasks can be done, and which of them side by side (B4).
import { z } from 'zod';
import { reportViolations } from '../../skills/check/violation.ts';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { defaultingField, dueDateField, limitedText, optionalField, priorityField } from '../kit/fields.ts';
import { orderTasks } from './task-order.ts';

const NAME = { min: 1, max: 200 } as const;

const nameField = limitedText(NAME);

/** One fault for all that are wrong: there may be hundreds of thousands of them. */
const namesField = z
  .array(z.string().meta({ minLength: NAME.min, maxLength: NAME.max }))
  .max(1_000)
  .refine((names) => names.every((name) => nameField.safeParse(name).success), {
    error: `must hold texts of ${NAME.min} to ${NAME.max} characters`,
  });

export const taskSequencing = () =>
  defineSkill({
    name: 'task_sequencing',
    description:
      'Puts tasks into an order that respects their dependencies: one list, and batches that can be done side by side. ' +
      'Where there is a choice the earlier due date comes first, then the higher priority, then the id.',
    category: 'planning',
    assignedTo: ['PlannerAgent'],
    input: z.object({
      tasks: z
        .array(
          z.object({
            id: nameField.describe('Any text that no other task of the list has.'),
            depends_on: defaultingField(namesField, []).describe('Ids of the tasks that have to be done before it.'),
            priority: optionalField(priorityField).describe('How urgent it is: 5 is the most urgent.'),
            due_date: optionalField(dueDateField).describe('When it has to be done: a date and time with a zone.'),
          }),
        )
        .min(1)
        .max(1_000)
        .describe('The tasks to put in order.'),
    }),
    output: z.object({ order: z.array(z.string()), batches: z.array(z.array(z.string())) }),
    successCriteria: ['Every task is there once, after all that it depends on.'],
    failureModes: ['VALIDATION_ERROR', 'UNAUTHORIZED'],
    timeoutSeconds: 10,
    annotations: { readOnly: true, openWorld: false },
    run({ tasks }) {
      const ordered = orderTasks(tasks);
      if (!ordered.ok) return failure('VALIDATION_ERROR', { ...reportViolations(ordered.failure) });
      const { order, batches } = ordered.value;
      return { order: [...order], batches: batches.map((batch) => [...batch]) };
    },
  });
