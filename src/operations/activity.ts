// Activity: one stream of what was read and what ran, what it can be filtered by, and how often skills are used (D9, X2).
import type {
  ActivityChoices,
  ActivityEntry,
  ActivityFilter,
  ActivityPage,
  ActivityQuery,
  SkillUses,
} from '../skills/record/activity-log.ts';
import { durationMs } from '../values/duration-ms.ts';
import { ok } from '../values/result.ts';
import { LOG_READERS } from './access.ts';
import { failureCode } from './failure-shape.ts';
import { cursor } from './list-skills.ts';
import { fromLogs, LOG_API, type LogPorts, limit, ofSkill, queryFor, STATUSES } from './log.ts';
import { operation } from './operation.ts';
import { correlationFilter, duration, filter, momentOf, momentOrAge, unstorable } from './parameters.ts';
import { choice, count, flag, list, moment, record, type TypeOf, text, type ValuesOf } from './shape.ts';

const KINDS = ['read', 'file', 'run'] as const;

const filters = {
  kind: choice(KINDS)
    .about('Only documents that were read, other files of skills that were read, or runs of typed skills')
    .optional(),
  skill: ofSkill,
  agent: filter('Only what this agent invoked or this client read'),
  status: choice(STATUSES).about('Only of this status; what was read is completed').optional(),
  failure_code: failureCode.about('Only what failed with this code').optional(),
  correlation_id: correlationFilter,
  since: momentOrAge('Not before'),
  until: momentOrAge('Before'),
};

const entry = record({
  kind: choice(KINDS),
  id: text().about('Of a run its invocation_id'),
  timestamp: moment,
  skill_name: text(),
  agent: text().about('Who invoked it, or the client that read it'),
  status: choice(STATUSES),
  surface: text().nullable().about('How it was read: skill, get_skill, read_skill_file, resources/read, prompt or api'),
  path: text().nullable().about("Of a file: its path below the skill's folder"),
  correlation_id: text().nullable().about('Of a run'),
  failure_code: failureCode.nullable(),
  duration_ms: count.nullable().about('Of a run that has ended'),
})
  .about('Something that was read, or a run of a typed skill')
  .named('Activity');

export const listActivity = operation({
  id: 'list_activity',
  summary: 'What was read and what ran, newest first',
  access: LOG_READERS,
  input: { ...filters, cursor, limit },
  output: record({ activity: list(entry), next_cursor: text().nullable() }).named('ActivityList'),
  run: ({ cursor: from, limit: most, ...given }, _asking, { logs, now }: LogPorts) =>
    fromLogs(logs, async ({ activity }) =>
      ok(await activity.list(queryFor<ActivityQuery>()({ ...filterOf(given, now()), cursor: from, limit: most }))),
    ),
  project: ({ entries, nextCursor }: ActivityPage) => ({
    activity: entries.map(entryJson),
    next_cursor: nextCursor ?? null,
  }),
  http: { ...LOG_API, id: 'listActivity', path: '/api/activity', answer: 'A page of activity' },
});

const choices = list(record({ name: text(), count })).about('Most frequent first');

export const listActivityChoices = operation({
  id: 'list_activity_choices',
  summary:
    'What each filter of the activity can be set to, and how often that occurs with the other filters as they are',
  access: LOG_READERS,
  input: filters,
  output: record({
    kinds: choices,
    skills: choices,
    agents: choices,
    statuses: choices,
    failure_codes: choices,
    is_cut: flag.about('Only the newest 5,000 reads and 5,000 runs were counted, and there are more'),
  }).named('ActivityChoices'),
  run: (given, _asking, { logs, now }: LogPorts) =>
    fromLogs(logs, async ({ activity }) =>
      ok(await activity.choices(queryFor<ActivityFilter>()(filterOf(given, now())))),
    ),
  project: ({ choices: { kind, skill, agent, status, failureCode: code }, isCut }: ActivityChoices) => ({
    kinds: kind,
    skills: skill,
    agents: agent,
    statuses: status,
    failure_codes: code,
    is_cut: isCut,
  }),
  http: { ...LOG_API, id: 'listActivityChoices', path: '/api/activity/choices', answer: 'Names with counts' },
});

