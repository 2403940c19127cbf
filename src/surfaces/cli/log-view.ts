// The two logs, invocations and loads, as one shape that `log` prints and follows: how each is read, and how it looks.

import { loadJson, loggedInvocationJson } from '../../operations/log-json.ts';
import type { Load } from '../../repertoire/load-log.ts';
import type { FailureCode } from '../../skills/define/failure.ts';
import type { InvocationStatus } from '../../skills/define/invocation.ts';
import type { LoggedInvocation } from '../../skills/record/invocation-log.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { durationMs } from '../../values/duration-ms.ts';
import type { CommandContext } from './command.ts';
import { type FollowSource, invocationSource, loadSource } from './follow-log.ts';
import type { Store } from './open-store.ts';
import type { OptionName } from './options.ts';
import type { Paint } from './terminal/colours.ts';
import type { Layout, Output } from './terminal/output.ts';
import { breakCells, type Column, layTable, tabLines } from './terminal/table.ts';
import { durationText, secondText } from './terminal/time-text.ts';

export interface LogPage<T> {
  readonly entries: readonly T[];
  readonly nextCursor: string | undefined;
}

export interface LogView<T> {
  /** The list's key in JSON. */
  readonly key: 'invocations' | 'loads';
  /** How entries come about: said where there are none. */
  readonly advice: string;
  /** What else was recorded, as a sentence; absent or `undefined`: nothing to tell. */
  readonly findOthers?: () => Promise<string | undefined>;
  readonly source: FollowSource<T>;
  /** Newest first; behind the place that the cursor names. */
  list(limit: number, cursor?: string): Promise<LogPage<T>>;
  toJson(entry: T): unknown;
  /** `head`: with the titles of the columns, for people. */
  toText(entries: readonly T[], output: Output, options: { readonly head: boolean }): string;
}

type Values = CommandContext['values'];
type Logs = Pick<Store, 'invocations' | 'loads'>;

export function invocationView({ invocations, loads }: Logs, values: Values, now: Date): LogView<LoggedInvocation> {
  const [status] = values.get('status') ?? [];
  const [failureCode] = values.get('failure-code') ?? [];
  const filter = {
    ...given('skill', values, 'skill'),
    ...given('agent', values, 'client'),
    ...given('correlationId', values, 'correlation-id'),
    // The parser lets only these through.
    ...(status !== undefined && { status: status as InvocationStatus }),
    ...(failureCode !== undefined && { failureCode: failureCode as FailureCode }),
    ...sinceOf(values, now),
  };
  return {
    key: 'invocations',
    advice: 'run a typed skill with `repertoire invoke NAME`',
    findOthers: () => tellLoads(loads),
    source: invocationSource(invocations, filter),
    async list(limit, cursor) {
      const page = await invocations.list({ ...filter, limit, ...(cursor !== undefined && { cursor }) });
      return { entries: page.invocations, nextCursor: page.nextCursor };
    },
    toJson: loggedInvocationJson,
    toText: (entries, output, options) =>
      output.isTerminal ? renderInvocations(entries, output, options) : invocationLines(entries),
  };
}

export function loadView({ loads }: Logs, values: Values, now: Date): LogView<Load> {
  const filter = { ...given('skill', values, 'skill'), ...given('client', values, 'client'), ...sinceOf(values, now) };
  return {
    key: 'loads',
    advice: 'connect an agent with `repertoire connect HOST`, and ask it for something that a skill is about',
    source: loadSource(loads, filter),
    async list(limit, cursor) {
      const page = await loads.list({ ...filter, limit, ...(cursor !== undefined && { cursor }) });
      return { entries: page.loads, nextCursor: page.nextCursor };
    },
    toJson: loadJson,
    toText: (entries, output, options) =>
      output.isTerminal ? renderLoads(entries, output, options) : loadLines(entries),
  };
}

/** Beyond it the number says nothing more. */
const MOST_COUNTED = 1_000;

async function tellLoads(loads: Logs['loads']): Promise<string | undefined> {
  const { loads: found, nextCursor } = await loads.list({ limit: MOST_COUNTED });
  if (found.length === 0) return undefined;
  const more = nextCursor === undefined ? '' : 'More than ';
  return `${more}${counted(found.length, 'document was', 'documents were')} read: \`repertoire log --loads\` lists them`;
}

/** One field of a query, if its option was given. */
function given<K extends string>(key: K, values: Values, option: OptionName): { readonly [P in K]?: string } {
  const value = values.get(option)?.[0];
  // A computed key makes the compiler forget which one it is.
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string };
}

function sinceOf(values: Values, now: Date): { readonly since?: Date } {
  const since = values.get('since')?.[0];
  return since === undefined ? {} : { since: new Date(now.getTime() - durationMs(since)) };
}

export const STATUS_COLOURS = {
  pending: 'dim',
  running: 'cyan',
  completed: 'green',
  failed: 'red',
  timeout: 'yellow',
} as const satisfies Record<InvocationStatus, keyof Paint>;

