// `task_execution`: runs a skill for a task and moves the task along: in progress, then completed, or back to pending (B4).
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { type Failure, failure } from '../../skills/define/failure.ts';
import type { SkillAnswer } from '../../skills/define/invocation.ts';
import { StoreUnavailable } from '../../skills/record/invocation-log.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { invalidField, reportStoreFailure } from '../kit/failures.ts';
import { idField, limitedText, statusField } from '../kit/fields.ts';
import { fieldOf, STEP_FAILURES, stepFailure, stepInputField } from '../kit/steps.ts';
import type { IsSkill } from '../ports/find-skills.ts';
import type { DecideChange, TaskStatus, TaskStore } from '../ports/task-store.ts';

export interface ExecutionPorts {
  readonly tasks: TaskStore;
  readonly isSkill: IsSkill;
  readonly now: () => Date;
}

export const taskExecution = ({ tasks, isSkill, now }: ExecutionPorts) =>
  defineSkill({
    name: 'task_execution',
    description:
      "Runs a typed skill for a user's own pending task. While it runs the task is in_progress; afterwards it is completed, " +
      'or pending again if the skill failed.',
    category: 'execution',
    assignedTo: ['TaskExecutorAgent'],
    input: z.object({
      task_id: idField.describe('The task to work on; it must be pending.'),
      user_id: idField.describe('The owner of the task.'),
      skill_name: limitedText({ min: 1, max: 64 }).describe('The typed skill to run for it.'),
      input: stepInputField.optional().describe('The input of that skill; left out: an empty object.'),
    }),
    output: z.object({
      task_id: z.guid(),
      status: statusField,
      skill_name: z.string(),
      output: z.record(z.string(), z.unknown()),
    }),
    successCriteria: ['The skill has succeeded once, and the task is completed.'],
    failureModes: STEP_FAILURES,
    timeoutSeconds: 300,
    stepsIn: (given) => [{ skill: fieldOf(given, 'skill_name'), input: fieldOf(given, 'input'), at: ['input'] }],
    run: ({ task_id, user_id, skill_name, input = {} }, context) =>
      reportStoreFailure(context, async () => {
        if (!isSkill(skill_name)) return failure('NOT_FOUND', { resource: `skill ${JSON.stringify(skill_name)}` });
        const begun = await tasks.update(user_id, task_id, beginTask, now());
        if (begun === undefined) return failure('NOT_FOUND', { resource: `task ${task_id}` });
        if (!begun.ok) return invalidField('task_id', begun.failure);
        const answer = await context.invoke(skill_name, input);
        const move = (to: TaskStatus) => tasks.update(user_id, task_id, endTask(to), now());
        const ended = await settle(move, answer);
        const status = ended.ok ? ended.value : null;
        if (!answer.success) return failedExecution(answer.failure, { task_id, skill_name, status });
        // It ran: the caller must not simply call again.
        if (!ended.ok) return failure(ended.failure, { resource: `task ${task_id}`, task_id, executed: true });
        return { task_id, status: ended.value, skill_name, output: answer.outputPayload };
      }),
  });

interface Execution {
  readonly task_id: string;
  readonly skill_name: string;
  /** Of the task afterwards; null: it cannot be told. */
  readonly status: TaskStatus | null;
}

function failedExecution(failed: Failure, { task_id, skill_name, status }: Execution) {
  const { code, message } = failed;
  return stepFailure(failed, `skill ${skill_name}`, { task_id, status, failed: { skill_name, code, message } });
}

/** Only one that waits: of two calls at once one runs the skill. */
const beginTask: DecideChange<string> = ({ status }) =>
  status === 'pending'
    ? ok({ status: 'in_progress' })
    : fail(`the task is ${status}; only one that is pending can be executed`);

/** What its owner made of it meanwhile stays. */
const endTask =
  (to: TaskStatus): DecideChange<never> =>
  ({ status }) =>
    ok(status === 'in_progress' ? { status: to } : {});

type Moved = Awaited<ReturnType<TaskStore['update']>>;

/** The status afterwards; or why it cannot be told. */
async function settle(
  move: (to: TaskStatus) => Promise<Moved>,
  { success }: SkillAnswer,
): Promise<Result<TaskStatus, 'NOT_FOUND' | 'PERSISTENCE_ERROR'>> {
  try {
    const moved = await move(success ? 'completed' : 'pending');
    return moved?.ok ? ok(moved.value.task.status) : fail('NOT_FOUND');
  } catch (error) {
    if (error instanceof StoreUnavailable) return fail('PERSISTENCE_ERROR');
    throw error;
  }
}
