// Statistics of the log as `/api/stats` shows them (X8, D9). Pure.
import type { z } from 'zod';
import type { InvocationStats, SkillStats } from '../../../skills/record/invocation-log.ts';
import type * as contract from '../contract/log.ts';

type StatsJson = z.output<typeof contract.stats>;

/** `loads`: how often each document was read. */
export const statsJson = (
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
