// `repertoire stats`: how often each typed skill ran, how well and how fast, and which documents were read (X8).

import {
  callerFailures,
  categoryIn,
  countDocuments,
  type DocumentCount,
  type StatsKey,
  statsByJson,
  statsJson,
} from '../../operations/stats.ts';
import type { InvocationStats, KeyedStats, SkillStats } from '../../skills/record/invocation-log.ts';
import type { Runtime } from '../../skills/run/runtime.ts';
import { grouped } from '../../text/counted.ts';
import { findNearest, orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import { durationMs, windowWords } from '../../values/duration-ms.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { explainEmptyFolder, findDataFault, isStoreThere, type Store, withStore } from './open-store.ts';
import type { Paint } from './terminal/colours.ts';
import { exitSaying, type Layout, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { type SparkPoint, sparkline } from './terminal/sparkline.ts';
import { joinCells, layTable, tabLines, widest } from './terminal/table.ts';
import { joinSections, wrapText } from './terminal/text-layout.ts';
import { durationText } from './terminal/time-text.ts';
import { withTypedDefinitions } from './typed-definitions.ts';

const USUAL_WINDOW = '1h';

export async function run(context: CommandContext): Promise<ExitCode> {
  const dataFault = findDataFault(context);
  if (dataFault !== undefined) return exitSaying(context, dataFault, 1);
  const by = keyIn(context);
  if (by === undefined) return withStore(context, (store) => show(store, context, new Date()));
  if (by === 'agent')
    return withStore(context, (store) => showBy(store, context, new Date(), { by, find: () => undefined }));
  // The category of a skill is in its definition, not in the log.
  return withTypedDefinitions(
    context,
    ({ runtime }, own) =>
      withStore(own, (store) => showBy(store, own, new Date(), { by, find: (name) => runtime?.find(name) })),
    { hasBuiltin: true },
  );
}

/** The parser lets only these through. */
const keyIn = ({ values }: CommandContext): StatsKey | undefined => values.get('by')?.[0] as StatsKey | undefined;

type Logs = Pick<Store, 'invocations' | 'loads'>;

interface Key {
  readonly by: StatsKey;
  readonly find: Runtime['find'];
}

/** By agent or by category (X8). */
export async function showBy(store: Logs, context: CommandContext, now: Date, { by, find }: Key): Promise<ExitCode> {
  const { flags, output, errors, settings } = context;
  const { window, ...request } = requestIn(context, now);
  const key = by === 'agent' ? by : categoryIn({ find });
  const rows = isStoreThere(settings) ? await store.invocations.statsBy({ ...queryOf(request), by: key }) : [];
  if (flags.has('json')) output.write(toJsonText(statsByJson(window, by, rows)));
  else if (rows.length === 0)
    return exitSaying(context, await explainNothing(store, context, { ...request, window }), 0);
  else output.write(output.isTerminal ? renderStats(viewOf(window, rows), output) : keyLines(by, rows));
  if (by === 'category' && settings.configFile === undefined && rows.some(({ key: name }) => name === 'unknown'))
    saySentence(errors, OWN_SKILLS);
  return 0;
}

const OWN_SKILLS = 'Your own typed skills show as "unknown": add --config FILE to see their categories.';

/** There is no series of one agent, or of one category. */
const viewOf = (window: string, rows: readonly KeyedStats[]): StatsView => ({
  window,
  skills: rows.map(({ key, ...counts }) => ({ ...counts, skillName: key, series: [] })),
  documents: [],
});

function requestIn({ values }: CommandContext, now: Date): Request & Window {
  const window = values.get('window')?.[0] ?? USUAL_WINDOW;
  return { window, skill: values.get('skill')?.[0], since: new Date(now.getTime() - durationMs(window)), until: now };
}

export async function show(store: Logs, context: CommandContext, now: Date): Promise<ExitCode> {
  const { flags, output } = context;
  const { window, ...request } = requestIn(context, now);
  const isThere = isStoreThere(context.settings);
  const stats = isThere ? await store.invocations.stats(queryOf(request)) : NOTHING;
  const documents = isThere ? await countDocuments(store.loads, request) : [];
  if (flags.has('json')) {
    output.write(toJsonText(statsJson(window, stats, documents)));
    return 0;
  }
  if (stats.skills.length === 0 && documents.length === 0) {
    return exitSaying(context, await explainNothing(store, context, { ...request, window }), 0);
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
  if (skill === undefined) return `Nothing was recorded in the last ${windowWords(window)}: ${back}, or invoke a skill`;
  const what = `Nothing was recorded for "${toOneLine(skill)}" in the last ${windowWords(window)}`;
  // A mistyped name looks like a skill that was not used: the names of the others tell which it is.
  const names = isStoreThere(context.settings) ? await findUsedNames(store, asked) : [];
  const near = findNearest(skill, names, 3);
  if (near.length > 0) return `${what}: did you mean ${orList(near)}?`;
  const others = names.slice(0, MOST_NAMES).map((name) => toOneLine(name));
  return `${what}: ${back}${others.length === 0 ? ', or invoke it' : `, or name one of ${others.join(', ')}`}`;
}

async function findUsedNames(store: Logs, { since, until }: Request): Promise<readonly string[]> {
  const all = { skill: undefined, since, until };
  const { skills } = await store.invocations.stats(queryOf(all));
  return [...skills, ...(await countDocuments(store.loads, all))].map(({ skillName }) => skillName);
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

export interface UsedSkill extends SkillStats {
  readonly series: readonly SparkPoint[];
}

interface StatsView {
  readonly window: string;
  readonly skills: readonly UsedSkill[];
  readonly documents: readonly DocumentCount[];
}

/** So that everything fits 80 columns; on fewer there are no bars. */
const WIDEST_NAME = 25;
const BARS = { least: 8, most: 30 };
const NUMBER = { align: 'right', least: 7 } as const;
/** Runs, success and three percentiles, with two spaces before each. */
const NUMBERS_WIDTH = 5 * (NUMBER.least + 2);

export function renderStats({ window, skills, documents }: StatsView, layout: Layout): string {
  const most = Math.min(WIDEST_NAME, Math.max(WIDEST_NAME - 10, layout.columns - NUMBERS_WIDTH));
  const names = [...skills, ...documents].map(({ skillName }) => toOneLine(skillName));
  // The same for both tables: one stands below the other.
  const width = Math.min(most, widest(['documents', ...names]));
  return joinSections([skillTable(window, skills, width, layout), documentTable(documents, width, layout.paint)]);
}

function skillTable(window: string, skills: readonly UsedSkill[], width: number, layout: Layout): readonly string[] {
  if (skills.length === 0) return [];
  const { paint, columns } = layout;
  const percentile = (key: 'p50' | 'p95' | 'p99') => ({
    ...NUMBER,
    title: key,
    text: ({ durationMs: times }: UsedSkill) => durationText(times[key]),
  });
  const { head, rows } = layTable(skills, [
    { title: `last ${window}`, ...nameColumn(width), paint: paint.bold },
    { ...NUMBER, title: 'runs', text: ({ count }) => grouped(count) },
    { ...NUMBER, title: 'ok', text: rateText, paint: (text, skill) => paint[rateColour(skill)](text) },
    percentile('p50'),
    percentile('p95'),
    percentile('p99'),
  ]);
  const room = columns - width - NUMBERS_WIDTH - 2;
  const barsOf = ({ series }: UsedSkill) =>
    room < BARS.least || series.length === 0 ? [] : [sparkline(series, Math.min(room, BARS.most), paint.red)];
  const lines = skills.flatMap((skill, index) => {
    const failures = failuresOf(skill).map(([code, count]) => `${code} ${grouped(count)}`);
    const below = failures.length === 0 ? [] : wrapText(`${failures.join(', ')}${blameText(skill)}`, columns - 2);
    return [joinCells([...(rows[index] ?? []), ...barsOf(skill)]), ...below.map((line) => `  ${paint.red(line)}`)];
  });
  return [paint.dim(joinCells(head)), ...lines];
}

function documentTable(documents: readonly DocumentCount[], width: number, paint: Paint): readonly string[] {
  if (documents.length === 0) return [];
  const { head, rows } = layTable(documents, [
    { title: 'documents', ...nameColumn(width) },
    { ...NUMBER, title: 'reads', text: ({ loadCount }) => grouped(loadCount) },
  ]);
  return [paint.dim(joinCells(head)), ...rows.map(joinCells)];
}

const nameColumn = (width: number) => ({
  text: ({ skillName }: Pick<SkillStats, 'skillName'>) => skillName,
  least: width,
  most: width,
});

/**
 * For programs: `typed`, name, runs, success rate, p50, p95, p99 in milliseconds, failures as `CODE=n,…`; then
 * `document`, name, reads.
 */
export function statsLines(skills: readonly SkillStats[], documents: readonly DocumentCount[]): string {
  const typed = skills.map((skill) => cellsOf('typed', skill.skillName, skill));
  return tabLines([...typed, ...documents.map(({ skillName, loadCount }) => ['document', skillName, loadCount])]);
}

/** The same for `agent` or `category`, and its key. */
const keyLines = (by: StatsKey, rows: readonly KeyedStats[]): string =>
  tabLines(rows.map((row) => cellsOf(by, row.key, row)));

type Counted = Omit<SkillStats, 'skillName'>;

function cellsOf(kind: string, name: string, counted: Counted): readonly (string | number)[] {
  const { p50, p95, p99 } = counted.durationMs;
  const failures = failuresOf(counted).map(([code, count]) => `${code}=${count}`);
  return [kind, name, counted.count, rateOf(counted), p50, p95, p99, failures.join(',')];
}

/** Callers who sent something wrong, may not or came too often are no fault of the skill. */
function blameText(counted: Counted): string {
  const byCallers = callerFailures(counted);
  if (byCallers === 0) return '';
  return ` (${byCallers === counted.failureCount ? 'all' : `${grouped(byCallers)} of ${grouped(counted.failureCount)}`} by callers)`;
}

/** The most frequent first. */
const failuresOf = ({ failures }: Pick<SkillStats, 'failures'>): readonly (readonly [string, number])[] =>
  Object.entries(failures).sort(([, a], [, b]) => b - a);

const rateOf = ({ successCount, count }: Counted): number => successCount / count;

/** Rounded, but 100% means that nothing failed and 0% that nothing went well. */
function rateText({ successCount, count }: SkillStats): string {
  if (successCount === count) return '100%';
  if (successCount === 0) return '0%';
  // The division last: 57 of 100 is no binary fraction.
  const percent = Math.round((successCount * 1_000) / count) / 10;
  return `${Math.min(Math.max(percent, 0.1), 99.9).toFixed(1)}%`;
}

const GOOD_RATE = 0.95;

function rateColour(skill: SkillStats): 'green' | 'yellow' | 'red' {
  const rate = rateOf(skill);
  if (rate === 1) return 'green';
  return rate >= GOOD_RATE ? 'yellow' : 'red';
}
