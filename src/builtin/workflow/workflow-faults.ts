// All that can be wrong with a workflow beyond the form of its fields, before any of it runs. No message quotes the input of a
// step: there may be a password in it.

import { fieldOf } from '../kit/steps.ts';
import type { IsSkill } from '../ports/find-skills.ts';
import { countMarks, findOnlyReference, parseText, type TextPart } from './reference.ts';
import { listIn, MOST_STEPS, STEP_FIELDS } from './workflow-schema.ts';
import { DEPTH_RULE, MOST_DEEP, WORKFLOW } from './workflow-tree.ts';

type Path = readonly (string | number)[];

export interface WorkflowFault {
  readonly path: Path;
  readonly message: string;
}

/** Reads also a workflow whose form is wrong: all faults are told at once (X5). */
export function findWorkflowFaults(workflow: unknown, isSkill: IsSkill): readonly WorkflowFault[] {
  const stages = stagesIn(workflow, []);
  const steps = stages.flatMap((stage) => stage.steps);
  // Too many are not looked at one by one.
  if (steps.length > MOST_STEPS) return [tooManySteps(steps.length)];
  return [
    ...stages.flatMap(({ faults }) => faults),
    ...repeatFaults(steps),
    ...steps.flatMap((step) => skillFaults(step, isSkill)),
    ...steps.flatMap(formFaults),
    ...depthFaults(steps, 1),
    ...(hasTooManyReferences(steps) ? [TOO_MANY_REFERENCES] : listReferenceFaults(stages)),
  ];
}

interface LooseStep {
  readonly path: Path;
  readonly id: string | undefined;
  readonly skill: string | undefined;
  readonly forEach: string | undefined;
  readonly when: string | undefined;
  readonly input: unknown;
}

interface LooseStage {
  readonly steps: readonly LooseStep[];
  readonly faults: readonly WorkflowFault[];
}

const stagesIn = (workflow: unknown, at: Path): readonly LooseStage[] =>
  listIn(workflow, 'steps').map((stage, index) => stageOf(stage, [...at, 'steps', index]));

function stageOf(stage: unknown, path: Path): LooseStage {
  if (fieldOf(stage, 'parallel') === undefined)
    return { steps: [stepOf(stage, path)], faults: missingFaults(stage, path) };
  const mixed = STEP_FIELDS.filter((field) => fieldOf(stage, field) !== undefined);
  return {
    steps: listIn(stage, 'parallel').map((step, place) => stepOf(step, [...path, 'parallel', place])),
    faults: mixed.map((field) => ({ path: [...path, field], message: 'cannot be used with parallel' })),
  };
}

/** In a group the form of the fields says it already. */
function missingFaults(stage: unknown, path: Path): readonly WorkflowFault[] {
  if (typeof stage !== 'object' || stage === null) return [];
  return ['id', 'skill']
    .filter((field) => fieldOf(stage, field) === undefined)
    .map((field) => ({ path: [...path, field], message: 'is required, unless there is parallel' }));
}

const stepOf = (step: unknown, path: Path): LooseStep => ({
  path,
  id: textOf(fieldOf(step, 'id')),
  skill: textOf(fieldOf(step, 'skill')),
  forEach: textOf(fieldOf(step, 'for_each')),
  when: textOf(fieldOf(step, 'when')),
  input: fieldOf(step, 'input'),
});

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const tooManySteps = (count: number): WorkflowFault => ({
  path: ['steps'],
  message: `are ${count} together; at most ${MOST_STEPS} are allowed`,
});

function repeatFaults(steps: readonly LooseStep[]): readonly WorkflowFault[] {
  const seen = new Set<string>();
  return steps.flatMap(({ id, path }) => {
    if (id === undefined || !seen.has(id)) {
      if (id !== undefined) seen.add(id);
      return [];
    }
    return [{ path: [...path, 'id'], message: `${quote(id)} is the id of another step already` }];
  });
}

/** A name that an earlier step will give is looked at when it is there. */
function skillFaults({ skill, path }: LooseStep, isSkill: IsSkill): readonly WorkflowFault[] {
  if (skill === undefined || skill.includes('${') || isSkill(skill)) return [];
  return [{ path: [...path, 'skill'], message: `there is no skill ${quote(skill)}` }];
}

