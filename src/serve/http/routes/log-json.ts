// The log as the API shows it: the keys of the contracts (X2, X3, X8, D9). Pure.
import type { z } from 'zod';
import type { Invocation } from '../../../execution/invocation.ts';
import type { InvocationStats, SkillStats } from '../../../execution/invocation-log.ts';
import type { Load } from '../../../load-log.ts';
import type * as contract from '../contract/log.ts';

export const invocationJson = (invocation: Invocation): z.output<typeof contract.invocation> => ({
  id: invocation.id,
  skill_name: invocation.skillName,
  input_payload: invocation.inputPayload,
  invoking_agent: invocation.invokingAgent,
  correlation_id: invocation.correlationId,
  timestamp: invocation.timestamp.toISOString(),
  status: invocation.status,
});

export const loadJson = ({ skillName, digest, client, surface, loadedAt }: Load): z.output<typeof contract.load> => ({
  skill_name: skillName,
  digest,
  client,
  surface,
  loaded_at: loadedAt.toISOString(),
});

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
