// Rows as a table for people, or with tabs between their cells for programs. Text from outside is kept on its line. Pure.
import { toOneLine } from '../../../text/one-line.ts';
import type { Layout } from './output.ts';
import { cutToWidth, displayWidth, hangingText, padToWidth } from './text-layout.ts';

export interface Column<Row> {
  readonly title?: string;
  readonly text: (row: Row, index: number) => string;
  readonly paint?: (text: string, row: Row) => string;
  readonly align?: 'right';
  /** A column is as wide as its widest text or title, within these. */
  readonly least?: number;
  readonly most?: number;
}

export interface Table {
  /** The titles, padded. */
  readonly head: readonly string[];
  /** The cells of each row, padded and painted. */
  readonly rows: readonly (readonly string[])[];
}

/**
 * @example
 * const { head, rows } = layTable(agents, [{ title: 'agent', text: ({ name }) => name, most: 24 }]);
 * const lines = [head, ...rows].map(joinCells);
 */
export function layTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Table {
  const laid = columns.map((column) => layColumn(rows, column));
  return {
    head: laid.map(({ title }) => title),
    rows: rows.map((_, index) => laid.map(({ cells }) => cells[index] ?? '')),
  };
}

function layColumn<Row>(
  rows: readonly Row[],
  { title = '', text, paint, align, least = 0, most = Number.POSITIVE_INFINITY }: Column<Row>,
): { readonly title: string; readonly cells: readonly string[] } {
  const texts = rows.map((row, index) => cutToWidth(toOneLine(text(row, index)), most));
  const width = widest([title, ...texts], least);
  const pad = (cell: string) =>
    align === 'right' ? `${' '.repeat(width - displayWidth(cell))}${cell}` : padToWidth(cell, width);
  const cells = rows.map((row, index) => {
    const cell = pad(texts[index] ?? '');
    return paint === undefined ? cell : paint(cell, row);
  });
  return { title: pad(title), cells };
}

/** In a loop: a list may be too long for the arguments of one call. */
export function widest(texts: readonly string[], least = 0): number {
  let width = least;
  for (const text of texts) width = Math.max(width, displayWidth(text));
  return width;
}

/** One line of a table. */
export const joinCells = (cells: readonly string[]): string => cells.join('  ').trimEnd();

/**
 * One line, or several where the terminal is too narrow: the others are indented. Cells without text are left out. What fills
 * up a column counts, so that all lines of a table break at the same places.
 */
export function breakCells(cells: readonly string[], columns: number, indent: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const cell of cells.filter((each) => each !== '')) {
    if (line !== '' && displayWidth(line) + 2 + displayWidth(cell) > columns) {
      lines.push(line);
      line = ' '.repeat(indent);
    }
    line += `${line === '' ? '' : '  '}${cell}`;
  }
  return [...lines, line].map((each) => each.trimEnd());
}

/** Of what follows below its row. */
export const BELOW_INDENT = 4;

/** The whole table. What does not fit the terminal goes below its row. */
export function tableText({ head, rows }: Table, { columns, paint }: Pick<Layout, 'columns' | 'paint'>): string {
  const linesOf = (cells: readonly string[]) => breakCells(cells, columns, BELOW_INDENT);
  return [...linesOf(head).map(paint.dim), ...rows.flatMap(linesOf)].map((line) => `${line}\n`).join('');
}

/** For programs: tabs, which no cell can hold. */
export const tabLines = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((cells) => `${cells.map((cell) => toOneLine(String(cell))).join('\t')}\n`).join('');

/** Lines below each other behind a label, in front of the first of them only; wrapped where they are too long. */
export function labelledLines(
  rows: readonly (readonly [label: string, texts: readonly string[]])[],
  width: number,
  { paint, columns }: Layout,
): readonly string[] {
  return rows.flatMap(([label, texts]) =>
    texts.flatMap((text, index) => {
      const left = `  ${paint.dim(padToWidth(index === 0 ? label : '', width))}`;
      return displayWidth(left + text) <= columns ? [left + text] : hangingText(left, text, columns);
    }),
  );
}
