// Runs the stages of a workflow one after the other, each of its steps with the caller's authority (X5, X6). The first stage
// in which something fails is the last.

import type { SkillContext } from '../../skills/define/define-skill.ts';
import { type Failure, failureOf } from '../../skills/define/failure.ts';
import type { SkillAnswer } from '../../skills/define/invocation.ts';
import { parallel } from '../../skills/run/compose.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { resolveInput } from './reference.ts';
import type { Workflow, WorkflowStep } from './workflow-schema.ts';

export interface StepRecord {
  readonly step: WorkflowStep;
  readonly answer: Extract<SkillAnswer, { readonly success: true }>;
}

interface FailedStep {
  readonly step: WorkflowStep;
  readonly failure: Failure;
}

/** What failed, at least one, and what had succeeded by then. */
export interface BrokenWorkflow {
  readonly failed: readonly [FailedStep, ...FailedStep[]];
  readonly done: readonly StepRecord[];
}

export async function runWorkflow(
  workflow: Workflow,
  context: SkillContext,
): Promise<Result<readonly StepRecord[], BrokenWorkflow>> {
  const stages = workflow.steps.map(stepsOf);
  const total = stages.flat().length;
  const done: StepRecord[] = [];
  for (const steps of stages) {
    const { succeeded, failed } = await runStage(steps, done, context);
    done.push(...succeeded);
    const [first, ...others] = failed.length > 0 ? failed : findExcess(done);
    if (first !== undefined) return fail({ failed: [first, ...others], done });
    context.progress(done.length, total);
  }
  return ok(done);
}

/** Half of what an output may have: the answer holds all of them, and a little more. */
const MOST_BYTES = 4 * 1_048_576;

function findExcess(done: readonly StepRecord[]): readonly FailedStep[] {
  const last = done.at(-1);
  const sizes = done.map(({ answer }) => Buffer.byteLength(JSON.stringify(answer.outputPayload)));
  if (last === undefined || sizes.reduce((sum, size) => sum + size, 0) <= MOST_BYTES) return [];
  const details = 'the outputs up to here are larger than 4 MB together';
  return [{ step: last.step, failure: failureOf('VALIDATION_ERROR', { details }) }];
}

type Stage = Workflow['steps'][number];

/** The check has seen that it is the one or the other. */
const stepsOf = ({ parallel: group, id = '', skill = '', input }: Stage): readonly WorkflowStep[] =>
  group ?? [{ id, skill, input }];

interface StageOutcome {
  readonly succeeded: readonly StepRecord[];
  readonly failed: readonly FailedStep[];
}

/** Nothing of a stage begins when the input of one of its steps cannot be made. */
async function runStage(
  steps: readonly WorkflowStep[],
  done: readonly StepRecord[],
  { invoke }: SkillContext,
): Promise<StageOutcome> {
  const outputs = new Map(done.map(({ step, answer }) => [step.id, answer.outputPayload]));
  const inputs = steps.map(({ input = {} }) => resolveInput(input, outputs));
  const unmade = steps.flatMap((step, index) => unmadeInput(step, inputs[index]));
  if (unmade.length > 0) return { succeeded: [], failed: unmade };
  const { answers } = await parallel(
    steps.map(({ skill }, index) => ({ skill, input: () => madeOf(inputs[index]) })),
    invoke,
  );
  return sortOut(steps, answers);
}

type Made = Result<unknown, string> | undefined;

function unmadeInput(step: WorkflowStep, made: Made): readonly FailedStep[] {
  return made === undefined || made.ok
    ? []
    : [{ step, failure: failureOf('VALIDATION_ERROR', { details: made.failure }) }];
}

const madeOf = (made: Made): unknown => (made?.ok ? made.value : undefined);

function sortOut(steps: readonly WorkflowStep[], answers: readonly SkillAnswer[]): StageOutcome {
  const succeeded: StepRecord[] = [];
  const failed: FailedStep[] = [];
  for (const [index, step] of steps.entries()) {
    const answer = answers[index];
    if (answer?.success) succeeded.push({ step, answer });
    else if (answer !== undefined) failed.push({ step, failure: answer.failure });
  }
  return { succeeded, failed };
}
