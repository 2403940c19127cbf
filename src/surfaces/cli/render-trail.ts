// The trail as `repertoire trail` shows it: a table for people, lines for programs.
import { headText, type TrailEntry, type TrailPage } from '../../identity/trail.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { Layout } from './terminal/output.ts';
import { breakCells, layTable, tabLines } from './terminal/table.ts';
import { secondText } from './terminal/time-text.ts';

const TIME_WIDTH = 14;

/** The newest last, and below it the head. */
export function renderTrail({ head, entries }: TrailPage, { paint, columns }: Layout): string {
  const shown = entries.toReversed();
  const { head: titles, rows } = layTable(shown, [
    { title: 'time', text: ({ time }) => secondText(time), paint: paint.dim },
    { title: 'entry', text: ({ seq }) => String(seq), align: 'right' },
    { title: 'actor', text: ({ actor }) => actor, most: 24 },
    { title: 'action', text: ({ action }) => action, most: 24, paint: paint.bold },
    { title: 'subject', text: ({ subject }) => subject, most: 40 },
    { text: detailsText, most: Math.max(20, columns - TIME_WIDTH - 2), paint: paint.dim },
  ]);
  const table =
    entries.length === 0
      ? []
      : [
          paint.dim(titles.join('  ').trimEnd()),
          ...rows.flatMap((cells, index) => breakCells(withoutBlank(cells, shown[index]), columns, TIME_WIDTH)),
        ];
  return [...table, `${paint.dim('head')} ${headText(head)}`].map((line) => `${line}\n`).join('');
}

/** Where there are no details, their place would be a line of its own. */
const withoutBlank = (cells: readonly string[], entry: TrailEntry | undefined): readonly string[] =>
  entry !== undefined && detailsText(entry) === '' ? cells.slice(0, -1) : cells;

/** For programs: `head`, SEQ:HASH; then, newest first, number, time, actor, action, subject, digest, hash, details as JSON. */
export const trailLines = ({ head, entries }: TrailPage): string =>
  tabLines([
    ['head', headText(head)],
    ...entries.map(({ seq, time, actor, action, subject, digest, hash, details }) => [
      seq,
      time.toISOString(),
      actor,
      action,
      subject,
      digest ?? '',
      hash,
      details === undefined ? '' : JSON.stringify(details),
    ]),
  ]);

/** `roles A, B · expires 2027-…`; what is empty is left out. */
function detailsText({ digest, details = {} }: TrailEntry): string {
  const told = Object.entries(details).map(([name, value]) => [name.replace('_at', ''), valueText(value)] as const);
  const parts = [
    digest === undefined ? '' : `digest ${shortDigest(digest)}`,
    ...told.map(([name, text]) => text && `${name} ${text}`),
  ];
  return toOneLine(parts.filter((part) => part !== '').join(' · '), 200);
}

const SHOWN_DIGITS = 12;

/** Enough to find it; the whole is for programs. */
const shortDigest = (text: string): string =>
  text.replace(/^(?:sha256:)?([0-9a-f]{64})$/, (_whole, hex: string) => hex.slice(0, SHOWN_DIGITS));

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : shortDigest(String(value));
}
