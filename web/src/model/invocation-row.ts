// One invocation of the log, as a trace shows it. Pure.
import type { InvocationList } from './shapes.ts';

export interface InvocationRow {
  readonly id: string;
  readonly skill: string;
  readonly status: string;
  readonly agent: string;
  readonly startedAt: string;
  /** `undefined` while it runs. */
  readonly durationMs: number | undefined;
}

export const rowOf = (invocation: InvocationList['invocations'][number]): InvocationRow => ({
  id: invocation.id,
  skill: invocation.skill_name,
  status: invocation.status,
  agent: invocation.invoking_agent,
  startedAt: invocation.timestamp,
  durationMs: invocation.result?.duration_ms,
});
