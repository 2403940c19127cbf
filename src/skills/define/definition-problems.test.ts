// The sentence about a bad definition names the field as its author wrote it; `field` has the contract's name (X1).
import { expect, test } from 'vitest';
import { testSkill } from '../fixtures/test-skill.ts';
import { createRegistry } from './registry.ts';

const problemsOf = (changes: object) => createRegistry([testSkill(changes)]).problems;

test.each([
  ['timeout_seconds', { timeoutSeconds: 0 }, 'timeoutSeconds is 0'],
  ['timeout_seconds', { timeoutSeconds: 301 }, 'timeoutSeconds is 301'],
  ['timeout_seconds', { timeoutSeconds: 82_801, durable: {} }, 'timeoutSeconds is 82801'],
  ['durable', { durable: true as never }, 'durable is true'],
  ['durable', { durable: { retries: 2 } as never }, 'durable has the unknown entry "retries"'],
  ['durable', { durable: { idempotent: 'yes' } as never }, 'durable has an idempotent that is not true or false'],
  ['durable', { durable: { idempotent: true, attempts: 21 } }, 'durable has attempts of 21'],
  ['durable', { durable: { attempts: 2 } }, 'durable has 2 attempts, but does not say idempotent: true'],
  ['durable', { durable: { backoffSeconds: -1 } }, 'durable has backoffSeconds of -1'],
  ['approval', { approval: 'maybe' as never }, 'approval is "maybe"'],
  ['assigned_to', { assignedTo: ['Nobody'] }, 'assignedTo names the unknown agent "Nobody"'],
  ['failure_modes', { failureModes: 'NOT_FOUND' }, 'failureModes is not a list'],
  ['success_criteria', { successCriteria: [1] }, 'successCriteria is not a list of texts'],
  ['input_schema', { input: { type: 'array' } }, 'input is not an object at its top level'],
  ['output_schema', { output: 7 }, 'output is neither a zod schema nor a JSON Schema'],
  ['category', { category: 'misc' }, 'category is "misc"'],
  ['annotations', { annotations: true }, 'annotations is true'],
  ['annotations', { annotations: { readOnlyHint: true } }, 'annotations has the unknown entry "readOnlyHint"'],
  ['annotations', { annotations: { readOnly: 'yes' } }, 'annotations has a value that is not true or false'],
  ['annotations', { annotations: { readOnly: true, destructive: true } }, 'annotations says readOnly and destructive'],
])('names %s as it stands in the definition (X1)', (field, changes, sentence) => {
  expect(problemsOf(changes)).toMatchObject([{ field, message: `Cannot register skill "echo": ${sentence}` }]);
});

test.each([
  ['timeout_seconds', 'Write timeoutSeconds.'],
  ['input_schema', 'Write input.'],
  ['timeoutSecond', 'Remove it, or use one of name, '],
])('says of the unknown field %s what to write (X1)', (field, fix) => {
  const [problem] = problemsOf({ [field]: 5 });
  expect(problem).toMatchObject({ field, message: `Cannot register skill "echo": ${field} is not a known field` });
  expect(problem?.fix).toContain(fix);
});
