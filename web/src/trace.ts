// Invocations under one correlation id, laid out on one time axis. Pure.
import type { InvocationRow } from './invocation-rows.ts';

export interface Step {
  readonly row: InvocationRow;
  readonly offsetMs: number;
  readonly durationMs: number;
  /** Percent of the axis. */
  readonly left: number;
  readonly width: number;
  readonly tone: 'good' | 'bad' | 'running';
}

export interface Trace {
  /** In the order in which they began; what lasted longer first, because it holds the others. */
  readonly steps: readonly Step[];
  readonly startedAt: Date;
  readonly totalMs: number;
}

export function traceOf(rows: readonly InvocationRow[], now: Date): Trace {
  const timed = rows.map((row) => {
    const begun = Date.parse(row.startedAt);
    // One that runs goes on until now.
    return { row, begun, durationMs: row.durationMs ?? Math.max(0, now.getTime() - begun) };
  });
  const first = Math.min(...timed.map(({ begun }) => begun));
  const last = Math.max(...timed.map(({ begun, durationMs }) => begun + durationMs));
  const totalMs = Math.max(1, last - first);
  const steps = timed
    .sort((one, other) => one.begun - other.begun || other.durationMs - one.durationMs)
    .map(({ row, begun, durationMs }) => ({
      row,
      durationMs,
      offsetMs: begun - first,
      left: Math.min(99, ((begun - first) / totalMs) * 100),
      width: Math.max(0.5, (durationMs / totalMs) * 100),
      tone: toneOf(row),
    }));
  return { steps, startedAt: new Date(first), totalMs };
}

function toneOf({ status, durationMs }: InvocationRow): Step['tone'] {
  if (durationMs === undefined) return 'running';
  return status === 'completed' ? 'good' : 'bad';
}
