// What the dashboard needs beside the rest of the API: a session, who one is, an overview, live events and agents (H2, H5).
import { z } from 'zod';
import { agentNameFault, isAgentName } from '../../../identity/agents.ts';
import { failureCode } from './failure.ts';
import { jsonAnswer, operation } from './operation.ts';
import { durationText, NO_QUERY, windowParameter } from './parameters.ts';

const tag = 'dashboard';

const count = z.int().min(0);

export const sessionRequest = z.strictObject({
  token: z.string().min(1).describe("The operator's token, an agent's token or a user's token"),
});

const scope = z.enum(['log:read'], 'must be log:read');

export const me = z
  .strictObject({
    kind: z.enum(['operator', 'agent', 'user']),
    name: z.string().describe("`local` for the operator, an agent's name, a user's id"),
    roles: z.array(z.string()),
    scopes: z.array(scope),
    may_read_log: z.boolean(),
    may_invoke: z.array(z.string()).describe('Typed skills that the caller may invoke; a user only with their own id'),
    is_operator: z.boolean(),
    authentication: z.enum(['on', 'off']).describe('off: the server was started with --no-auth'),
    version: z.string(),
  })
  .describe('The caller');

const durationOrNull = z.number().min(0).nullable();

const outcomeFields = {
  count: count.describe('Invocations that ended'),
  success_count: count,
  failure_count: count,
  failures: z.partialRecord(failureCode, count),
  loads: count.describe('How often documents were read'),
  p50: durationOrNull.describe('Milliseconds; null where nothing ended'),
  p95: durationOrNull,
  p99: durationOrNull,
};

const skillOutcome = z.strictObject({
  skill_name: z.string(),
  count,
  success_count: count,
  failure_count: count,
});

export const overview = z.strictObject({
  window: z.string(),
  step_seconds: z.int().describe('Of the series: 60, 3600 or 86400'),
  series: z
    .array(z.strictObject({ start: z.iso.datetime(), ...outcomeFields }))
    .describe('Per step of the window, oldest first, without gaps'),
  totals: z.strictObject({ ...outcomeFields, success_rate: z.number().min(0).max(1).nullable() }),
  busiest: z.array(skillOutcome).describe('At most 10'),
  most_failing: z.array(skillOutcome).describe('At most 10, by failures'),
  most_loaded: z.array(z.strictObject({ skill_name: z.string(), load_count: count })).describe('At most 10'),
  store: z.strictObject({
    state: z.enum(['ready', 'degraded']),
    kind: z.enum(['sqlite', 'postgres']),
    reasons: z.array(z.string()).describe('Sentences; empty when ready'),
  }),
  replicas: z
    .array(z.strictObject({ id: z.string(), last_seen: z.iso.datetime(), is_this: z.boolean() }))
    .describe('Processes on the same store that were seen within the last minute, at most 100'),
  problems: count,
  skills: z.strictObject({ documents: count, typed: count }),
});

const agentName = z
  .string()
  .refine((name) => agentNameFault(name) === undefined, {
    error: ({ input }) => agentNameFault(String(input)),
  })
  .describe('1 to 64 letters, digits, `_`, `-` or `.`; not `local`');

export const agent = z
  .strictObject({
    name: z.string(),
    state: z.enum(['active', 'expired', 'revoked']),
    roles: z.array(z.string()),
    scopes: z.array(scope),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable().describe('To the minute'),
  })
  .describe('An agent that has a token, or had one');

export const agentList = z.strictObject({ agents: z.array(agent) });

export const agentRequest = z.strictObject({
  name: agentName,
  roles: z
    .array(z.string().refine(isAgentName, 'a role is the name of an agent that skills are assigned to'))
    .max(100)
    .optional()
    .describe('What it may act as; usually its own name'),
  scopes: z.array(scope).max(10).optional(),
  expires_in: durationText.optional().describe('`12h`, `90d`; never when left out'),
});

export const agentWithToken = z.strictObject({
  name: z.string(),
  token: z.string().describe('Shown this once'),
});

export const revokedAgent = z.strictObject({ name: z.string(), revoked_at: z.iso.datetime() });

const NOTHING = { mediaType: '' };

/** For the operator alone; 503 while the database is away. */
const AGENTS = { tag: 'agents', access: 'operator' } as const;

export const dashboardOperations = {
  openSession: operation({
    method: 'POST',
    path: '/api/session',
    tag,
    access: 'public',
    summary: 'Trade a token for a session, in a cookie that scripts cannot read: `repertoire_session_PORT`',
    query: NO_QUERY,
    body: { description: 'A token', schema: sessionRequest },
    answers: { 204: { description: 'The cookie is set', ...NOTHING } },
    failures: [400, 401, 413, 415, 429, 503],
  }),
  closeSession: operation({
    method: 'DELETE',
    path: '/api/session',
    tag,
    access: 'public',
    summary: 'Take the cookie away',
    query: NO_QUERY,
    answers: { 204: { description: 'The cookie is gone', ...NOTHING } },
    failures: [400],
  }),
  getMe: operation({
    method: 'GET',
    path: '/api/me',
    tag,
    summary: 'Who is asking, and what they may do',
    query: NO_QUERY,
    answers: { 200: jsonAnswer('The caller', me) },
    failures: [400],
  }),
  getOverview: operation({
    method: 'GET',
    path: '/api/overview',
    tag,
    access: 'log',
    summary: 'What ran and what was read, over time and by skill, and how the server is',
    query: z.object({ window: windowParameter }),
    answers: { 200: jsonAnswer('The overview', overview) },
    failures: [400, 404, 503],
  }),
  followEvents: operation({
    method: 'GET',
    path: '/api/events',
    tag,
    access: 'log',
    summary: 'What happens on this server from now on: events `invocation`, `load`, `catalog` and `skipped`',
    query: NO_QUERY,
    answers: { 200: { description: 'Server-sent events, each with one line of JSON', mediaType: 'text/event-stream' } },
    failures: [400],
  }),
  listAgents: operation({
    ...AGENTS,
    method: 'GET',
    path: '/api/agents',
    summary: 'Every agent that has a token, or had one',
    query: NO_QUERY,
    answers: { 200: jsonAnswer('The agents, in name order', agentList) },
    failures: [400, 503],
  }),
  addAgent: operation({
    ...AGENTS,
    method: 'POST',
    path: '/api/agents',
    summary: 'Let an agent in: its token is shown this once',
    query: NO_QUERY,
    body: { description: 'What it is called and what it may do', schema: agentRequest },
    answers: { 201: jsonAnswer('The token', agentWithToken) },
    failures: [400, 413, 415, 503],
  }),
  revokeAgent: operation({
    ...AGENTS,
    method: 'DELETE',
    path: '/api/agents/{name}',
    summary: "Refuse an agent's token from now on, on every server within 10 seconds",
    pathParameters: { name: 'Name of the agent' },
    query: NO_QUERY,
    answers: { 200: jsonAnswer('It is revoked', revokedAgent) },
    failures: [400, 404, 503],
  }),
};
