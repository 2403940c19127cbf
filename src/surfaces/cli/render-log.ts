// Entries of the log as lines: columns for people, tabs for programs. What skills and clients wrote is made harmless. Pure.

import type { Load } from '../../repertoire/load-log.ts';
import type { InvocationStatus } from '../../skills/define/invocation.ts';
import type { LoggedInvocation } from '../../skills/record/invocation-log.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { Paint } from './terminal/colours.ts';
import { durationText } from './terminal/duration-text.ts';
import type { Layout } from './terminal/output.ts';
import { cutToWidth, displayWidth, padToWidth } from './terminal/text-layout.ts';

const COLOURS = {
  pending: 'dim',
  running: 'cyan',
  completed: 'green',
  failed: 'red',
  timeout: 'yellow',
} as const satisfies Record<InvocationStatus, keyof Paint>;

const TIME_WIDTH = 14;
const STATUS_WIDTH = 9;
const DURATION_WIDTH = 8;
const ID_WIDTH = 8;
const SURFACE_WIDTH = 16;

/** Time, status, skill, agent, duration, the correlation id's beginning, failure code. */
export function renderInvocations(entries: readonly LoggedInvocation[], { paint, columns }: Layout): string {
  const widths = nameWidths(columns);
  const skills = columnOf(
    entries.map(({ invocation }) => invocation.skillName),
    widths.skill,
  );
  const agents = columnOf(
    entries.map(({ invocation }) => invocation.invokingAgent),
    widths.client,
  );
  return entries
    .map(({ invocation, result }, index) =>
      toLines(
        [
          [timeText(invocation.timestamp), paint.dim],
          [invocation.status.padEnd(STATUS_WIDTH), paint[COLOURS[invocation.status]]],
          [skills[index] ?? '', paint.bold],
          [agents[index] ?? ''],
          [(result === undefined ? '…' : durationText(result.durationMs)).padStart(DURATION_WIDTH)],
          [invocation.correlationId.slice(0, ID_WIDTH), paint.dim],
          [reasonOf(result), paint.red],
        ],
        columns,
      ),
    )
    .join('');
}

/** Time, skill, client, surface, the digest's beginning. */
export function renderLoads(loads: readonly Load[], { paint, columns }: Layout): string {
  const widths = nameWidths(columns);
  const skills = columnOf(
    loads.map(({ skillName }) => skillName),
    widths.skill,
  );
  const clients = columnOf(
    loads.map(({ client }) => client),
    widths.client,
  );
  return loads
    .map(({ loadedAt, surface, digest }, index) =>
      toLines(
        [
          [timeText(loadedAt), paint.dim],
          [skills[index] ?? '', paint.bold],
          [clients[index] ?? ''],
          [padToWidth(cutToWidth(toOneLine(surface), SURFACE_WIDTH), SURFACE_WIDTH)],
          [digestText(digest), paint.dim],
        ],
        columns,
      ),
    )
    .join('');
}

/** For programs: time, status, skill, agent, milliseconds, failure code or `cancelled`, correlation id, with tabs between. */
export const invocationLines = (entries: readonly LoggedInvocation[]): string =>
  entries
    .map(({ invocation, result }) =>
      toTabs([
        invocation.timestamp.toISOString(),
        invocation.status,
        invocation.skillName,
        invocation.invokingAgent,
        result === undefined ? '' : String(result.durationMs),
        reasonOf(result),
        invocation.correlationId,
      ]),
    )
    .join('');

/** For programs: time, skill, client, surface, digest, with tabs between them. */
export const loadLines = (loads: readonly Load[]): string =>
  loads
    .map(({ loadedAt, skillName, client, surface, digest }) =>
      toTabs([loadedAt.toISOString(), skillName, client, surface, digest]),
    )
    .join('');

/** The failure code; a run that its own caller ended is no crash, though it has the code of one (X2). */
function reasonOf(result: LoggedInvocation['result']): string {
  if (result === undefined || result.success) return '';
  return result.failure.details?.cancelled === true ? 'cancelled' : result.failure.code;
}

const digestText = (digest: string): string =>
  toOneLine(digest)
    .replace(/^sha256:/, '')
    .slice(0, ID_WIDTH);

interface Range {
  readonly least: number;
  readonly most: number;
}

/** Beside the two names, with the spaces between all six columns. */
const OTHER_COLUMNS = TIME_WIDTH + STATUS_WIDTH + DURATION_WIDTH + ID_WIDTH + 10;
/** With so much for both names a line fits 80 columns, and on 60 it breaks behind them. */
const LEAST_ROOM = 31;

/** The least holds in any case: lines that come later, with `--follow`, stand below the first ones. */
function nameWidths(columns: number): { readonly skill: Range; readonly client: Range } {
  const room = Math.max(LEAST_ROOM, columns - OTHER_COLUMNS);
  const skill = Math.min(28, Math.floor(room * 0.6));
  return { skill: { least: 12, most: skill }, client: { least: 8, most: Math.min(20, room - skill) } };
}

function columnOf(texts: readonly string[], { least, most }: Range): readonly string[] {
  const cut = texts.map((text) => cutToWidth(toOneLine(text), most));
  let width = least;
  for (const text of cut) width = Math.max(width, displayWidth(text));
  return cut.map((text) => padToWidth(text, width));
}

/** In the reader's own time zone: `01-31 14:03:05`. */
function timeText(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

/** Its text, and how it is painted. */
type Cell = readonly [text: string, paint?: (text: string) => string];

/** One line, or more below each other where the terminal is too narrow; those stand under the second cell. */
function toLines(cells: readonly Cell[], columns: number): string {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const [text, paint = plain] of cells.filter(([each]) => each !== '')) {
    if (width > 0 && width + 2 + displayWidth(text.trimEnd()) > columns) {
      lines.push(line);
      line = ' '.repeat(TIME_WIDTH);
      width = TIME_WIDTH;
    }
    line += `${width > 0 ? '  ' : ''}${paint(text)}`;
    width += displayWidth(text) + (width > 0 ? 2 : 0);
  }
  return [...lines, line].map((each) => `${each.trimEnd()}\n`).join('');
}

const plain = (text: string): string => text;

const toTabs = (cells: readonly string[]): string => `${cells.map((cell) => toOneLine(cell)).join('\t')}\n`;
