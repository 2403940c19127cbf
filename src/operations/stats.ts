// Statistics: how often typed skills ran, how that ended and how long it took, by skill, agent or category; and how often
// documents were read (X8).
import type { LoadLog } from '../repertoire/load-log.ts';
import type { InvocationStats, KeyedStats } from '../skills/record/invocation-log.ts';
import type { Runtime } from '../skills/run/runtime.ts';
import { durationMs } from '../values/duration-ms.ts';
import { ok } from '../values/result.ts';
import { LOG_READERS } from './access.ts';
import { failureCode } from './failure-shape.ts';
import { fromLogs, LOG_API, type LogPorts, ofSkill } from './log.ts';
import { asFound, operation } from './operation.ts';
import { window } from './parameters.ts';
import { choice, count, decimal, either, list, mapOf, moment, record, type TypeOf, text } from './shape.ts';

export interface StatsPorts extends LogPorts {
  /** Which category a skill has. */
  readonly runtime: Pick<Runtime, 'find'>;
}

const counters = {
  count,
  success_count: count,
  failure_count: count,
  success_rate: decimal({ least: 0, most: 1 }),
  caller_failure_count: count.about('Of the failures those by what the caller sent, may not do or did too often'),
  failures: mapOf(failureCode, count),
  duration_ms: record({ p50: decimal(), p95: decimal(), p99: decimal() }),
};

export const stats = record({
  window: text(),
  skills: list(record({ skill_name: text(), ...counters })),
  series: list(record({ start: moment, count, failure_count: count })),
  documents: list(record({ skill_name: text(), load_count: count })),
}).named('Stats');

/** What statistics may be asked by instead of by skill. */
const STATS_KEYS = ['agent', 'category'] as const;

export type StatsKey = (typeof STATS_KEYS)[number];

export const statsByKey = record({
  window: text(),
  by: choice(STATS_KEYS),
  rows: list(record({ key: text(), ...counters })),
}).named('StatsByKey');

type StatsAnswer = TypeOf<typeof stats> | TypeOf<typeof statsByKey>;

export const getStats = operation({
  id: 'get_stats',
  summary: 'Counts, rates and durations per typed skill, and how often documents were read; or per agent or category',
  access: LOG_READERS,
  input: { skill: ofSkill, window, by: choice(STATS_KEYS).about('Rows of each agent, or of each category').optional() },
  output: either(stats, statsByKey),
  run: ({ skill, window: period, by }, _asking, { logs, runtime, now }: StatsPorts) =>
    fromLogs<StatsAnswer>(logs, async ({ invocations, loads }) => {
      const until = now();
      const since = new Date(until.getTime() - durationMs(period));
      if (by !== undefined) {
        const key = by === 'agent' ? by : categoryIn(runtime);
        const rows = await invocations.statsBy({ by: key, since, until, ...(skill !== undefined && { skill }) });
        return ok(statsByJson(period, by, rows));
      }
      // Side by side: with the database down both waits together stay below two seconds (H6).
      const [ran, documents] = await Promise.all([
        invocations.stats({ ...(skill !== undefined && { skill }), since, until }),
        countDocuments(loads, { skill, since }),
      ]);
      return ok(statsJson(period, ran, documents));
    }),
  project: asFound,
  http: { ...LOG_API, id: 'getStats', path: '/api/stats', answer: 'The statistics' },
});

/** Skills that are not there any more have none. */
export const categoryIn =
  ({ find }: Pick<Runtime, 'find'>) =>
  (skillName: string): string =>
    find(skillName)?.category ?? 'unknown';

export interface DocumentCount {
  readonly skillName: string;
  readonly loadCount: number;
}

/** How often each document was read, most first; `skill`: only of this one. */
export async function countDocuments(
  loads: Pick<LoadLog, 'counts'>,
  { skill, since }: { readonly skill?: string | undefined; readonly since: Date },
): Promise<readonly DocumentCount[]> {
  const counts = [...(await loads.counts(since))].map(([skillName, loadCount]) => ({ skillName, loadCount }));
  return counts
    .filter(({ skillName }) => skill === undefined || skillName === skill)
    .sort((a, b) => b.loadCount - a.loadCount || (a.skillName < b.skillName ? -1 : 1));
}

/** `documents`: how often each was read. */
export const statsJson = (
  period: string,
  { skills, series }: InvocationStats,
  documents: readonly DocumentCount[],
): TypeOf<typeof stats> => ({
  window: period,
  skills: skills.map((each) => ({ skill_name: each.skillName, ...countersJson(each) })),
  series: series.map((each) => ({
    start: each.start.toISOString(),
    count: each.count,
    failure_count: each.failureCount,
  })),
  documents: documents.map(({ skillName, loadCount }) => ({ skill_name: skillName, load_count: loadCount })),
});

export const statsByJson = (period: string, by: StatsKey, rows: readonly KeyedStats[]): TypeOf<typeof statsByKey> => ({
  window: period,
  by,
  rows: rows.map((each) => ({ key: each.key, ...countersJson(each) })),
});

const countersJson = (counted: Omit<KeyedStats, 'key'>) => ({
  count: counted.count,
  success_count: counted.successCount,
  failure_count: counted.failureCount,
  success_rate: counted.count === 0 ? 0 : counted.successCount / counted.count,
  caller_failure_count: callerFailures(counted),
  failures: { ...counted.failures },
  duration_ms: { ...counted.durationMs },
});

/** By what callers sent, may not do or did too often: the skill itself did not fail. */
const CALLER_FAILURES = ['VALIDATION_ERROR', 'UNAUTHORIZED', 'RATE_EXCEEDED'] as const;

export const callerFailures = ({ failures }: Pick<KeyedStats, 'failures'>): number =>
  CALLER_FAILURES.reduce((sum, code) => sum + (failures[code] ?? 0), 0);
