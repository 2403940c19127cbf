// Typed skills over the API: definitions, invocations and their results (H2, X1, X3).
import { z } from 'zod';
import { CATEGORIES } from '../../../skills/define/define-skill.ts';
import { correlationId, failure, failureCode, severity } from './failure.ts';
import { jsonAnswer, operation } from './operation.ts';
import { NO_QUERY } from './parameters.ts';

const tag = 'typed skills';

const jsonObject = z.record(z.string(), z.unknown());

export const definition = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    category: z.enum(CATEGORIES),
    assigned_to: z.array(z.string()).describe('Roles that may invoke it; empty: every agent'),
    input_schema: jsonObject.describe('JSON Schema'),
    output_schema: jsonObject.describe('JSON Schema'),
    success_criteria: z.array(z.string()),
    failure_modes: z.array(failureCode),
    timeout_seconds: z.int(),
  })
  .describe('A typed skill');

export const definitionList = z.strictObject({ skills: z.array(definition) });

const endingFields = {
  invocation_id: z.string(),
  duration_ms: z.number().min(0),
  timestamp: z.iso.datetime(),
};

const successFields = {
  ...endingFields,
  success: z.literal(true),
  output_payload: jsonObject,
  failure_code: z.null(),
  failure_message: z.null(),
  failure_details: z.null(),
  severity: z.null(),
  suggested_action: z.null(),
};

const failedFields = {
  ...endingFields,
  success: z.literal(false),
  output_payload: z.null(),
  failure_code: failureCode,
  failure_message: z.string(),
  failure_details: jsonObject.nullable(),
  severity,
  suggested_action: z.string(),
};

export const invocationResult = z
  .union([z.strictObject(successFields), z.strictObject(failedFields)])
  .describe('The one result of an invocation');

export const invocationAnswer = z
  .strictObject({ ...successFields, correlation_id: correlationId })
  .describe('A result, and the id that it is in the log under');

/** A skill that failed says so in its result; a request that never reached one has H3's body. */
export const invocationFailure = z
  .union([z.strictObject({ ...failedFields, correlation_id: correlationId }), failure])
  .describe('The failed result, or what was wrong before a skill was reached');

const NAME = { name: 'Name of the skill' };

export const typedSkillOperations = {
  listTypedSkills: operation({
    method: 'GET',
    path: '/api/typed-skills',
    tag,
    summary: 'Every typed skill with its schemas',
    query: NO_QUERY,
    answers: { 200: jsonAnswer('The definitions', definitionList) },
    failures: [400],
  }),
  getTypedSkill: operation({
    method: 'GET',
    path: '/api/typed-skills/{name}',
    tag,
    summary: 'One typed skill with its schemas',
    pathParameters: NAME,
    query: NO_QUERY,
    answers: { 200: jsonAnswer('The definition', definition) },
    failures: [400, 404],
  }),
  invokeTypedSkill: operation({
    method: 'POST',
    path: '/api/typed-skills/{name}/invoke',
    tag,
    summary: 'Run a typed skill and wait for its result',
    pathParameters: NAME,
    query: NO_QUERY,
    headers: {
      'X-Correlation-Id': '8-4-4-4-12 hexadecimal digits; made when left out',
      'X-Invoking-Agent': 'Who invokes; believed only where the server asks for no credential',
    },
    body: { description: 'The input, as the input_schema of the skill says', schema: jsonObject },
    answers: { 200: jsonAnswer('It succeeded', invocationAnswer) },
    failures: [400, 404, 413, 415, 502, 503, 504],
    failureSchema: invocationFailure,
  }),
};
