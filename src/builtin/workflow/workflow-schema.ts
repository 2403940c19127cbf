// A workflow as JSON: stages one after the other, each of them a step or a group of steps that run side by side; and all that
// can be wrong with it beyond the form of its fields, before any of it runs. No message quotes the input of a step: there may
// be a password in it.

import { z } from 'zod';
import type { StepIn } from '../../skills/define/define-skill.ts';
import { limitedText } from '../kit/fields.ts';
import { fieldOf, stepInputField } from '../kit/steps.ts';
import type { IsSkill } from '../ports/find-skills.ts';
import { countMarks, parseText, type TextPart } from './reference.ts';

/** Together, those in groups counted one by one. */
const MOST_STEPS = 50;

/** A letter first: no id can be the name of something that every object has for itself, as `__proto__`. */
const stepId = limitedText({ min: 1, max: 64 }).regex(/^[A-Za-z][\w-]*$/, {
  error: 'must be a letter, then letters, digits, _ and -',
});
const skillName = limitedText({ min: 1, max: 64 });

const fields = {
  id: stepId.describe('The name of the step, which later steps refer to.'),
  skill: skillName.describe('The typed skill to run.'),
  input: stepInputField
    .optional()
    .describe(`Its input. "\${steps.ID.output.FIELD}" stands for what an earlier step gave.`),
};

const step = z.object(fields);

/** One object with everything optional, not a union: what is wrong is told by its field, and hosts can show the form. */
const stage = z.object({
  id: fields.id.optional(),
  skill: fields.skill.optional(),
  input: fields.input,
  parallel: z
    .array(step)
    .min(1)
    .max(MOST_STEPS)
    .optional()
    .describe('Steps that run side by side, in place of the other fields.'),
});

export const workflowSchema = z.object({
  steps: z.array(stage).min(1).max(MOST_STEPS).describe('What runs, one after the other: steps, and groups of steps.'),
});

export type Workflow = z.infer<typeof workflowSchema>;
export type WorkflowStep = z.infer<typeof step>;

type Path = readonly (string | number)[];

export interface WorkflowFault {
  readonly path: Path;
  readonly message: string;
}

/** Whatever its form: also of a workflow that was not checked. What is both a group and a step counts as both. */
export const listSteps = (workflow: unknown): readonly StepIn[] =>
  listIn(workflow, 'steps').flatMap((stage, index) => {
    const at = ['steps', index];
    return [
      stepIn(stage, at),
      ...listIn(stage, 'parallel').map((step, place) => stepIn(step, [...at, 'parallel', place])),
    ];
  });

const stepIn = (step: unknown, at: Path): StepIn => ({
  skill: fieldOf(step, 'skill'),
  input: fieldOf(step, 'input'),
  at: [...at, 'input'],
});

/** Reads also a workflow whose form is wrong: all faults are told at once (X5). */
export function findWorkflowFaults(workflow: unknown, isSkill: IsSkill): readonly WorkflowFault[] {
  const stages = listIn(workflow, 'steps').map(stageOf);
  const steps = stages.flatMap((stage) => stage.steps);
  // Too many are not looked at one by one.
  if (steps.length > MOST_STEPS) return [tooManySteps(steps.length)];
  return [
    ...stages.flatMap(({ faults }) => faults),
    ...repeatFaults(steps),
    ...steps.flatMap((step) => skillFaults(step, isSkill)),
    ...(hasTooManyReferences(steps) ? [TOO_MANY_REFERENCES] : listReferenceFaults(stages)),
  ];
}

interface LooseStep {
  readonly path: Path;
  readonly id: string | undefined;
  readonly skill: string | undefined;
  readonly input: unknown;
}

interface LooseStage {
  readonly steps: readonly LooseStep[];
  readonly faults: readonly WorkflowFault[];
}

function stageOf(stage: unknown, index: number): LooseStage {
  const path = ['steps', index];
  if (fieldOf(stage, 'parallel') === undefined)
    return { steps: [stepOf(stage, path)], faults: missingFaults(stage, path) };
  const mixed = ['id', 'skill', 'input'].filter((field) => fieldOf(stage, field) !== undefined);
  return {
    steps: listIn(stage, 'parallel').map((step, place) => stepOf(step, [...path, 'parallel', place])),
    faults: mixed.map((field) => ({ path: [...path, field], message: 'cannot stand beside parallel' })),
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
  input: fieldOf(step, 'input'),
});

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function listIn(value: unknown, field: string): readonly unknown[] {
  const list = fieldOf(value, field);
  return Array.isArray(list) ? list : [];
}

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

function skillFaults({ skill, path }: LooseStep, isSkill: IsSkill): readonly WorkflowFault[] {
  if (skill === undefined || isSkill(skill)) return [];
  return [{ path: [...path, 'skill'], message: `there is no skill ${quote(skill)}` }];
}

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

function listReferenceFaults(stages: readonly LooseStage[]): readonly WorkflowFault[] {
  const stageOfId = firstStages(stages);
  return stages.flatMap(({ steps }, index) => steps.flatMap((step) => referenceFaults(step, stageOfId, index)));
}

/** A step sees what ran before its stage: neither itself, nor what stands beside it, nor what comes later. */
function referenceFaults(
  { input, path }: LooseStep,
  stageOfId: ReadonlyMap<string, number>,
  ownStage: number,
): readonly WorkflowFault[] {
  const faults: WorkflowFault[] = [];
  eachText(input, [...path, 'input'], (text, place) => {
    const messages = parseText(text).flatMap((part) => faultOf(part, stageOfId, ownStage) ?? []);
    for (const message of new Set(messages)) faults.push({ path: place, message });
  });
  return faults;
}

const FORM = `\${steps.ID.output} with .FIELD or [NUMBER] after it`;

function faultOf(part: TextPart, stageOfId: ReadonlyMap<string, number>, ownStage: number): string | undefined {
  if (part.kind === 'words') return undefined;
  if (part.kind === 'wrong') return `holds a reference that cannot be read; write ${FORM}, or $\${ for a plain \${`;
  const stage = stageOfId.get(part.reference.stepId);
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
