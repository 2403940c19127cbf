// Invocations as rows of a list, however they come: pages of the log, or events while the list is open. Pure.
import type { InvocationList } from './shapes.ts';

export interface InvocationRow {
  readonly id: string;
  readonly skill: string;
  readonly status: string;
  readonly agent: string;
  readonly correlationId: string;
  readonly startedAt: string;
  readonly durationMs: number | undefined;
  readonly failureCode: string | undefined;
}

/** What the event stream tells of one: nothing of what went in or came out. */
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

export const FILTERS = ['skill', 'status', 'failure_code', 'agent', 'correlation_id', 'since', 'until'] as const;

export type Filter = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

export const rowOf = (invocation: InvocationList['invocations'][number]): InvocationRow => ({
  id: invocation.id,
  skill: invocation.skill_name,
  status: invocation.status,
  agent: invocation.invoking_agent,
  correlationId: invocation.correlation_id,
  startedAt: invocation.timestamp,
  durationMs: invocation.result?.duration_ms,
  failureCode: invocation.result?.failure_code ?? undefined,
});

export const liveRowOf = (live: LiveInvocation): InvocationRow => ({
  id: live.id,
  skill: live.skill_name,
  status: live.status,
  agent: live.invoking_agent,
  correlationId: live.correlation_id,
  startedAt: live.timestamp,
  durationMs: live.duration_ms ?? undefined,
  failureCode: live.failure_code ?? undefined,
});

/** Whether something that happens now belongs into the list. With an end in the past nothing does. */
export const fits = (row: InvocationRow, filter: Filter): boolean =>
  filter.until === undefined &&
  (filter.skill === undefined || filter.skill === row.skill) &&
  (filter.status === undefined || filter.status === row.status) &&
  (filter.failure_code === undefined || filter.failure_code === row.failureCode) &&
  (filter.agent === undefined || filter.agent === row.agent) &&
  (filter.correlation_id === undefined || filter.correlation_id.toLowerCase() === row.correlationId);

/** With the newer form of each, newest first, at most `MOST_ROWS`. */
export function mergeRows(rows: readonly InvocationRow[], newer: readonly InvocationRow[]): readonly InvocationRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of newer) byId.set(row.id, row);
  const merged = [...byId.values()].sort((one, other) => compareTimes(other, one));
  return merged.slice(0, MOST_ROWS);
}

const compareTimes = (one: InvocationRow, other: InvocationRow): number =>
  one.startedAt === other.startedAt ? (one.id < other.id ? -1 : 1) : one.startedAt < other.startedAt ? -1 : 1;
