// Which invocations of one trace are steps of which workflow, and which of its steps. Pure.
import type { InvocationRow } from './invocation-row.ts';

export interface Traced {
  readonly row: InvocationRow;
  readonly input: unknown;
  /** `undefined` while it runs, and of one that failed. */
  readonly output: unknown;
}

export interface StepPlace {
  readonly workflowId: string;
  /** In the order that the workflow declares. */
  readonly place: number;
  readonly stepId: string | undefined;
}

/** By the id of the invocation. A workflow that succeeded names its steps; of others we go by skill, input and time. */
export function stepPlaces(traced: readonly Traced[]): ReadonlyMap<string, StepPlace> {
  const places = new Map<string, StepPlace>();
  const known = new Set(traced.map(({ row }) => row.id));
  // The one that began last first: what an inner workflow ran is within the time of the outer one, too.
  const workflows = traced.filter(isWorkflow).sort((one, other) => beginOf(other) - beginOf(one));
  for (const workflow of workflows)
    for (const [place, { id, invocation_id }] of recordedSteps(workflow.output).entries())
      if (known.has(invocation_id) && !isBelow(workflow.row.id, invocation_id, places))
        places.set(invocation_id, { workflowId: workflow.row.id, place, stepId: id });
  for (const workflow of workflows) placeByLikeness(workflow, traced, places);
  return places;
}

export const isWorkflow = ({ input }: Pick<Traced, 'input'>): boolean => declaredSteps(input).length > 0;

const beginOf = ({ row }: Traced): number => Date.parse(row.startedAt);

/** Outputs are what skills make them: nothing may become a step of itself. */
function isBelow(id: string, above: string, places: ReadonlyMap<string, StepPlace>): boolean {
  for (let at: string | undefined = id; at !== undefined; at = places.get(at)?.workflowId)
    if (at === above) return true;
  return false;
}

/**
 * One that cannot be told from its like is below the workflow without a step's id. A workflow that succeeded names the last
 * attempt of each step: those before it are looked for, too.
 */
function placeByLikeness(workflow: Traced, traced: readonly Traced[], places: Map<string, StepPlace>): void {
  const workflowId = workflow.row.id;
  const isRecorded = recordedSteps(workflow.output).length > 0;
  const steps = declaredSteps(workflow.input)
    .map((step, place) => ({ ...step, place }))
    .filter(({ retry }) => !isRecorded || retry !== undefined);
  const open = new Set(steps);
  for (const one of traced) {
    const { id, skill } = one.row;
    if (places.has(id) || !isWithin(one, workflow) || isBelow(workflowId, id, places)) continue;
    const named = steps.filter((step) => step.skill === skill);
    const alike = named.length > 0 ? named : steps.filter((step) => step.skill.startsWith('${'));
    if (alike.length === 0) continue;
    const same = alike.filter(
      (step) => open.has(step) && JSON.stringify(step.input ?? {}) === JSON.stringify(one.input),
    );
    const step = same[0] ?? (alike.length === 1 ? alike[0] : undefined);
    if (step !== undefined) open.delete(step);
    places.set(id, { workflowId, place: step?.place ?? steps.length, stepId: step?.id });
  }
}

function isWithin(one: Traced, workflow: Traced): boolean {
  const begun = beginOf(workflow);
  const end = workflow.row.durationMs === undefined ? Number.POSITIVE_INFINITY : begun + workflow.row.durationMs;
  return one !== workflow && beginOf(one) >= begun && beginOf(one) <= end;
}

interface Declared {
  readonly id: string;
  /** A name, or a reference to the name that another step gave. */
  readonly skill: string;
  readonly input: unknown;
  readonly retry?: unknown;
}

/** As workflow_coordination takes them: steps, and groups of steps that run side by side. */
function declaredSteps(input: unknown): readonly Declared[] {
  return listIn(input, 'steps')
    .flatMap((stage) => (hasTexts(stage, ['id', 'skill']) ? [stage] : listIn(stage, 'parallel')))
    .filter((step): step is Declared => hasTexts(step, ['id', 'skill']));
}

interface Recorded {
  readonly id: string;
  readonly invocation_id: string;
}

const recordedSteps = (output: unknown): readonly Recorded[] =>
  listIn(output, 'steps').filter((step): step is Recorded => hasTexts(step, ['id', 'invocation_id']));

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return Array.isArray(list) ? list : [];
}

const hasTexts = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