const window = duration.usual('30d').about('How far back: a number and `m`, `h` or `d`');

const uses = {
  reads: count.about('As a document'),
  runs: count.about('As a typed skill'),
  last_read_at: moment.nullable(),
  last_run_at: moment.nullable(),
};

/** So many skills: the most used. */
const MOST_SKILLS = 10_000;

export const listUses = operation({
  id: 'list_uses',
  summary: 'How often each skill was read or run, and when last; those that were not are left out',
  access: LOG_READERS,
  input: { window },
  output: record({ window: text(), skills: list(record({ skill_name: text(), ...uses })) }).named('UseList'),
  run: ({ window: period }, _asking, { logs, now }: LogPorts) =>
    fromLogs(logs, async ({ activity }) => {
      const until = now();
      const found = await activity.uses({ since: new Date(until.getTime() - durationMs(period)), until });
      const sorted = found.toSorted((a, b) => totalOf(b) - totalOf(a) || (a.skillName < b.skillName ? -1 : 1));
      return ok({ period, found: sorted.slice(0, MOST_SKILLS) });
    }),
  project: ({ period, found }) => ({
    window: period,
    skills: found.map((each) => ({ skill_name: each.skillName, ...usesJson(each) })),
  }),
  http: { ...LOG_API, id: 'listUses', path: '/api/uses', answer: 'The skills that were used, most used first' },
});

export const getUses = operation({
  id: 'get_uses',
  summary: 'How often one skill was read or run, over time and by whom',
  access: LOG_READERS,
  input: { name: text({ least: 1, most: 1_000, fault: unstorable }).about('Name of the skill'), window },
  output: record({
    skill_name: text(),
    window: text(),
    ...uses,
    series: list(record({ start: moment, reads: count, runs: count, failures: count.about('Of the runs') })),
    users: list(record({ agent: text(), uses: count, last_used_at: moment })).about('At most 20, most frequent first'),
  }).named('Uses'),
  run: ({ name, window: period }, _asking, { logs, now }: LogPorts) =>
    fromLogs(logs, async ({ activity }) => {
      const until = now();
      const since = new Date(until.getTime() - durationMs(period));
      return ok({ name, period, found: await activity.usesOf({ skill: name, since, until }) });
    }),
  project: ({ name, period, found }) => ({
    skill_name: name,
    window: period,
    ...usesJson(found),
    series: found.series.map(({ start, ...counts }) => ({ start: start.toISOString(), ...counts })),
    users: found.users.map((user) => ({
      agent: user.agent,
      uses: user.uses,
      last_used_at: user.lastUsedAt.toISOString(),
    })),
  }),
  http: { ...LOG_API, id: 'getUses', path: '/api/uses/{name}', answer: 'Its uses; zeros for one that was never used' },
});

function filterOf(given: ValuesOf<typeof filters>, now: Date) {
  const { failure_code, correlation_id, since, until, ...rest } = given;
  const moments = { since: momentOf(since, now), until: momentOf(until, now) };
  return { ...rest, failureCode: failure_code, correlationId: correlation_id, ...moments };
}

const entryJson = (found: ActivityEntry): TypeOf<typeof entry> => ({
  kind: found.kind,
  id: found.id,
  timestamp: found.at.toISOString(),
  skill_name: found.skillName,
  agent: found.agent,
  status: found.status,
  surface: found.surface ?? null,
  path: found.path ?? null,
  correlation_id: found.correlationId ?? null,
  failure_code: found.failureCode ?? null,
  duration_ms: found.durationMs ?? null,
});

const totalOf = ({ reads, runs }: Pick<SkillUses, 'reads' | 'runs'>): number => reads + runs;

const usesJson = ({ reads, runs, lastReadAt, lastRunAt }: Omit<SkillUses, 'skillName'>) => ({
  reads,
  runs,
  last_read_at: lastReadAt?.toISOString() ?? null,
  last_run_at: lastRunAt?.toISOString() ?? null,
});
