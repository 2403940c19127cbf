// The log: what ran, what was read (X2, D9). How it went in sum is in stats.ts.
import type { LoadLog, LoadQuery } from '../repertoire/load-log.ts';
import type { ActivityLog } from '../skills/record/activity-log.ts';
import type { InvocationLog, InvocationQuery } from '../skills/record/invocation-log.ts';
import { fail, ok } from '../values/result.ts';
import { LOG_READERS } from './access.ts';
import { failureCode } from './failure-shape.ts';
import { cursor } from './list-skills.ts';
import { loadJson, loggedInvocationJson } from './log-json.ts';
import { type Answer, operation } from './operation.ts';
import { correlationFilter, filter, momentOf, momentOrAge } from './parameters.ts';
import { anything, choice, list, moment, record, text, whole } from './shape.ts';
import { invocationResult } from './typed-skills.ts';

export interface Logs {
  readonly invocations: InvocationLog;
  readonly loads: LoadLog;
  readonly activity: ActivityLog;
}

export interface LogPorts {
  /** `undefined` with `--no-log`. */
  readonly logs: Logs | undefined;
  readonly now: () => Date;
}

export const STATUSES = ['pending', 'running', 'completed', 'failed', 'timeout'] as const;

export const limit = whole({ least: 1, most: 1_000 }).usual(50).about('At most so many');

export const invocationFields = {
  id: text(),
  skill_name: text(),
  input_payload: anything.about('Without its secrets'),
  invoking_agent: text(),
  correlation_id: text(),
  timestamp: moment,
  status: choice(STATUSES),
};

export const resultWhenEnded = invocationResult.nullable().about('null while it runs');

const load = record({
  skill_name: text(),
  digest: text().about('Of its SKILL.md'),
  client: text(),
  surface: text().about('skill, get_skill, resources/read, prompt or api'),
  loaded_at: moment,
})
  .about('One reading of a document skill')
  .named('Load');

/** 404 where nothing is recorded (`--no-log`), 503 while the database is away. */
export const LOG_API = { tag: 'log', method: 'GET', failures: [404, 503] } as const;

export const ofSkill = filter('Only of this skill');

/** Nothing is asked where nothing is recorded. */
export async function fromLogs<T>(
  logs: Logs | undefined,
  read: (logs: Logs) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  return logs === undefined ? NO_LOG : read(logs);
}

export const NO_LOG = fail({
  code: 'NOT_FOUND',
  said: 'nothing is recorded, because the server was started with --no-log',
  reason: 'nothing_recorded',
} as const);

export const listInvocations = operation({
  id: 'list_invocations',
  summary: 'What ran, newest first, with results',
  access: LOG_READERS,
  input: {
    skill: ofSkill,
    status: choice(STATUSES).about('Only of this status').optional(),
    agent: filter('Only what this agent invoked'),
    failure_code: failureCode.about('Only what failed with this code').optional(),
    correlation_id: correlationFilter,
    since: momentOrAge('Not before'),
    until: momentOrAge('Before'),
    cursor,
    limit,
  },
  output: record({
    invocations: list(record({ ...invocationFields, result: resultWhenEnded })).about(
      'A payload of more than 8 KB is { cut: true, bytes, begins }; the invocation by its id has it whole',
    ),
    next_cursor: text().nullable(),
  }).named('InvocationList'),
  run: ({ correlation_id, failure_code, since, until, ...rest }, _asking, { logs, now }: LogPorts) =>
    fromLogs(logs, async ({ invocations }) => {
      const moments = { since: momentOf(since, now()), until: momentOf(until, now()) };
      const named = { correlationId: correlation_id, failureCode: failure_code };
      return ok(await invocations.list(queryFor<InvocationQuery>()({ ...rest, ...named, ...moments })));
    }),
  project: ({ invocations, nextCursor }) => ({
    invocations: invocations.map(loggedInvocationJson),
    next_cursor: nextCursor ?? null,
  }),
  http: { ...LOG_API, id: 'listInvocations', path: '/api/invocations', answer: 'A page of invocations' },
});

export const listLoads = operation({
  id: 'list_loads',
  summary: 'Which document skills were read by whom, newest first',
  access: LOG_READERS,
  input: {
    skill: ofSkill,
    client: filter('Only what this client read'),
    since: momentOrAge('Not before'),
    cursor,
    limit,
  },
  output: record({ loads: list(load), next_cursor: text().nullable() }).named('LoadList'),
  run: ({ since, ...rest }, _asking, { logs, now }: LogPorts) =>
    fromLogs(logs, async ({ loads }) =>
      ok(await loads.list(queryFor<LoadQuery>()({ ...rest, since: momentOf(since, now()) }))),
    ),
  project: ({ loads, nextCursor }) => ({ loads: loads.map(loadJson), next_cursor: nextCursor ?? null }),
  http: { ...LOG_API, id: 'listLoads', path: '/api/loads', answer: 'A page of loads' },
});

/** As the port takes it: a field that was left out is missing, not undefined. A field that the port does not know is an error. */
export const queryFor =
  <Query>() =>
  <T extends object>(fields: T & Readonly<Record<Exclude<keyof T, keyof Query>, never>>): Query =>
    // Without the undefined ones these are fields of a query, each of its type.
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Query;
