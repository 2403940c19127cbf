// `task_sequencing`: in which order tasks can be done, and which of them side by side (B4). It takes tasks as
// `goal_decomposition` and `task_retrieval` give them, and gives them as `task_creation` takes them.
import { z } from 'zod';
import { reportViolations } from '../../skills/check/violation.ts';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import {
  defaultingField,
  descriptionField,
  dueDateField,
  limitedText,
  optionalField,
  priorityField,
  statusField,
} from '../kit/fields.ts';
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

/** Also when other fields are wrong: all faults are told at once (X5). */
const isObject = ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null;

const dateField = z.iso.datetime({ offset: true });

/** Every field is named: a misspelt one would silently count for nothing. */
const taskField = z
  .object({
    id: optionalField(nameField).describe('Any text that no other task of the list has.'),
    task_id: optionalField(nameField).describe('In place of id: as task_retrieval gives it.'),
    title: optionalField(limitedText({ max: 200 })).describe('What is to be done. It is given back.'),
    description: optionalField(descriptionField).describe('More about the task. It is given back.'),
    depends_on: defaultingField(namesField, []).describe('Ids of the tasks that have to be done before it.'),
    priority: optionalField(priorityField).describe('How urgent it is: 5 is the most urgent.'),
    due_date: optionalField(dueDateField).describe('When it has to be done: a date and time with a zone.'),
    is_new: optionalField(z.boolean()).describe(
      'False: it is stored already. True when left out, unless there is task_id.',
    ),
    skill_name: optionalField(limitedText({ max: 1_024 })).describe('The skill that it comes from. It is given back.'),
    skill_kind: optionalField(z.enum(['document', 'typed'])).describe('What kind of skill that is. It is given back.'),
    status: optionalField(statusField).describe('As task_retrieval gives it. It does not count.'),
    created_at: optionalField(dateField).describe('When it was made. It does not count.'),
    updated_at: optionalField(dateField).describe('When it last became different. It does not count.'),
  })
  .refine(({ id, task_id }) => (id ?? task_id ?? undefined) !== undefined, {
    path: ['id'],
    error: 'is required, unless there is task_id',
    when: isObject,
  })
  .refine(({ id, task_id }) => (id ?? undefined) === undefined || (task_id ?? undefined) === undefined, {
    path: ['task_id'],
    error: 'cannot be used with id',
    when: isObject,
  });

export const taskSequencing = () =>
  defineSkill({
    name: 'task_sequencing',
    description:
      'Puts tasks into an order that respects their dependencies: one list, and batches that can be done side by side. ' +
      'Where there is a choice the earlier due date comes first, then the higher priority, then the id. Takes the steps of ' +
      'goal_decomposition and the tasks of task_retrieval as they are.',
    category: 'planning',
    assignedTo: ['PlannerAgent'],
    input: z.object({ tasks: z.array(taskField).max(1_000).describe('The tasks to put in order.') }),
    output: z.object({
      order: z.array(z.string()),
      batches: z.array(z.array(z.string())),
      tasks: z.array(orderedTask).describe('the tasks themselves, in this order'),
    }),
    successCriteria: ['Every task is there once, after all that it depends on.'],
    failureModes: ['VALIDATION_ERROR', 'UNAUTHORIZED'],
    timeoutSeconds: 10,
    annotations: { readOnly: true, openWorld: false },
    run({ tasks }) {
      const named = tasks.map(({ id, task_id, ...task }) =>
        id === undefined
          ? { ...task, id: task_id ?? '', idField: 'task_id' as const }
          : { ...task, id, idField: 'id' as const },
      );
      const ordered = orderTasks(named);
      if (!ordered.ok) return failure('VALIDATION_ERROR', { ...reportViolations(ordered.failure) });
      const { order, batches } = ordered.value;
      const byId = new Map(named.map((task) => [task.id, task]));
      return {
        order: [...order],
        batches: batches.map((batch) => [...batch]),
        tasks: order.flatMap((id) => givenBack(byId.get(id))),
      };
    },
  });

const orderedTask = z.object({
  id: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  priority: z.int(),
  due_date: z.string().nullable(),
  depends_on: z.array(z.string()),
  is_new: z.boolean().describe('false: it is stored already'),
  skill_name: z.string().nullable(),
  skill_kind: z.enum(['document', 'typed']).nullable(),
});

type Named = Omit<z.output<typeof taskField>, 'id' | 'task_id'> & {
  readonly id: string;
  readonly idField: 'id' | 'task_id';
};

/** Every field is there, so that a reference to it always stands for something. */
function givenBack(task: Named | undefined): readonly z.input<typeof orderedTask>[] {
  if (task === undefined) return [];
  const { id, title = null, description = null, priority = 1, due_date = null, depends_on } = task;
  const { is_new = task.idField === 'id', skill_name = null, skill_kind = null } = task;
  return [{ id, title, description, priority, due_date, depends_on: [...depends_on], is_new, skill_name, skill_kind }];
}
