// `repertoire stats`: how often each typed skill ran, how well and how fast, and which documents were read (X8).
import { durationMs } from '../config.ts';
import type { InvocationStats, SkillStats } from '../execution/invocation-log.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { toJsonText } from './json-output.ts';
import { isStoreThere, type Store, withStore } from './read-store.ts';
import { type DocumentCount, renderStats, statsLines, type UsedSkill } from './render-stats.ts';

const USUAL_WINDOW = '1h';

export async function run(context: CommandContext): Promise<ExitCode> {
  return withStore(context, (store) => show(store, context, new Date()));
}

type Logs = Pick<Store, 'invocations' | 'loads'>;

export async function show(store: Logs, context: CommandContext, now: Date): Promise<ExitCode> {
  const { values, flags, output, errors } = context;
  const window = values.get('window')?.[0] ?? USUAL_WINDOW;
  const request = { skill: values.get('skill')?.[0], since: new Date(now.getTime() - durationMs(window)), until: now };
  const isThere = isStoreThere(context.settings);
  const stats = isThere ? await store.invocations.stats(queryOf(request)) : NOTHING;
  const documents = isThere ? await countDocuments(store, request) : [];
  if (flags.has('json')) {
    output.write(toJsonText(statsJson(window, stats, documents)));
    return 0;
  }
  if (stats.skills.length === 0 && documents.length === 0) {
    errors.write(`Nothing was recorded in the last ${window}: look further back with --window 7d, or invoke a skill\n`);
    return 0;
  }
  const skills = await withSeries(store, stats.skills, request);
  output.write(output.isTerminal ? renderStats({ window, skills, documents }, output) : statsLines(skills, documents));
  return 0;
}

const NOTHING: InvocationStats = { skills: [], series: [] };

interface Request {
  readonly skill: string | undefined;
  readonly since: Date;
  readonly until: Date;
}

const queryOf = ({ skill, since, until }: Request) => ({ since, until, ...(skill !== undefined && { skill }) });

/** The series of all skills together says little about one of them. */
async function withSeries(store: Logs, skills: readonly SkillStats[], request: Request): Promise<readonly UsedSkill[]> {
  const used: UsedSkill[] = [];
  for (const skill of skills) {
    const { series } = await store.invocations.stats(queryOf({ ...request, skill: skill.skillName }));
    used.push({ ...skill, series });
  }
  return used;
}

/** The most read first. */
async function countDocuments({ loads }: Logs, { skill, since }: Request): Promise<readonly DocumentCount[]> {
  const counts = [...(await loads.counts(since))].map(([skillName, loadCount]) => ({ skillName, loadCount }));
  return counts
    .filter(({ skillName }) => skill === undefined || skillName === skill)
    .sort((a, b) => b.loadCount - a.loadCount || (a.skillName < b.skillName ? -1 : 1));
}

const statsJson = (window: string, { skills, series }: InvocationStats, documents: readonly DocumentCount[]) => ({
  window,
  skills: skills.map((skill) => ({
    skill_name: skill.skillName,
    count: skill.count,
    success_count: skill.successCount,
    failure_count: skill.failureCount,
    success_rate: skill.successCount / skill.count,
    failures: skill.failures,
    duration_ms: skill.durationMs,
  })),
  series: series.map(({ start, count, failureCount }) => ({
    start: start.toISOString(),
    count,
    failure_count: failureCount,
  })),
  documents: documents.map(({ skillName, loadCount }) => ({ skill_name: skillName, load_count: loadCount })),
});
