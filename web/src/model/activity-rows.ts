// What was read and what ran as rows of one list, however they come: pages of the log, or events while the list is open. Pure.
import { pathTo } from '../browser/router.ts';
import type { ActivityList } from './shapes.ts';

type Entry = ActivityList['activity'][number];

export interface ActivityRow {
  readonly kind: Entry['kind'];
  readonly id: string;
  readonly skill: string;
  readonly agent: string;
  readonly status: string;
  readonly at: string;
  /** Of a file that was read. */
  readonly path: string | undefined;
  /** Of a run, like the rest. */
  readonly correlationId: string | undefined;
  readonly durationMs: number | undefined;
  readonly failureCode: string | undefined;
}

/** What the event stream tells of a run: nothing of what went in or came out. */
export interface LiveInvocation {
  readonly id: string;
  readonly skill_name: string;
  readonly status: string;
  readonly correlation_id: string;
  readonly invoking_agent: string;
  readonly duration_ms: number | null;
  readonly failure_code: string | null;
  readonly timestamp: string;
}

/** Live updates never make a page grow without bound. */
export const MOST_ROWS = 500;

export const FILTERS = [
  'kind',
  'skill',
  'agent',
  'status',
  'failure_code',
  'correlation_id',
  'since',
  'until',
] as const;

export type Filter = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

export const rowOf = (entry: Entry): ActivityRow => ({
  kind: entry.kind,
  id: entry.id,
  skill: entry.skill_name,
  agent: entry.agent,
  status: entry.status,
  at: entry.timestamp,
  path: entry.path ?? undefined,
  correlationId: entry.correlation_id ?? undefined,
  durationMs: entry.duration_ms ?? undefined,
  failureCode: entry.failure_code ?? undefined,
});

export const liveRowOf = (live: LiveInvocation): ActivityRow => ({
  kind: 'run',
  id: live.id,
  skill: live.skill_name,
  agent: live.invoking_agent,
  status: live.status,
  at: live.timestamp,
  path: undefined,
  correlationId: live.correlation_id,
  durationMs: live.duration_ms ?? undefined,
  failureCode: live.failure_code ?? undefined,
});

/** A run leads to what went in and came out, a read to the document, a file to that file of it. */
export function addressOf({ kind, id, skill, path }: ActivityRow): string {
  if (kind === 'run') return pathTo('invocations', id);
  const file = path === undefined ? '' : `?file=${encodeURIComponent(path)}`;
  return pathTo('documents', skill) + file;
}

/** Whether something that happens now belongs into the list. With an end in the past nothing does. */
export const fits = (row: ActivityRow, filter: Filter): boolean =>
  filter.until === undefined &&
  (filter.kind === undefined || filter.kind === row.kind) &&
  (filter.skill === undefined || filter.skill === row.skill) &&
  (filter.status === undefined || filter.status === row.status) &&
  (filter.failure_code === undefined || filter.failure_code === row.failureCode) &&
  (filter.agent === undefined || filter.agent === row.agent) &&
  (filter.correlation_id === undefined || filter.correlation_id.toLowerCase() === row.correlationId);

/** With the newer form of each, newest first, at most `MOST_ROWS`. */
export function mergeRows(rows: readonly ActivityRow[], newer: readonly ActivityRow[]): readonly ActivityRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of newer) byId.set(row.id, row);
  const merged = [...byId.values()].sort((one, other) => compareTimes(other, one));
  return merged.slice(0, MOST_ROWS);
}

/** Of one moment: reads have numbers, which grow, and runs ids of one length. */
const compareTimes = (one: ActivityRow, other: ActivityRow): number =>
  compare(one.at, other.at) || one.id.length - other.id.length || compare(one.id, other.id);

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
