// `repertoire stats`: how often each typed skill ran, how well and how fast, and which documents were read (X8).

import type { InvocationStats, SkillStats } from '../../skills/record/invocation-log.ts';
import { findNearest, orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import { durationMs } from '../../values/duration-ms.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { explainEmptyFolder, findMisplaced, isStoreThere, type Store, withStore } from './read-store.ts';
import { type DocumentCount, renderStats, statsLines, type UsedSkill } from './render-stats.ts';
import { toJsonText } from './terminal/json-output.ts';

const USUAL_WINDOW = '1h';

export async function run(context: CommandContext): Promise<ExitCode> {
  const misplaced = findMisplaced(context);
  if (misplaced !== undefined) {
    context.errors.write(`${misplaced}\n`);
    return 1;
  }
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
    errors.write(`${await explainNothing(store, context, { ...request, window })}\n`);
    return 0;
  }
  const skills = await withSeries(store, stats.skills, request);
  output.write(output.isTerminal ? renderStats({ window, skills, documents }, output) : statsLines(skills, documents));
  return 0;
}

const MOST_NAMES = 10;

async function explainNothing(store: Logs, context: CommandContext, asked: Request & Window): Promise<string> {
  const emptyFolder = explainEmptyFolder(context);
  if (emptyFolder !== undefined) return `Nothing was recorded yet: ${emptyFolder}`;
  const { skill, window } = asked;
  const back = 'look further back with --window 7d';
  if (skill === undefined) return `Nothing was recorded in the last ${window}: ${back}, or invoke a skill`;
  const what = `Nothing was recorded of "${toOneLine(skill)}" in the last ${window}`;
  // A mistyped name looks like a skill that nobody used: the names of the others tell which it is.
  const names = isStoreThere(context.settings) ? await findUsedNames(store, asked) : [];
  const near = findNearest(skill, names, 3);
  if (near.length > 0) return `${what}: did you mean ${orList(near)}?`;
  const others = names.slice(0, MOST_NAMES).map((name) => toOneLine(name));
  return `${what}: ${back}${others.length === 0 ? ', or invoke it' : `, or name one of ${others.join(', ')}`}`;
}

async function findUsedNames(store: Logs, { since, until }: Request): Promise<readonly string[]> {
  const all = { skill: undefined, since, until };
  const { skills } = await store.invocations.stats(queryOf(all));
  return [...skills, ...(await countDocuments(store, all))].map(({ skillName }) => skillName);
}

const NOTHING: InvocationStats = { skills: [], series: [] };

interface Request {
  readonly skill: string | undefined;
  readonly since: Date;
  readonly until: Date;
}

interface Window {
  /** As it was given: `7d`. */
  readonly window: string;
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
