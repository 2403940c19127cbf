// Entries of the log as lines: columns for people, tabs for programs. What skills and clients wrote is made harmless. Pure.
import { toOneLine } from '../document/one-line.ts';
import type { InvocationStatus } from '../execution/invocation.ts';
import type { LoggedInvocation } from '../execution/invocation-log.ts';
import type { Load } from '../load-log.ts';
import type { Paint } from './colours.ts';
import { durationText } from './duration-text.ts';
import { cutToWidth, displayWidth, padToWidth } from './text-layout.ts';

const COLOURS = {
  pending: 'dim',
  running: 'cyan',
  completed: 'green',
  failed: 'red',
  timeout: 'yellow',
} as const satisfies Record<InvocationStatus, keyof Paint>;

const STATUS_WIDTH = 9;
const DURATION_WIDTH = 8;
/** Lines that come later, with `--follow`, stand below the first ones. */
const SKILL_WIDTH = { least: 12, most: 28 };
const CLIENT_WIDTH = { least: 8, most: 20 };

/** Time, status, skill, agent, duration, the correlation id's beginning, failure code. */
export function renderInvocations(entries: readonly LoggedInvocation[], paint: Paint): string {
  const skills = columnOf(
    entries.map(({ invocation }) => invocation.skillName),
    SKILL_WIDTH,
  );
  const agents = columnOf(
    entries.map(({ invocation }) => invocation.invokingAgent),
    CLIENT_WIDTH,
  );
  return entries
    .map(({ invocation, result }, index) =>
      toLine([
        paint.dim(timeText(invocation.timestamp)),
        paint[COLOURS[invocation.status]](invocation.status.padEnd(STATUS_WIDTH)),
        paint.bold(skills[index] ?? ''),
        agents[index] ?? '',
        (result === undefined ? '…' : durationText(result.durationMs)).padStart(DURATION_WIDTH),
        paint.dim(invocation.correlationId.slice(0, 8)),
        paint.red(failureCodeOf(result)),
      ]),
    )
    .join('');
}

/** Time, skill, client, surface, the digest's beginning. */
export function renderLoads(loads: readonly Load[], paint: Paint): string {
  const skills = columnOf(
    loads.map(({ skillName }) => skillName),
    SKILL_WIDTH,
  );
  const clients = columnOf(
    loads.map(({ client }) => client),
    CLIENT_WIDTH,
  );
  return loads
    .map(({ loadedAt, surface, digest }, index) =>
      toLine([
        paint.dim(timeText(loadedAt)),
        paint.bold(skills[index] ?? ''),
        clients[index] ?? '',
        cutToWidth(toOneLine(surface), 16).padEnd(16),
        paint.dim(
          toOneLine(digest)
            .replace(/^sha256:/, '')
            .slice(0, 8),
        ),
      ]),
    )
    .join('');
}

/** For programs: time, status, skill, agent, milliseconds, failure code, correlation id, with tabs between them. */
export const invocationLines = (entries: readonly LoggedInvocation[]): string =>
  entries
    .map(({ invocation, result }) =>
      toTabs([
        invocation.timestamp.toISOString(),
        invocation.status,
        invocation.skillName,
        invocation.invokingAgent,
        result === undefined ? '' : String(result.durationMs),
        failureCodeOf(result),
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

const failureCodeOf = (result: LoggedInvocation['result']): string =>
  result === undefined || result.success ? '' : result.failure.code;

function columnOf(texts: readonly string[], { least, most }: typeof SKILL_WIDTH): readonly string[] {
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

const toLine = (cells: readonly string[]): string => `${cells.join('  ').trimEnd()}\n`;

const toTabs = (cells: readonly string[]): string => `${cells.map((cell) => toOneLine(cell)).join('\t')}\n`;
