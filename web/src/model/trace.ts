// Invocations under one correlation id, laid out on one time axis, the steps of a workflow below it. Pure.
import type { InvocationRow } from './invocation-row.ts';
import { isWorkflow, type StepPlace, stepPlaces, type Traced } from './workflow-steps.ts';

export interface Step {
  readonly row: InvocationRow;
  /** What the workflow calls it. */
  readonly stepId: string | undefined;
  /** How many workflows it is in. */
  readonly depth: number;
  readonly offsetMs: number;
  readonly durationMs: number;
  /** Percent of the axis. */
  readonly left: number;
  readonly width: number;
  readonly tone: 'good' | 'bad' | 'running';
}

export interface Trace {
  /** Each before its own steps; else in the order in which they began. */
  readonly steps: readonly Step[];
  /** Without the workflows that hold the others. */
  readonly stepCount: number;
  readonly startedAt: Date;
  readonly totalMs: number;
}

interface Timed extends Traced {
  readonly begun: number;
  readonly durationMs: number;
  readonly place: StepPlace | undefined;
}

export function traceOf(traced: readonly Traced[], now: Date): Trace {
  const places = stepPlaces(traced);
  const timed = traced.map((one) => timedOf(one, places.get(one.row.id), now));
  const first = Math.min(...timed.map(({ begun }) => begun));
  const last = Math.max(...timed.map(({ begun, durationMs }) => begun + durationMs));
  const totalMs = Math.max(1, last - first);
  const steps = inOrder(timed).map(({ one: { row, begun, durationMs, place }, depth }) => ({
    row,
    depth,
    stepId: place?.stepId,
    durationMs,
    offsetMs: begun - first,
    left: Math.min(99, ((begun - first) / totalMs) * 100),
    width: Math.max(0.5, (durationMs / totalMs) * 100),
    tone: toneOf(row),
  }));
  const holders = timed.filter((one) => one.place === undefined && isWorkflow(one));
  return { steps, stepCount: steps.length - holders.length, startedAt: new Date(first), totalMs };
}

function timedOf(one: Traced, place: StepPlace | undefined, now: Date): Timed {
  const begun = Date.parse(one.row.startedAt);
  // One that runs goes on until now.
  return { ...one, begun, place, durationMs: one.row.durationMs ?? Math.max(0, now.getTime() - begun) };
}

interface Placed {
  readonly one: Timed;
  readonly depth: number;
}

function inOrder(timed: readonly Timed[]): readonly Placed[] {
  const byWorkflow = new Map<string | undefined, Timed[]>();
  for (const one of timed) {
    const same = byWorkflow.get(one.place?.workflowId);
    if (same === undefined) byWorkflow.set(one.place?.workflowId, [one]);
    else same.push(one);
  }
  const below = (id: string | undefined, depth: number): readonly Placed[] =>
    (byWorkflow.get(id) ?? []).toSorted(compare).flatMap((one) => [{ one, depth }, ...below(one.row.id, depth + 1)]);
  return below(undefined, 0);
}

/** What began together: as the workflow has it; elsewhere what lasted longer first. */
const compare = (one: Timed, other: Timed): number =>
  one.begun - other.begun || (one.place?.place ?? 0) - (other.place?.place ?? 0) || other.durationMs - one.durationMs;

function toneOf({ status, durationMs }: InvocationRow): Step['tone'] {
  if (durationMs === undefined) return 'running';
  return status === 'completed' ? 'good' : 'bad';
}
