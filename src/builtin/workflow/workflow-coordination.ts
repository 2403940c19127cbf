// `workflow_coordination`: runs skills one after the other and side by side, as a workflow in JSON declares (B4, X6).
import { z } from 'zod';
import type { JsonRecord } from '../../skills/check/json-schema.ts';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { STEP_FAILURES, stepFailure } from '../kit/steps.ts';
import type { IsSkill } from '../ports/find-skills.ts';
import { type BrokenWorkflow, runWorkflow, type StepRecord } from './run-workflow.ts';
import { findWorkflowFaults, listSteps, type Workflow, workflowSchema } from './workflow-schema.ts';

export const workflowCoordination = (isSkill: IsSkill) =>
  defineSkill({
    name: 'workflow_coordination',
    description:
      'Runs a workflow of typed skills: steps one after the other, groups of steps side by side, with references to earlier ' +
      `outputs, as \${steps.ID.output.FIELD}. Every step needs the permission that calling it directly would need.`,
    category: 'orchestration',
    assignedTo: ['OrchestratorAgent'],
    input: checkedSchema(isSkill),
    output: z.object({
      outputs: z.record(z.string(), z.record(z.string(), z.unknown())).describe('by the id of the step'),
      steps: z.array(
        z.object({ id: z.string(), skill: z.string(), invocation_id: z.string(), duration_ms: z.number() }),
      ),
    }),
    successCriteria: ['Every step has succeeded; each is in the log under the correlation id of the workflow.'],
    failureModes: STEP_FAILURES,
    timeoutSeconds: 300,
    stepsIn: listSteps,
    // A workflow may hold workflows: without a bound a small input could start any number of them.
    limits: { atOnce: 32 },
    async run(workflow, context) {
      const ran = await runWorkflow(workflow, context);
      return ran.ok ? summaryOf(ran.value) : failureOf(ran.failure);
    },
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
  return {
    outputs: outputsOf(done),
    steps: done.map(({ step: { id, skill }, answer }) => ({
      id,
      skill,
      invocation_id: answer.invocationId,
      duration_ms: answer.durationMs,
    })),
  };
}

const outputsOf = (done: readonly StepRecord[]): Readonly<Record<string, JsonRecord>> =>
  Object.fromEntries(done.map(({ step, answer }) => [step.id, answer.outputPayload]));

function failureOf({ failed, done }: BrokenWorkflow) {
  const [{ step, failure }] = failed;
  return stepFailure(failure, `step ${step.id} (${step.skill})`, {
    failed_steps: failed.map(({ step: { id, skill }, failure: cause }) => ({ id, skill, ...cause })),
    completed_steps: done.map(({ step: { id } }) => id),
    outputs: briefOutputs(done),
  });
}

const MOST_SHOWN = 2_000;

/** A failure stays readable whatever the steps before it gave; the log has all of it. */
const briefOutputs = (done: readonly StepRecord[]): JsonRecord =>
  Object.fromEntries(
    done.map(({ step, answer: { outputPayload } }) => [
      step.id,
      JSON.stringify(outputPayload).length <= MOST_SHOWN ? outputPayload : '[too large to show]',
    ]),
  );