const TIME_WIDTH = 14;
const STATUS_WIDTH = 9;
const DURATION_WIDTH = 8;
const SURFACE_WIDTH = 16;
/** Of an id or a digest, its beginning: enough for `log ID`. */
export const ID_WIDTH = 8;

interface Head {
  readonly head: boolean;
}

/** Time, status, skill, agent, duration, the beginning of the run's id, failure code. */
export function renderInvocations(entries: readonly LoggedInvocation[], layout: Layout, options: Head): string {
  const { paint, columns } = layout;
  const names = nameWidths(columns);
  return tableText(entries, layout, options, [
    { title: 'time', text: ({ invocation }) => secondText(invocation.timestamp), paint: paint.dim },
    {
      title: 'status',
      text: ({ invocation }) => invocation.status,
      least: STATUS_WIDTH,
      paint: (text, { invocation }) => paint[STATUS_COLOURS[invocation.status]](text),
    },
    { title: 'skill', text: ({ invocation }) => invocation.skillName, ...names.skill, paint: paint.bold },
    { title: 'agent', text: ({ invocation }) => invocation.invokingAgent, ...names.client },
    {
      title: 'took',
      text: ({ result }) => (result === undefined ? '…' : durationText(result.durationMs)),
      least: DURATION_WIDTH,
      align: 'right',
    },
    { title: 'id', text: ({ invocation }) => invocation.id.slice(0, ID_WIDTH), paint: paint.dim },
    { text: reasonOf, paint: (text) => paint.red(text.trimEnd()) },
  ]);
}

/** Time, skill, client, surface, the digest's beginning. */
export function renderLoads(loads: readonly Load[], layout: Layout, options: Head): string {
  const { paint, columns } = layout;
  const names = nameWidths(columns);
  return tableText(loads, layout, options, [
    { title: 'time', text: ({ loadedAt }) => secondText(loadedAt), paint: paint.dim },
    { title: 'skill', text: ({ skillName }) => skillName, ...names.skill, paint: paint.bold },
    { title: 'client', text: ({ client }) => client, ...names.client },
    { title: 'via', text: ({ surface }) => surface, least: SURFACE_WIDTH, most: SURFACE_WIDTH },
    {
      title: 'digest',
      text: ({ digest }) =>
        toOneLine(digest)
          .replace(/^sha256:/, '')
          .slice(0, ID_WIDTH),
      paint: paint.dim,
    },
  ]);
}

/** What does not fit the width goes below, under the second column. */
function tableText<T>(
  entries: readonly T[],
  { columns: width, paint }: Layout,
  { head: withHead }: Head,
  columns: readonly Column<T>[],
): string {
  const { head, rows } = layTable(entries, columns);
  const titles = withHead ? breakCells(head.map(emptyIfBlank), width, TIME_WIDTH).map(paint.dim) : [];
  const lines = rows.flatMap((cells) => breakCells(cells, width, TIME_WIDTH));
  return [...titles, ...lines].map((line) => `${line}\n`).join('');
}

/** A failure code speaks for itself: its column has no title. */
const emptyIfBlank = (title: string): string => (title.trim() === '' ? '' : title);

/** For programs: time, status, skill, agent, milliseconds, failure code or `cancelled`, correlation id, id. */
export const invocationLines = (entries: readonly LoggedInvocation[]): string =>
  tabLines(
    entries.map((entry) => [
      entry.invocation.timestamp.toISOString(),
      entry.invocation.status,
      entry.invocation.skillName,
      entry.invocation.invokingAgent,
      entry.result?.durationMs ?? '',
      reasonOf(entry),
      entry.invocation.correlationId,
      entry.invocation.id,
    ]),
  );

/** For programs: time, skill, client, surface, digest. */
export const loadLines = (loads: readonly Load[]): string =>
  tabLines(
    loads.map(({ loadedAt, skillName, client, surface, digest }) => [
      loadedAt.toISOString(),
      skillName,
      client,
      surface,
      digest,
    ]),
  );

/** The failure code; a run that its own caller ended is no crash, though it has the code of one (X2). */
function reasonOf({ result }: LoggedInvocation): string {
  if (result === undefined || result.success) return '';
  return result.failure.details?.cancelled === true ? 'cancelled' : result.failure.code;
}

interface Widths {
  readonly least: number;
  readonly most: number;
}

/** Beside the two names, with the spaces between all six columns. */
const OTHER_COLUMNS = TIME_WIDTH + STATUS_WIDTH + DURATION_WIDTH + ID_WIDTH + 10;
/** With so much for both names a line fits 80 columns, and on 60 it breaks behind them. */
const LEAST_ROOM = 31;

/** The least holds in any case: lines that come later, with `--follow`, stand below the first ones. */
function nameWidths(columns: number): { readonly skill: Widths; readonly client: Widths } {
  const room = Math.max(LEAST_ROOM, columns - OTHER_COLUMNS);
  const skill = Math.min(28, Math.floor(room * 0.6));
  return { skill: { least: 12, most: skill }, client: { least: 8, most: Math.min(20, room - skill) } };
}
