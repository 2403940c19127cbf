// Statistics as a table for people or as lines for programs. Pure.
import { toOneLine } from '../document/one-line.ts';
import type { SkillStats } from '../execution/invocation-log.ts';
import type { Paint } from './colours.ts';
import { durationText } from './duration-text.ts';
import type { Layout } from './problem-lines.ts';
import { type SparkPoint, sparkline } from './sparkline.ts';
import { cutToWidth, displayWidth, grouped, padToWidth } from './text-layout.ts';

export interface UsedSkill extends SkillStats {
  readonly series: readonly SparkPoint[];
}

export interface DocumentCount {
  readonly skillName: string;
  readonly loadCount: number;
}

interface StatsView {
  readonly window: string;
  readonly skills: readonly UsedSkill[];
  readonly documents: readonly DocumentCount[];
}

/** So that everything fits 80 columns. */
const MOST_NAME = 25;
const SPARK_WIDTH = { least: 8, most: 30 };
/** Runs, success and three percentiles, with two spaces before each. */
const NUMBERS = ['runs', 'ok', 'p50', 'p95', 'p99'] as const;
const NUMBER_WIDTH = 7;

export function renderStats({ window, skills, documents }: StatsView, layout: Layout): string {
  const width = nameWidth([...skills, ...documents].map(({ skillName }) => skillName));
  const sections = [
    ...(skills.length === 0 ? [] : [skillTable(window, skills, width, layout)]),
    ...(documents.length === 0 ? [] : [documentTable(documents, width, layout.paint)]),
  ];
  return sections.join('\n');
}

function skillTable(window: string, skills: readonly UsedSkill[], width: number, { paint, columns }: Layout): string {
  const room = columns - width - NUMBERS.length * (NUMBER_WIDTH + 2) - 2;
  const spark = Math.min(Math.max(room, SPARK_WIDTH.least), SPARK_WIDTH.most);
  const head = [padToWidth(`last ${window}`, width), ...NUMBERS.map((title) => title.padStart(NUMBER_WIDTH))].join(
    '  ',
  );
  return [paint.dim(head), ...skills.flatMap((skill) => skillRows(skill, width, spark, paint))]
    .map((line) => `${line}\n`)
    .join('');
}

function skillRows(skill: UsedSkill, width: number, spark: number, paint: Paint): readonly string[] {
  const { p50, p95, p99 } = skill.durationMs;
  const rate = skill.successCount / skill.count;
  const cells = [
    paint.bold(nameCell(skill.skillName, width)),
    grouped(skill.count).padStart(NUMBER_WIDTH),
    paint[rateColour(rate)](rateText(rate).padStart(NUMBER_WIDTH)),
    ...[p50, p95, p99].map((ms) => durationText(ms).padStart(NUMBER_WIDTH)),
    sparkline(skill.series, spark, paint.red),
  ];
  const failures = failureEntries(skill).map(([code, count]) => `${code} ${grouped(count)}`);
  return [cells.join('  '), ...(failures.length === 0 ? [] : [`  ${paint.red(failures.join(', '))}`])];
}

function documentTable(documents: readonly DocumentCount[], width: number, paint: Paint): string {
  const head = paint.dim(`${padToWidth('documents', width)}  ${'reads'.padStart(NUMBER_WIDTH)}`);
  const rows = documents.map(
    ({ skillName, loadCount }) => `${nameCell(skillName, width)}  ${grouped(loadCount).padStart(NUMBER_WIDTH)}`,
  );
  return [head, ...rows].map((line) => `${line}\n`).join('');
}

/**
 * For programs, with tabs between: `typed`, name, runs, success rate, p50, p95, p99 in milliseconds, failures as
 * `CODE=n,…`; then `document`, name, reads.
 */
export function statsLines(skills: readonly SkillStats[], documents: readonly DocumentCount[]): string {
  const typed = skills.map((skill) => {
    const { p50, p95, p99 } = skill.durationMs;
    const failures = failureEntries(skill).map(([code, count]) => `${code}=${count}`);
    const rate = skill.successCount / skill.count;
    return ['typed', toOneLine(skill.skillName), skill.count, rate, p50, p95, p99, failures.join(',')];
  });
  const read = documents.map(({ skillName, loadCount }) => ['document', toOneLine(skillName), loadCount]);
  return [...typed, ...read].map((cells) => `${cells.join('\t')}\n`).join('');
}

/** The most frequent first. */
const failureEntries = ({ failures }: SkillStats): readonly (readonly [string, number])[] =>
  Object.entries(failures).sort(([, a], [, b]) => b - a);

/** Rounded down: 100% means that nothing failed. */
const rateText = (rate: number): string => (rate === 1 ? '100%' : `${(Math.floor(rate * 1_000) / 10).toFixed(1)}%`);

const GOOD_RATE = 0.95;

const rateColour = (rate: number): 'green' | 'yellow' | 'red' =>
  rate === 1 ? 'green' : rate >= GOOD_RATE ? 'yellow' : 'red';

const nameCell = (name: string, width: number): string => padToWidth(cutToWidth(toOneLine(name), width), width);

function nameWidth(names: readonly string[]): number {
  let width = 'documents'.length;
  for (const name of names) width = Math.max(width, displayWidth(toOneLine(name)));
  return Math.min(width, MOST_NAME);
}
