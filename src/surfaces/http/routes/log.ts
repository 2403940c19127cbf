// `/api/invocations`, `/api/loads` and `/api/stats`: what ran, what was read, how it went (H2, X8, D9).
import type { z } from 'zod';
import type { LoadLog } from '../../../repertoire/load-log.ts';
import type { InvocationLog, InvocationStats, SkillStats } from '../../../skills/record/invocation-log.ts';
import { listText } from '../../../text/list-text.ts';
import { durationMs } from '../../../values/duration-ms.ts';
import { invocationJson, loadJson, loggedInvocationJson, resultOrNull } from '../../answers/log-json.ts';
import type * as contract from '../contract/log.ts';
import { json, notFound } from '../message/reply.ts';
import { type Handlers, withLog } from './handler.ts';

export interface Logs {
  readonly invocations: InvocationLog;
  readonly loads: LoadLog;
}

type LogHandlers = Pick<Handlers, 'listInvocations' | 'getInvocation' | 'listLoads' | 'getStats'>;

/** `logs`: `undefined` with `--no-log`. */
export const logHandlers = (logs: Logs | undefined, now: () => Date): LogHandlers => ({
  listInvocations: withLog(logs, async ({ invocations }, { query }) => {
    const { correlation_id: correlationId, since, until, ...rest } = query;
    const moments = { since: momentOf(since, now()), until: momentOf(until, now()) };
    const page = await invocations.list(given({ ...rest, correlationId, ...moments }));
    return json({ invocations: page.invocations.map(loggedInvocationJson), next_cursor: page.nextCursor ?? null });
  }),
  getInvocation: withLog(logs, async ({ invocations }, { parts: [id = ''] }) => {
    const found = await invocations.find(id);
    if (found === undefined) return notFound(`invocation ${JSON.stringify(listText(id, 64))}`);
    return json({ invocation: invocationJson(found.invocation), result: resultOrNull(found.result) });
  }),
  listLoads: withLog(logs, async ({ loads }, { query: { since, ...rest } }) => {
    const page = await loads.list(given({ ...rest, since: momentOf(since, now()) }));
    return json({ loads: page.loads.map(loadJson), next_cursor: page.nextCursor ?? null });
  }),
  getStats: withLog(logs, async ({ invocations, loads }, { query: { skill, window } }) => {
    const until = now();
    const since = new Date(until.getTime() - durationMs(window));
    // Side by side: with the database down both waits together stay below two seconds (H6).
    const [stats, counts] = await Promise.all([invocations.stats(given({ skill, since, until })), loads.counts(since)]);
    const wanted = [...counts].filter(([name]) => skill === undefined || name === skill);
    return json(statsJson(window, stats, new Map(wanted)));
  }),
});

/** A date-time, or a duration before now; the contract lets nothing else through. */
function momentOf(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  return /[mhd]$/.test(text) ? new Date(now.getTime() - durationMs(text)) : new Date(text);
}

type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Without the fields that were left out: the ports tell a missing field from an undefined one. */
const given = <T extends object>(fields: T): Given<T> =>
  // Entries whose value is undefined are exactly those that the type makes optional.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;

type StatsJson = z.output<typeof contract.stats>;

/** `loads`: how often each document was read. */
const statsJson = (
  window: string,
  { skills, series }: InvocationStats,
  loads: ReadonlyMap<string, number>,
): StatsJson => ({
  window,
  skills: skills.map(skillStatsJson),
  series: series.map(({ start, count, failureCount }) => ({
    start: start.toISOString(),
    count,
    failure_count: failureCount,
  })),
  documents: [...loads]
    .map(([name, count]) => ({ skill_name: name, load_count: count }))
    .sort((a, b) => b.load_count - a.load_count || (a.skill_name < b.skill_name ? -1 : 1)),
});

const skillStatsJson = (stats: SkillStats): StatsJson['skills'][number] => ({
  skill_name: stats.skillName,
  count: stats.count,
  success_count: stats.successCount,
  failure_count: stats.failureCount,
  success_rate: stats.count === 0 ? 0 : stats.successCount / stats.count,
  failures: { ...stats.failures },
  duration_ms: { ...stats.durationMs },
});
