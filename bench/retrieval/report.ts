// Rows and bars as text for a terminal, or as JSON. Pure.
import { padToWidth } from '../../src/surfaces/cli/terminal/text-layout.ts';
import type { JudgedBar } from './bars.ts';
import type { Row } from './measure.ts';
import type { Half, QueryKind } from './queries.ts';

const kindTitles = {
  short: 'short',
  full: 'full request',
  'own words': 'own words',
  keywords: 'keywords',
  request: 'request',
  author: "author's request",
} satisfies Record<QueryKind, string>;

export function renderRows(rows: readonly Row[]): string {
  const header = ['engine', 'queries', 'n', 'top-1', 'hit@5', 'recall@5', 'MRR'];
  const cells = rows.map(({ engine, kind, scores }) => [
    engine,
    kindTitles[kind],
    String(scores.queries),
    percent(scores.top1),
    percent(scores.hit5),
    percent(scores.recall5),
    scores.mrr.toFixed(3),
  ]);
  const widths = header.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => padToWidth(cell, widths[column] ?? 0)).join(' | ')} |`;
  const dashes = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return `${[line(header), dashes, ...cells.map(line)].join('\n')}\n`;
}

interface Compared {
  readonly figure: string;
  readonly rival: string;
}

const plainCompared: Compared = { figure: 'recall@5', rival: 'plain MiniSearch' };
export const publicCompared: Compared = { figure: 'hit@5', rival: 'the best MiniSearch' };

/** `against`: what is compared, and with whom. */
export const renderBars = (bars: readonly JudgedBar[], against: Compared = plainCompared): string =>
  bars
    .map(
      ({ kind, above, difference, isMet }) =>
        `${isMet ? 'PASS' : 'MISS'}  ${kindTitles[kind]}: ${against.figure} ${signed(difference)} points against ${against.rival}, ` +
        `wanted ${above === 0 ? 'not below it' : `at least +${above}`}\n`,
    )
    .join('');

export const renderMissed = (rows: readonly Row[]): string =>
  rows
    .map(({ engine, kind, scores }) => {
      const ids = scores.missed.length === 0 ? 'none' : scores.missed.join(' · ');
      return `Missed by ${engine}, ${kindTitles[kind]}: ${ids}\n`;
    })
    .join('\n');

/** Which queries were missed is told for the tuning half only: the other one stays unread. */
export function resultJson(half: Half, rows: readonly Row[], bars: readonly JudgedBar[]): string {
  const value = {
    half,
    rows: rows.map(({ engine, kind, scores: { missed, ...figures } }) => ({
      engine,
      kind,
      ...figures,
      ...(half === 'tune' ? { missed } : {}),
    })),
    bars: bars.map(({ kind, above, difference, isMet }) => ({ kind, above, difference, met: isMet })),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const signed = (points: number): string => `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)}`;
