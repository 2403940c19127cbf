// What the dashboard needs beside the rest of the API: a session, who one is, an overview and live events (H2, H5).
import { SCOPES } from '../../../identity/agents.ts';
import { ANYONE, LOG_READERS } from '../../../operations/access.ts';
import { commandWords } from '../../../operations/connect.ts';
import { failureCode } from '../../../operations/failure-shape.ts';
import { window } from '../../../operations/parameters.ts';
import {
  choice,
  count,
  decimal,
  either,
  flag,
  list,
  mapOf,
  moment,
  record,
  text,
  whole,
} from '../../../operations/shape.ts';
import { jsonAnswer, route } from './route.ts';

const tag = 'dashboard';

const sessionRequest = either(
  record({ token: text({ least: 1 }).about("The operator's token, an agent's token or a user's token") }),
  record({ email: text({ least: 1, most: 254 }), password: text({ least: 1, most: 4_096 }) }),
)
  .about('Exactly one of the two')
  .named('SessionRequest');

export const me = record({
  kind: choice(['operator', 'agent', 'user']),
  name: text().about("`local` for the operator, an agent's name, a user's id"),
  email: text().nullable().about('Of a user'),
  display_name: text().nullable().about('Of a user who has one'),
  roles: list(text()),
  scopes: list(choice(SCOPES)),
  may_read_log: flag,
  may_read_trail: flag,
  may_decide_runs: flag.about('On runs that wait, and that others started'),
  may_invoke: list(text()).about(
    'Typed skills that the caller may invoke; a user whose roles do not open it only with their own id',
  ),
  is_operator: flag,
  authentication: choice(['on', 'off']).about('off: the server was started with --no-auth'),
  version: text(),
  commands: commandWords,
})
  .about('The caller')
  .named('Me');

const durationOrNull = decimal({ least: 0 }).nullable();

const outcomeFields = {
  count: count.about('Invocations that ended'),
  success_count: count,
  failure_count: count,
  failures: mapOf(failureCode, count),
  loads: count.about('How often documents were read'),
  p50: durationOrNull.about('Milliseconds; null where nothing ended'),
  p95: durationOrNull,
  p99: durationOrNull,
};

const skillOutcome = record({ skill_name: text(), count, success_count: count, failure_count: count });

export const overview = record({
  window: text(),
  step_seconds: whole().about('Of the series: 60, 3600 or 86400'),
  series: list(record({ start: moment, ...outcomeFields })).about('Per step of the window, oldest first, without gaps'),
  totals: record({ ...outcomeFields, success_rate: decimal({ least: 0, most: 1 }).nullable() }),
  busiest: list(skillOutcome).about('At most 10'),
  most_failing: list(skillOutcome).about('At most 10, by failures'),
  most_loaded: list(record({ skill_name: text(), load_count: count })).about('At most 10'),
  store: record({
    state: choice(['ready', 'degraded']),
    kind: choice(['sqlite', 'postgres']),
    reasons: list(text()).about('Sentences; empty when ready'),
  }),
  replicas: list(record({ id: text(), last_seen: moment, is_this: flag })).about(
    'Processes on the same store that were seen within the last minute, at most 100',
  ),
  problems: count,
  skills: record({ documents: count, typed: count }),
}).named('Overview');

const NOTHING = { mediaType: '' };

export const dashboardRoutes = {
  openSession: route({
    method: 'POST',
    path: '/api/session',
    tag,
    access: ANYONE,
    summary:
      'Trade a token, or email and password, for a session, in a cookie that scripts cannot read: `repertoire_session_PORT`',
    body: { description: 'A token, or the email and the password of a user', shape: sessionRequest },
    answers: { 204: { description: 'The cookie is set', ...NOTHING } },
    failures: [400, 401, 413, 415, 429, 503],
  }),
  closeSession: route({
    method: 'DELETE',
    path: '/api/session',
    tag,
    access: ANYONE,
    summary: 'Take the cookie away',
    answers: { 204: { description: 'The cookie is gone', ...NOTHING } },
  }),
  getMe: route({
    method: 'GET',
    path: '/api/me',
    tag,
    summary: 'Who is asking, and what they may do',
    answers: { 200: jsonAnswer('The caller', me) },
  }),
  getOverview: route({
    method: 'GET',
    path: '/api/overview',
    tag,
    access: LOG_READERS,
    summary: 'What ran and what was read, over time and by skill, and how the server is',
    query: { window },
    answers: { 200: jsonAnswer('The overview', overview) },
    failures: [400, 404, 503],
  }),
  followEvents: route({
    method: 'GET',
    path: '/api/events',
    tag,
    access: LOG_READERS,
    summary:
      'What happens on this server, and on others with the same store, from now on: events `invocation`, `load`, `catalog`, `connection`, `run` and `skipped`',
    answers: { 200: { description: 'Server-sent events, each with one line of JSON', mediaType: 'text/event-stream' } },
  }),
};
