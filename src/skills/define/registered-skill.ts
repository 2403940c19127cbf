// A typed skill that passed registration: every option decided, schemas compiled, ready to be invoked; and its JSON form (X1).

import type { Access } from '../../identity/caller.ts';
import type { JsonSchema } from '../check/json-schema.ts';
import type { SchemaForm } from '../check/schema-form.ts';
import type { AnySkill, Category, SkillAnnotations, SkillContext, StepIn } from './define-skill.ts';
import type { FailureCode } from './failure.ts';

/**
 * A typed skill that passed registration, with every option decided. `definitionJson` gives what may be shown of it.
 *
 * @example
 * for (const { name, timeoutSeconds, failureModes } of runtime.skills) console.log(name, timeoutSeconds, failureModes);
 */
export interface RegisteredSkill {
  readonly name: string;
  readonly description: string;
  readonly category: Category;
  readonly access: Access;
  readonly input: SchemaForm;
  readonly output: SchemaForm;
  /** The skills that its input says to invoke. */
  readonly stepsIn: (input: unknown) => readonly StepIn[];
  readonly successCriteria: readonly string[];
  readonly failureModes: readonly FailureCode[];
  readonly timeoutSeconds: number;
  readonly annotations: SkillAnnotations;
  readonly perMinute: number | undefined;
  readonly atOnce: number | undefined;
  readonly body: SkillBody;
  /** Absent: its runs end with the process. */
  readonly durable: Durability | undefined;
  /** Each run waits until a person has allowed it (J8). */
  readonly needsApproval: boolean;
}

/** How a run survives (J1, J5). */
export interface Durability {
  readonly idempotent: boolean;
  readonly attempts: number;
  readonly backoffSeconds: number;
  /** It goes on after a death, and is durable only where its caller does not wait for it (J6). */
  readonly resumes: boolean;
}

type SkillBody =
  | { readonly isolation: 'none'; readonly run: (input: never, context: SkillContext) => unknown }
  | IsolatedBody;

interface IsolatedBody {
  readonly isolation: 'worker';
  readonly module: URL;
  readonly exportName: string;
  /** Variables that its process gets beside the common ones. */
  readonly environment: readonly string[];
  readonly atOnce: number;
}

const DEFAULT_TIMEOUT_SECONDS = 30;
/** A queue gives up what takes a day; an hour is left for what waits around it (J1). */
export const MAX_DURABLE_SECONDS = 82_800;

/** Processes cost memory: a worker skill that says nothing else runs this often at a time. */
const DEFAULT_WORKERS = 4;

export function createRegisteredSkill(skill: AnySkill, input: SchemaForm, output: SchemaForm): RegisteredSkill {
  const body = bodyOf(skill);
  return Object.freeze({
    name: skill.name,
    description: skill.description,
    category: skill.category,
    access: { assignedTo: [...(skill.assignedTo ?? [])], userField: skill.userField },
    input,
    output,
    stepsIn: skill.stepsIn ?? (() => []),
    successCriteria: [...(skill.successCriteria ?? [])],
    failureModes: [...(skill.failureModes ?? [])],
    timeoutSeconds: skill.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    annotations: { ...skill.annotations },
    perMinute: skill.limits?.perMinute,
    atOnce: body.isolation === 'worker' ? body.atOnce : skill.limits?.atOnce,
    body,
    durable: durabilityOf(skill),
    needsApproval: skill.approval === 'required',
  });
}

const DEFAULT_BACKOFF_SECONDS = 5;
/** So often a run that resumes goes on; more look like a step that kills its process. */
const MOST_DEATHS = 20;

/** What a person has to allow outlives the call that asked for it. */
function durabilityOf({ durable, approval }: AnySkill): Durability | undefined {
  if (durable === undefined && approval === undefined) return undefined;
  const { idempotent = false, attempts = 1, backoffSeconds = DEFAULT_BACKOFF_SECONDS, resumes = false } = durable ?? {};
  return { idempotent, attempts: resumes ? MOST_DEATHS : attempts, backoffSeconds, resumes };
}

function bodyOf(skill: AnySkill): SkillBody {
  if (skill.isolation === 'worker') {
    const { isolation, module, exportName = 'default', environment = [], limits } = skill;
    return { isolation, module, exportName, environment: [...environment], atOnce: limits?.atOnce ?? DEFAULT_WORKERS };
  }
  // Called on the definition: `run` may use `this`.
  return { isolation: 'none', run: (input, context) => skill.run(input, context) };
}

/**
 * A typed skill's definition as the API and the command line print it.
 *
 * @example
 * const definitions: readonly DefinitionJson[] = runtime.skills.map(definitionJson);
 * console.log(JSON.stringify(definitions[0]?.input_schema));
 */
export interface DefinitionJson {
  readonly name: string;
  readonly description: string;
  readonly category: Category;
  readonly assigned_to: readonly string[];
  readonly input_schema: JsonSchema;
  readonly output_schema: JsonSchema;
  readonly success_criteria: readonly string[];
  readonly failure_modes: readonly FailureCode[];
  readonly timeout_seconds: number;
  /** Absent where its runs end with the process. */
  readonly durable?: {
    readonly idempotent: boolean;
    readonly attempts: number;
    readonly backoff_seconds: number;
    readonly resumes: boolean;
  };
  /** Absent where no person has to decide. */
  readonly approval?: 'required';
  /** Absent where it has none. */
  readonly limits?: { readonly per_minute?: number; readonly at_once?: number };
}

/**
 * The JSON form of a registered skill: what it takes and gives as JSON Schema, who may invoke it, how it may fail, whether its runs survive.
 *
 * @example
 * const skill = runtime.find('greet');
 * if (skill) console.log(JSON.stringify(definitionJson(skill)));
 */
export function definitionJson(skill: RegisteredSkill): DefinitionJson {
  return {
    name: skill.name,
    description: skill.description,
    category: skill.category,
    assigned_to: skill.access.assignedTo,
    input_schema: skill.input.json,
    output_schema: skill.output.json,
    success_criteria: skill.successCriteria,
    failure_modes: skill.failureModes,
    timeout_seconds: skill.timeoutSeconds,
    ...howItRuns(skill),
  };
}

/** Only what was set: most skills end with their call, and have no limit but time. */
function howItRuns({ durable, needsApproval, perMinute, atOnce }: RegisteredSkill) {
  const limits = {
    ...(perMinute !== undefined && { per_minute: perMinute }),
    ...(atOnce !== undefined && { at_once: atOnce }),
  };
  return {
    ...(durable && { durable: durabilityJson(durable) }),
    ...(needsApproval && { approval: 'required' as const }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

const durabilityJson = ({ idempotent, attempts, backoffSeconds, resumes }: Durability) => ({
  ...{ idempotent, attempts, backoff_seconds: backoffSeconds, resumes },
});