/** Where one reference is wanted, there is one and nothing around it. */
function formFaults({ path, skill, forEach, when }: LooseStep): readonly WorkflowFault[] {
  const faults: WorkflowFault[] = [];
  const want = (field: string, text: string | undefined, form: string) => {
    if (text !== undefined && findOnlyReference(text) === undefined)
      faults.push({ path: [...path, field], message: `must be one reference, as ${form}, and nothing else` });
  };
  want('skill', skill?.includes('${') ? skill : undefined, LIST_FORM);
  want('for_each', forEach, LIST_FORM);
  want('when', when, forEach === undefined ? LIST_FORM : `${LIST_FORM} or \${item.FIELD}`);
  return faults;
}

/** One that shows only when it runs, because a skill between them runs it, is refused then: workflow-tree.ts. */
function depthFaults(steps: readonly LooseStep[], depth: number): readonly WorkflowFault[] {
  return steps
    .filter(({ skill }) => skill === WORKFLOW)
    .flatMap(({ path, id, input }) => {
      if (depth >= MOST_DEEP) return [{ path: [...path, 'skill'], message: tooDeep(id) }];
      const inside = stagesIn(input, [...path, 'input']).flatMap((stage) => stage.steps);
      // Too many are told when it runs.
      return inside.length > MOST_STEPS ? [] : depthFaults(inside, depth + 1);
    });
}

const tooDeep = (id = ''): string => `step ${quote(id)} is a workflow inside ${MOST_DEEP} others; ${DEPTH_RULE}`;

const LIST_FORM = `\${steps.ID.output.FIELD}`;

function firstStages(stages: readonly LooseStage[]): ReadonlyMap<string, number> {
  const byId = new Map<string, number>();
  for (const [index, { steps }] of stages.entries()) {
    for (const { id } of steps) if (id !== undefined && !byId.has(id)) byId.set(id, index);
  }
  return byId;
}

const MOST_REFERENCES = 1_000;
const TOO_MANY_REFERENCES: WorkflowFault = {
  path: ['steps'],
  message: `hold more than ${MOST_REFERENCES} references`,
};

/** Counted before any of them is read. */
function hasTooManyReferences(steps: readonly LooseStep[]): boolean {
  let left = MOST_REFERENCES;
  for (const { input } of steps) {
    eachText(input, [], (text) => {
      if (left >= 0) left -= countMarks(text, left + 1);
    });
  }
  return left < 0;
}

/** What the references of a step may look at. */
interface Sight {
  readonly stageOfId: ReadonlyMap<string, number>;
  readonly ownStage: number;
  readonly hasItem: boolean;
}

function listReferenceFaults(stages: readonly LooseStage[]): readonly WorkflowFault[] {
  const stageOfId = firstStages(stages);
  return stages.flatMap(({ steps }, ownStage) => steps.flatMap((step) => referenceFaults(step, stageOfId, ownStage)));
}

function referenceFaults(
  { path, input, skill, when, forEach }: LooseStep,
  stageOfId: ReadonlyMap<string, number>,
  ownStage: number,
): readonly WorkflowFault[] {
  const faults: WorkflowFault[] = [];
  const look = (hasItem: boolean) => (text: string, place: Path) => {
    const sight = { stageOfId, ownStage, hasItem };
    const messages = parseText(text).flatMap((part) => faultOf(part, sight) ?? []);
    for (const message of new Set(messages)) faults.push({ path: place, message });
  };
  const hasItem = forEach !== undefined;
  eachText(input, [...path, 'input'], look(hasItem));
  // What is no single reference has been told already.
  for (const [field, text] of Object.entries({ skill, when, for_each: forEach })) {
    if (text !== undefined && findOnlyReference(text)) look(hasItem && field !== 'for_each')(text, [...path, field]);
  }
  return faults;
}

const FORM = `\${steps.ID.output} with .FIELD or [NUMBER] after it`;

/** A step sees what ran before its stage: neither itself, nor what stands beside it, nor what comes later. */
function faultOf(part: TextPart, { stageOfId, ownStage, hasItem }: Sight): string | undefined {
  if (part.kind === 'words') return undefined;
  if (part.kind === 'wrong') return `holds a reference that cannot be read; write ${FORM}, or $\${ for a plain \${`;
  const { stepId } = part.reference;
  if (stepId === undefined) return hasItem ? undefined : `holds \${item}, which a step has only with for_each`;
  const stage = stageOfId.get(stepId);
  if (stage === undefined) return 'holds a reference to a step that there is not';
  return stage < ownStage ? undefined : 'holds a reference to a step that does not come before this one';
}

function eachText(value: unknown, path: Path, visit: (text: string, path: Path) => void): void {
  if (typeof value === 'string') visit(value, path);
  if (typeof value !== 'object' || value === null) return;
  const entries: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, inner] of entries) eachText(inner, [...path, key], visit);
}

const quote = (text: string): string => JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 80)}…`);
