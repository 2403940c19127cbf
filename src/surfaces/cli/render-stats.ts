// Statistics as a table for people or as lines for programs. Pure.

import type { SkillStats } from '../../skills/record/invocation-log.ts';
import { grouped } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { Paint } from './terminal/colours.ts';
import { durationText } from './terminal/duration-text.ts';
import type { Layout } from './terminal/output.ts';
import { type SparkPoint, sparkline } from './terminal/sparkline.ts';
import { cutToWidth, displayWidth, padToWidth, wrapText } from './terminal/text-layout.ts';

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

/** So that everything fits 80 columns; on fewer there are no bars. */
const MOST_NAME = 25;
const SPARK_WIDTH = { least: 8, most: 30 };
/** Runs, success and three percentiles, with two spaces before each. */
const NUMBERS = ['runs', 'ok', 'p50', 'p95', 'p99'] as const;
const NUMBER_WIDTH = 7;
const NUMBERS_WIDTH = NUMBERS.length * (NUMBER_WIDTH + 2);

export function renderStats({ window, skills, documents }: StatsView, layout: Layout): string {
  const most = Math.min(MOST_NAME, Math.max(MOST_NAME - 10, layout.columns - NUMBERS_WIDTH));
  const width = nameWidth(
    [...skills, ...documents].map(({ skillName }) => skillName),
    most,
  );
  const sections = [
    ...(skills.length === 0 ? [] : [skillTable(window, skills, width, layout)]),
    ...(documents.length === 0 ? [] : [documentTable(documents, width, layout.paint)]),
  ];
  return sections.join('\n');
}

function skillTable(window: string, skills: readonly UsedSkill[], width: number, layout: Layout): string {
  const head = [padToWidth(`last ${window}`, width), ...NUMBERS.map((title) => title.padStart(NUMBER_WIDTH))].join(
    '  ',
  );
  return [layout.paint.dim(head), ...skills.flatMap((skill) => skillRows(skill, width, layout))]
    .map((line) => `${line}\n`)
    .join('');
}

function skillRows(skill: UsedSkill, width: number, { paint, columns }: Layout): readonly string[] {
  const room = columns - width - NUMBERS_WIDTH - 2;
  const { p50, p95, p99 } = skill.durationMs;
  const rate = skill.successCount / skill.count;
  const cells = [
    paint.bold(nameCell(skill.skillName, width)),
    grouped(skill.count).padStart(NUMBER_WIDTH),
    paint[rateColour(rate)](rateText(skill).padStart(NUMBER_WIDTH)),
    ...[p50, p95, p99].map((ms) => durationText(ms).padStart(NUMBER_WIDTH)),
    ...(room < SPARK_WIDTH.least ? [] : [sparkline(skill.series, Math.min(room, SPARK_WIDTH.most), paint.red)]),
  ];
  const failures = failureEntries(skill).map(([code, count]) => `${code} ${grouped(count)}`);
  const failureLines = failures.length === 0 ? [] : wrapText(failures.join(', '), columns - 2);
  return [cells.join('  '), ...failureLines.map((line) => `  ${paint.red(line)}`)];
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

/** Rounded, but 100% means that nothing failed and 0% that nothing went well. */
function rateText({ successCount, count }: SkillStats): string {
  if (successCount === count) return '100%';
  if (successCount === 0) return '0%';
  // The division last: 57 of 100 is no binary fraction.
  const percent = Math.round((successCount * 1_000) / count) / 10;
  return `${Math.min(Math.max(percent, 0.1), 99.9).toFixed(1)}%`;
}

const GOOD_RATE = 0.95;

const rateColour = (rate: number): 'green' | 'yellow' | 'red' =>
  rate === 1 ? 'green' : rate >= GOOD_RATE ? 'yellow' : 'red';

const nameCell = (name: string, width: number): string => padToWidth(cutToWidth(toOneLine(name), width), width);

function nameWidth(names: readonly string[], most: number): number {
  let width = 'documents'.length;
  for (const name of names) width = Math.max(width, displayWidth(toOneLine(name)));
  return Math.min(width, most);
}
