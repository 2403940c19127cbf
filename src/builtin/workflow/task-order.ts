// Tasks in an order in which each comes after those that it depends on; or what stands in the way. Pure.

import { pathText } from '../../skills/check/json-schema.ts';
import { COUNTED, MOST_TOLD, type Violation } from '../../skills/check/violation.ts';
import { fail, ok, type Result } from '../../values/result.ts';

export interface OrderableTask {
  readonly id: string;
  /** Where the id was written. */
  readonly idField?: 'id' | 'task_id';
  readonly depends_on: readonly string[];
  readonly priority: number | undefined;
  readonly due_date: string | undefined;
}

export interface TaskOrder {
  readonly order: readonly string[];
  /** What can be done side by side: everything in one batch rests on batches before it alone. */
  readonly batches: readonly (readonly string[])[];
}

/** Of several that could come next the one due first does, then the more important one, then the smaller id. */
export function orderTasks(tasks: readonly OrderableTask[]): Result<TaskOrder, readonly Violation[]> {
  const faults = [...findRepeatedIds(tasks), ...findUnknownDependencies(tasks)];
  if (faults.length > 0) return fail(faults);
  const nodes = nodesOf(tasks);
  const order = walk(nodes);
  if (order.length < nodes.length) return fail(findCycles(nodes).map(cycleViolation));
  return ok({ order: order.map(({ id }) => id), batches: batchesOf(order) });
}

function findRepeatedIds(tasks: readonly OrderableTask[]): readonly Violation[] {
  const seen = new Set<string>();
  return tasks.flatMap(({ id, idField = 'id' }, index) => {
    if (seen.has(id)) return [{ path: pathText(['tasks', index, idField]), message: `${quote(id)} is there twice` }];
    seen.add(id);
    return [];
  });
}

function findUnknownDependencies(tasks: readonly OrderableTask[]): readonly Violation[] {
  const known = new Set(tasks.map(({ id }) => id));
  const faults: Violation[] = [];
  for (const [index, { depends_on }] of tasks.entries()) {
    for (const [position, id] of depends_on.entries()) {
      if (!known.has(id)) faults.push(faults.length < MOST_TOLD ? unknownDependency(index, position, id) : COUNTED);
    }
  }
  return faults;
}

const unknownDependency = (task: number, position: number, id: string): Violation => ({
  path: pathText(['tasks', task, 'depends_on', position]),
  message: `there is no task ${quote(id)}`,
});

interface Node {
  readonly id: string;
  /** Smaller comes first where there is a choice. */
  readonly rank: number;
  readonly before: Node[];
  readonly after: Node[];
  waitsFor: number;
  batch: number;
}

function nodesOf(tasks: readonly OrderableTask[]): readonly Node[] {
  const nodes = tasks
    .toSorted(byUrgency)
    .map(({ id }, rank): Node => ({ id, rank, before: [], after: [], waitsFor: 0, batch: 0 }));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const { id, depends_on } of tasks) {
    for (const dependency of new Set(depends_on)) link(byId.get(dependency), byId.get(id));
  }
  return nodes;
}

function link(before: Node | undefined, after: Node | undefined): void {
  if (before === undefined || after === undefined) return;
  before.after.push(after);
  after.before.push(before);
  after.waitsFor += 1;
}

const dueMs = ({ due_date }: OrderableTask): number =>
  due_date === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(due_date);

function byUrgency(a: OrderableTask, b: OrderableTask): number {
  return dueMs(a) - dueMs(b) || (b.priority ?? 1) - (a.priority ?? 1) || (a.id < b.id ? -1 : 1);
}

/** All that can be reached from tasks that wait for nothing. A task in a cycle, or behind one, is missing. */
function walk(nodes: readonly Node[]): readonly Node[] {
  const ready = nodes.filter(({ waitsFor }) => waitsFor === 0);
  const order: Node[] = [];
  for (let node = ready.shift(); node !== undefined; node = ready.shift()) {
    order.push(node);
    for (const next of node.after) {
      next.batch = Math.max(next.batch, node.batch + 1);
      next.waitsFor -= 1;
      if (next.waitsFor === 0) ready.splice(placeOf(ready, next.rank), 0, next);
    }
  }
  return order;
}

/** Where a rank belongs in a list sorted by rank. */
function placeOf(sorted: readonly Node[], rank: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.rank ?? 0) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

function batchesOf(order: readonly Node[]): readonly (readonly string[])[] {
  const batches: Node[][] = [];
  for (const node of order) {
    batches[node.batch] ??= [];
    batches[node.batch]?.push(node);
  }
  return batches.map((batch) => batch.sort((a, b) => a.rank - b.rank).map(({ id }) => id));
}

/** At least one of every knot of tasks that wait for each other. Goes along each dependency once. */
function findCycles(nodes: readonly Node[]): readonly (readonly Node[])[] {
  const cycles: (readonly Node[])[] = [];
  const finished = new Set<Node>();
  for (const node of nodes) if (node.waitsFor > 0) followDependencies(node, finished, cycles);
  return cycles.slice(0, MOST_CYCLES);
}

const MOST_CYCLES = 100;

/** A loop, not a recursion: a thousand tasks may stand in one row. */
function followDependencies(start: Node, finished: Set<Node>, cycles: (readonly Node[])[]): void {
  const trail: Node[] = [];
  const places = new Map<Node, number>();
  const left: Iterator<Node>[] = [];
  const enter = (node: Node): void => {
    places.set(node, trail.push(node) - 1);
    left.push(node.before.values());
  };
  if (!finished.has(start)) enter(start);
  for (let current = left.at(-1); current !== undefined; current = left.at(-1)) {
    const { done, value: next } = current.next();
    const place = done ? undefined : places.get(next);
    if (done) {
      const node = trail.pop();
      if (node !== undefined) {
        finished.add(node);
        places.delete(node);
      }
      left.pop();
    } else if (place !== undefined) {
      if (cycles.length < MOST_CYCLES) cycles.push(trail.slice(place));
    } else if (next.waitsFor > 0 && !finished.has(next)) enter(next);
  }
}

const SHOWN_IN_CYCLE = 20;

function cycleViolation(cycle: readonly Node[]): Violation {
  const shown = cycle.slice(0, SHOWN_IN_CYCLE).map(({ id }) => quote(id));
  const rest = cycle.length > shown.length ? [`${cycle.length - shown.length} more`] : [];
  return {
    path: 'tasks',
    message: `these depend on each other: ${[...shown, ...rest, quote(cycle[0]?.id ?? '')].join(' → ')}`,
  };
}

const quote = (id: string): string => JSON.stringify(id);
