import { expect, test } from 'vitest';
import type { FailureCode } from '../../../skills/define/failure.ts';
import type { Run } from '../../../skills/durable/runs.ts';
import { detailedTask } from './run-task.ts';

const at = new Date(0);
const ID = '0b0b0b0b-0000-4000-8000-000000000000';

const failedRun = (code: FailureCode, details: object, isCancelled = false): Run => ({
  invocation: {
    id: ID,
    skillName: 'work',
    inputPayload: {},
    invokingAgent: 'a',
    correlationId: ID,
    timestamp: at,
    status: 'failed',
  },
  result: {
    invocationId: ID,
    success: false,
    failure: { code, message: 'It failed', details: { ...details } },
    durationMs: 1,
    timestamp: at,
  },
  owner: { kind: 'agent', name: 'a' },
  attempts: [],
  progress: undefined,
  approval: undefined,
  isCancelled,
  updatedAt: at,
});

test.each([
  ['completed', failedRun('NOT_FOUND', { resource: 'x' })],
  ['completed', failedRun('VALIDATION_ERROR', { details: 'the order is cancelled', cancelled: true })],
  ['completed', failedRun('VALIDATION_ERROR', { details: 'the order is cancelled', cancelled: true }, true)],
  ['completed', failedRun('EXTERNAL_SERVICE_ERROR', { interrupted: true })],
  ['cancelled', failedRun('INTERNAL_ERROR', { cancelled: true }, true)],
  ['completed', failedRun('INTERNAL_ERROR', { interrupted: true })],
  ['completed', failedRun('INTERNAL_ERROR', { interrupted: true, failed_steps: [], completed_steps: ['a'] })],
] as const)('a run is a task that is %s: what a skill says of its failure is its own (J4) %#', (status, run) => {
  const task = detailedTask(run, null, new Map(), false);
  expect(task.status).toBe(status);
  expect('result' in task).toBe(status === 'completed');
  if (status === 'completed') expect(task.result).toMatchObject({ isError: true });
});

test('a run that was interrupted ends as any failure does, and its status says what that means (J4, J5)', () => {
  const task = detailedTask(failedRun('INTERNAL_ERROR', { interrupted: true }), null, new Map(), false);
  expect(task).toMatchObject({
    status: 'completed',
    statusMessage: 'The run was interrupted: its process ended before it did. What it had done by then is not known',
  });
  expect(task).not.toHaveProperty('error');
});

test('of a workflow that was interrupted nothing is called unknown: its result names the completed steps (J4, J6)', () => {
  const run = failedRun('INTERNAL_ERROR', { interrupted: true, failed_steps: [], completed_steps: ['a'] });
  expect(detailedTask(run, null, new Map(), false)).toMatchObject({
    statusMessage: 'The run was interrupted: its process ended before it did',
  });
});
