// Runs the stages of a workflow one after the other, each of its steps with the caller's authority (X5, X6). The first stage
// in which something fails is the last.

import { sideBySide } from '../../async/side-by-side.ts';
import type { SkillContext } from '../../skills/define/define-skill.ts';
import { failureOf } from '../../skills/define/failure.ts';
import { MAX_JSON_VALUES } from '../../values/json-values.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { IsSkill } from '../ports/find-skills.ts';
import { type PreparedStep, prepareStep, type Unprepared } from './prepare-step.ts';
import { type FailedRun, type OutputBudget, type RunRecord, runStep, type StepOutcome } from './run-step.ts';
import { createWorkflowProgress, type WorkflowProgress } from './workflow-progress.ts';
import { stagesOf, type Workflow, type WorkflowStep } from './workflow-schema.ts';
import { MOST_RUNS, type RunBudget } from './workflow-tree.ts';

/** What came of a step so far. */
export interface StepRecord {
  readonly step: WorkflowStep;
  readonly isSkipped: boolean;
  readonly runs: readonly RunRecord[];
}

/** What failed, at least one, and what had succeeded by then. */
export interface BrokenWorkflow {
  readonly failed: readonly [FailedRun, ...FailedRun[]];
  readonly done: readonly StepRecord[];
  /** Of steps that failed at a later item. */
  readonly begun: readonly StepRecord[];
}

/** What a workflow runs in. */
interface Surroundings {
  readonly isSkill: IsSkill;
  readonly runs: RunBudget;
}

export async function runWorkflow(
  workflow: Workflow,
  context: SkillContext,
  around: Surroundings,
): Promise<Result<readonly StepRecord[], BrokenWorkflow>> {
  const stages = stagesOf(workflow);
  const watched = {
    progress: createWorkflowProgress(stages.flat().length, context.progress),
    budget: { bytesLeft: MOST_BYTES, valuesLeft: MOST_VALUES },
    runs: around.runs,
  };
  const done: StepRecord[] = [];
  for (const steps of stages) {
    const prepared = prepareStage(steps, done, around);
    if (!prepared.ok) return fail({ failed: prepared.failure, done, begun: [] });
    const outcomes = await runStage(prepared.value, context, watched);
    const records = recordsOf(prepared.value, outcomes);
    const [first, ...others] = outcomes.flatMap(({ failed }) => failed ?? []);
    done.push(...records.filter((_, index) => outcomes[index]?.failed === undefined));
    const begun = records.filter((_, index) => outcomes[index]?.failed !== undefined);
    if (first !== undefined) return fail({ failed: [first, ...others], done, begun });
  }
  return ok(done);
}

/** Half of what an output may have: the answer holds all of them, and a little more. */
const MOST_BYTES = 4 * 1_048_576;

/** What the answer holds of every workflow beside the outputs, ids of steps included, is left for it. */
const MOST_VALUES = MAX_JSON_VALUES - 110;

/** What a step gave: its output, or the list of those of its items. */
export const outputOf = ({ step, runs }: StepRecord): unknown => {
  const outputs = runs.map(({ answer }) => answer.outputPayload);
  return step.for_each === undefined ? outputs[0] : outputs;
};

const outputsOf = (done: readonly StepRecord[]): ReadonlyMap<string, unknown> =>
  new Map(done.filter(({ isSkipped }) => !isSkipped).map((record) => [record.step.id, outputOf(record)]));

type Prepared = Result<readonly PreparedStep[], readonly [FailedRun, ...FailedRun[]]>;

/** Nothing of a stage begins when one of its steps cannot. */
function prepareStage(
  steps: readonly WorkflowStep[],
  done: readonly StepRecord[],
  { isSkill, runs }: Surroundings,
): Prepared {
  const outputs = outputsOf(done);
  const prepared: PreparedStep[] = [];
  const failed: FailedRun[] = [];
  let left = runs.left;
  for (const step of steps) {
    const one = prepareStep(step, outputs, isSkill);
    if (one.ok) prepared.push(one.value);
    else failed.push(unpreparedRun(step, one.failure));
    left -= one.ok ? one.value.runs.length : 0;
    if (left < 0) return fail([unpreparedRun(step, { item: undefined, reason: TOO_MANY_RUNS })]);
  }
  const [first, ...others] = failed;
  if (first !== undefined) return fail([first, ...others]);
  runs.left = left;
  return ok(prepared);
}

const TOO_MANY_RUNS =
  `the workflow would run more than ${MOST_RUNS} steps; ` +
  'items of lists, further attempts and the steps of workflows inside it count, too';

const unpreparedRun = (step: WorkflowStep, { item, reason }: Unprepared): FailedRun => ({
  run: { step, item, skill: step.skill.includes('${') ? undefined : step.skill },
  attempts: 0,
  failure: failureOf('VALIDATION_ERROR', { details: reason }),
});

/** Side by side, as in `parallel` of a program. */
const AT_ONCE = 16;

interface Watched {
  readonly progress: WorkflowProgress;
  readonly budget: OutputBudget;
  readonly runs: RunBudget;
}

async function runStage(
  prepared: readonly PreparedStep[],
  context: SkillContext,
  watched: Watched,
): Promise<readonly StepOutcome[]> {
  const { progress } = watched;
  for (const { step, isSkipped, runs } of prepared) {
    if (isSkipped) progress.ran(`step ${step.id} skipped`);
    else progress.expect(runs.length);
  }
  return await sideBySide(prepared, AT_ONCE, (one) => runStep(one, context, watched));
}

const recordsOf = (prepared: readonly PreparedStep[], outcomes: readonly StepOutcome[]): readonly StepRecord[] =>
  prepared.map(({ step, isSkipped }, index) => ({ step, isSkipped, runs: outcomes[index]?.done ?? [] }));
