// Judged rows as a table: drawn for a terminal, Markdown when piped. Pure.

import type { Paint } from '../src/surfaces/cli/terminal/colours.ts';
import { displayWidth, padToWidth } from '../src/surfaces/cli/terminal/text-layout.ts';
import { grouped } from '../src/text/counted.ts';
import { type Section, type SectionName, type SpeedPromise, sections } from './promises.ts';
import type { JudgedRow, Unit, Verdict } from './row.ts';

export interface TableStyle {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly paint: Paint;
}

const header = ['what', 'bar', 'where we are going', 'measured', 'floor', 'verdict'];
/** Instead of the long heading where the terminal is narrow. */
const shortGoal = 'goal';

const marks = { goal: '✓', bar: '○', missed: '✗', none: '' } as const satisfies Record<Verdict, string>;

export const legend = '✓ where we are going · ○ bar met · ✗ bar missed · no mark: nothing promised';

export function renderTable(rows: readonly JudgedRow[], style: TableStyle): string {
  const cells = rows.map(cellsOf);
  const widths = columnWidths([header, ...cells]);
  const isNarrow = style.isTerminal && widths.reduce((sum, width) => sum + width + 2, 0) > style.columns;
  const heading = isNarrow ? header.with(2, shortGoal) : header;
  const fitted = isNarrow ? columnWidths([heading, ...cells]) : widths;
  return style.isTerminal ? drawn(rows, heading, fitted, style.paint) : markdown(rows, heading, fitted);
}

function drawn(
  rows: readonly JudgedRow[],
  heading: readonly string[],
  widths: readonly number[],
  paint: Paint,
): string {
  const rule = paint.dim(widths.map((width) => '─'.repeat(width)).join('──'));
  const lines = [paint.bold(padded(heading, widths).join('  ')), rule];
  for (const [section, group] of groupBySection(rows)) {
    const { title, floor }: Section = sections[section];
    lines.push(`${paint.bold(title)}${paint.dim(floor === undefined ? '' : `  floor: ${floor}`)}`);
    for (const row of group) {
      const [what, bar, goal, measured, floorCell, verdict] = padded(cellsOf(row), widths);
      const colour = colourOf(row.verdict, paint);
      const promised = [bar, goal].map((cell) => paint.dim(cell ?? ''));
      lines.push(
        [what, ...promised, colour(measured ?? ''), paint.dim(floorCell ?? ''), colour(verdict ?? '')].join('  '),
      );
    }
    lines.push(rule);
  }
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function markdown(rows: readonly JudgedRow[], heading: readonly string[], widths: readonly number[]): string {
  const line = (cells: readonly string[]) => `| ${padded(cells, widths).join(' | ')} |`;
  const dashes = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const groups = groupBySection(rows).map(([section, group]) => {
    const { title, floor }: Section = sections[section];
    const lines = [line(heading), dashes, ...group.map((row) => line(cellsOf(row)))];
    return `${title}${floor === undefined ? '' : ` (floor: ${floor})`}\n\n${lines.join('\n')}\n`;
  });
  return groups.join('\n');
}

function cellsOf(row: JudgedRow): readonly string[] {
  const { promise, unit, floor } = row;
  return [
    row.what,
    promise === undefined ? '' : promised(promise.bar, promise, unit),
    promise?.goal === undefined ? '' : promised(promise.goal, promise, unit),
    measuredCell(row),
    floor === undefined ? '' : withUnit(floor, unit),
    marks[row.verdict],
  ];
}

/** Beyond this the ratio says only that the floor is nearly nothing. */
const mostTelling = 100;

/** What the promise is about comes first, the other in brackets. */
function measuredCell({ measured, ratio, unit, promise }: JudgedRow): string {
  if (measured === undefined) return 'not measured here';
  const value = withUnit(measured, unit);
  if (ratio === undefined) return value;
  if (promise?.by === 'ratio') return `${times(ratio)} (${value})`;
  return ratio > mostTelling ? value : `${value} (${times(ratio)})`;
}

const promised = (limit: number, { by }: SpeedPromise, unit: Unit): string => {
  if (limit === 0) return `0 ${unit}`;
  return by === 'ratio' ? `≤ ${limit} ×` : `≤ ${withUnit(limit, unit, 0)}`;
};

const times = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 0)} ×`;

function withUnit(value: number, unit: Unit, decimals = Math.abs(value) < 10 && unit !== 'errors' ? 1 : 0): string {
  const written = decimals === 0 ? grouped(Math.round(value)) : value.toFixed(decimals);
  return `${written} ${unit}`;
}

function groupBySection(rows: readonly JudgedRow[]): readonly (readonly [SectionName, readonly JudgedRow[]])[] {
  const groups = new Map<SectionName, JudgedRow[]>();
  for (const row of rows) groups.set(row.section, [...(groups.get(row.section) ?? []), row]);
  return [...groups];
}

function columnWidths(lines: readonly (readonly string[])[]): readonly number[] {
  return header.map((_, column) => Math.max(...lines.map((cells) => displayWidth(cells[column] ?? ''))));
}

const padded = (cells: readonly string[], widths: readonly number[]): readonly string[] =>
  widths.map((width, column) => padToWidth(cells[column] ?? '', width));

function colourOf(verdict: Verdict, paint: Paint): (text: string) => string {
  const colours = { goal: paint.green, bar: paint.yellow, missed: paint.red, none: (text: string) => text };
  return colours[verdict];
}
