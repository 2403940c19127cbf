// The log over the API: invocations, loads and statistics (H2, X2, X8, D9). For the operator and `log:read` alone.
import { z } from 'zod';
import type { InvocationJson, LoadJson } from '../../answers/log-json.ts';
import { failureCode } from './failure.ts';
import { jsonAnswer, operation } from './operation.ts';
import {
  correlationIdParameter,
  cursorParameter,
  filterParameter,
  limitParameter,
  momentParameter,
  NO_QUERY,
  windowParameter,
} from './parameters.ts';
import { invocationResult } from './typed-skills.ts';

const tag = 'log';

const count = z.int().min(0);

const STATUSES = ['pending', 'running', 'completed', 'failed', 'timeout'] as const;

const LOG_LIMIT = { least: 1, most: 1_000, usual: 50 };

const invocationFields = {
  id: z.string(),
  skill_name: z.string(),
  input_payload: z.unknown().describe('Without its secrets'),
  invoking_agent: z.string(),
  correlation_id: z.string(),
  timestamp: z.iso.datetime(),
  status: z.enum(STATUSES),
};

const resultOrNull = invocationResult.nullable().describe('null while it runs');

export const invocation = z
  .strictObject(invocationFields)
  .describe('One run of a typed skill') satisfies z.ZodType<InvocationJson>;

export const invocationList = z.strictObject({
  invocations: z.array(z.strictObject({ ...invocationFields, result: resultOrNull })),
  next_cursor: z.string().nullable(),
});

export const invocationWithResult = z.strictObject({ invocation, result: resultOrNull });

export const load = z
  .strictObject({
    skill_name: z.string(),
    digest: z.string().describe('Of its SKILL.md'),
    client: z.string(),
    surface: z.string().describe('skill, get_skill, resources/read, prompt or api'),
    loaded_at: z.iso.datetime(),
  })
  .describe('One reading of a document skill') satisfies z.ZodType<LoadJson>;

export const loadList = z.strictObject({ loads: z.array(load), next_cursor: z.string().nullable() });

export const stats = z.strictObject({
  window: z.string(),
  skills: z.array(
    z.strictObject({
      skill_name: z.string(),
      count,
      success_count: count,
      failure_count: count,
      success_rate: z.number().min(0).max(1),
      failures: z.partialRecord(failureCode, count),
      duration_ms: z.strictObject({ p50: z.number(), p95: z.number(), p99: z.number() }),
    }),
  ),
  series: z.array(z.strictObject({ start: z.iso.datetime(), count, failure_count: count })),
  documents: z.array(z.strictObject({ skill_name: z.string(), load_count: count })),
});

/** 404 where nothing is recorded (`--no-log`), 503 while the database is away. */
const LOG = { tag, access: 'log', failures: [400, 404, 503] } as const;

const OF_SKILL = filterParameter('Only of this skill');

export const logOperations = {
  listInvocations: operation({
    ...LOG,
    method: 'GET',
    path: '/api/invocations',
    summary: 'What ran, newest first, with results',
    query: z.object({
      skill: OF_SKILL,
      status: z
        .enum(STATUSES, `must be one of ${STATUSES.join(', ')}`)
        .optional()
        .describe('Only of this status'),
      agent: filterParameter('Only what this agent invoked'),
      correlation_id: correlationIdParameter,
      since: momentParameter('Not before'),
      until: momentParameter('Before'),
      cursor: cursorParameter,
      limit: limitParameter(LOG_LIMIT),
    }),
    answers: { 200: jsonAnswer('A page of invocations', invocationList) },
  }),
  getInvocation: operation({
    ...LOG,
    method: 'GET',
    path: '/api/invocations/{id}',
    summary: 'One invocation and its result',
    pathParameters: { id: 'Its invocation_id' },
    query: NO_QUERY,
    answers: { 200: jsonAnswer('The invocation', invocationWithResult) },
  }),
  listLoads: operation({
    ...LOG,
    method: 'GET',
    path: '/api/loads',
    summary: 'Which document skills were read by whom, newest first',
    query: z.object({
      skill: OF_SKILL,
      client: filterParameter('Only what this client read'),
      since: momentParameter('Not before'),
      cursor: cursorParameter,
      limit: limitParameter(LOG_LIMIT),
    }),
    answers: { 200: jsonAnswer('A page of loads', loadList) },
  }),
  getStats: operation({
    ...LOG,
    method: 'GET',
    path: '/api/stats',
    summary: 'Counts, rates and durations per typed skill, and how often documents were read',
    query: z.object({ skill: OF_SKILL, window: windowParameter }),
    answers: { 200: jsonAnswer('The statistics', stats) },
  }),
};
