// `workflow_coordination`: runs skills one after the other and side by side, as a workflow in JSON declares (B4, X6).
import { z } from 'zod';
import type { JsonRecord } from '../../skills/check/json-schema.ts';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { STEP_FAILURES, stepFailure } from '../kit/steps.ts';
import type { IsSkill } from '../ports/find-skills.ts';
import type { FailedRun } from './run-step.ts';
import { type BrokenWorkflow, outputOf, runWorkflow, type StepRecord } from './run-workflow.ts';
import { findWorkflowFaults } from './workflow-faults.ts';
import { listSteps, type Workflow, workflowSchema } from './workflow-schema.ts';
import { createWorkflowTree, DEPTH_RULE, MOST_DEEP, WORKFLOW } from './workflow-tree.ts';

const ranStep = z.object({
  id: z.string(),
  skill: z.string(),
  invocation_id: z.string(),
  duration_ms: z.number(),
  item: z.int().optional().describe('its place in the list of for_each, from 0'),
  attempts: z.int().optional().describe('how often it was tried, if more than once'),
});

export const workflowCoordination = (isSkill: IsSkill, tree = createWorkflowTree()) =>
  defineSkill({
    name: WORKFLOW,
    description:
      'Runs a workflow of typed skills: steps one after the other, groups of steps side by side, with references to earlier ' +
      `outputs, as \${steps.ID.output.FIELD}. for_each runs a step for every item of a list, when only if something is true, ` +
      'retry again after a failure. Every step needs the permission that calling it directly would need.',
    category: 'orchestration',
    assignedTo: ['OrchestratorAgent'],
    input: checkedSchema(isSkill),
    output: z.object({
      outputs: z.record(z.string(), z.unknown()).describe('by the id of the step; a list for one with for_each'),
      steps: z.array(ranStep).describe('every run, in the order of the workflow'),
      skipped: z.array(z.string()).describe('ids of the steps whose when was not true'),
    }),
    successCriteria: ['Every step has succeeded; each is in the log under the correlation id of the workflow.'],
    failureModes: STEP_FAILURES,
    timeoutSeconds: 300,
    durable: { resumes: true },
    stepsIn: listSteps,
    // A workflow may hold workflows: without a bound a small input could start any number of them.
    limits: { atOnce: 32 },
    run: (workflow, context) =>
      tree.enter(async ({ depth, runs }) => {
        if (depth > MOST_DEEP) return failure('VALIDATION_ERROR', { details: DEPTH_RULE });
        const ran = await runWorkflow(workflow, context, { isSkill, runs });
        return ran.ok ? summaryOf(ran.value) : failureOf(ran.failure);
      }),
  });

/** Also when fields are wrong in form: all faults are told at once (X5). */
const checkedSchema = (isSkill: IsSkill) =>
  workflowSchema.check(
    z.core._check<Workflow>(
      ({ value, issues }) => {
        for (const { path, message } of findWorkflowFaults(value, isSkill)) {
          issues.push({ code: 'custom', path: [...path], message, input: undefined });
        }
      },
      { when: () => true },
    ),
  );

function summaryOf(done: readonly StepRecord[]) {
  const ran = done.filter(({ isSkipped }) => !isSkipped);
  return {
    outputs: Object.fromEntries(ran.map((record) => [record.step.id, outputOf(record)])),
    steps: ran.flatMap(({ runs }) => runs.map(toRanStep)),
    skipped: done.filter(({ isSkipped }) => isSkipped).map(({ step }) => step.id),
  };
}

const toRanStep = ({ run, answer, attempts }: StepRecord['runs'][number]): z.input<typeof ranStep> => ({
  id: run.step.id,
  skill: run.skill,
  invocation_id: answer.invocationId,
  duration_ms: answer.durationMs,
  ...(run.item !== undefined && { item: run.item }),
  ...(attempts > 1 && { attempts }),
});

function failureOf({ failed, done, begun }: BrokenWorkflow) {
  const [first] = failed;
  return stepFailure(first.failure, whereOf(first), {
    failed_steps: failed.map(toFailedStep),
    completed_steps: done.flatMap(({ step, isSkipped }) => (isSkipped ? [] : [step.id])),
    skipped_steps: done.flatMap(({ step, isSkipped }) => (isSkipped ? [step.id] : [])),
    outputs: briefOutputs([...done, ...begun.filter(({ runs }) => runs.length > 0)]),
  });
}

/** People count from 1. */
function whereOf({ run: { step, skill, item } }: FailedRun): string {
  const ran = skill === undefined ? '' : ` (${skill})`;
  return `step ${step.id}${ran}${item === undefined ? '' : `, item ${item + 1}`}`;
}

const toFailedStep = ({ run: { step, skill, item }, attempts, failure }: FailedRun): JsonRecord => ({
  id: step.id,
  skill: skill ?? null,
  ...(item !== undefined && { item }),
  ...(attempts > 1 && { attempts }),
  ...failure,
});

const MOST_SHOWN = 2_000;

/** A failure stays readable whatever the steps before it gave; the log has all of it. */
function briefOutputs(records: readonly StepRecord[]): JsonRecord {
  const ran = records.filter(({ isSkipped }) => !isSkipped);
  return Object.fromEntries(
    ran.map((record) => {
      const output = outputOf(record);
      return [record.step.id, JSON.stringify(output).length <= MOST_SHOWN ? output : '[too large to show]'];
    }),
  );
}
