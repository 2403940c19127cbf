// A typed skill that passed registration: every option decided, schemas compiled, ready to be invoked.
import type { Access } from '../identity/caller.ts';
import type { AnySkill, Category, SkillAnnotations, StepIn } from './define-skill.ts';
import type { FailureCode } from './failure.ts';
import type { SchemaForm } from './schema/schema-form.ts';
import { createRedactor, type Redactor } from './secrets/redactor.ts';
import type { SkillContext } from './skill-context.ts';

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
  readonly inputRedactor: Redactor;
  readonly outputRedactor: Redactor;
  /** The skills that its input says to invoke. */
  readonly stepsIn: (input: unknown) => readonly StepIn[];
  readonly successCriteria: readonly string[];
  readonly failureModes: readonly FailureCode[];
  readonly timeoutSeconds: number;
  readonly annotations: SkillAnnotations;
  readonly perMinute: number | undefined;
  readonly atOnce: number | undefined;
  readonly body: SkillBody;
}

type SkillBody =
  | { readonly isolation: 'none'; readonly run: (input: never, context: SkillContext) => unknown }
  | { readonly isolation: 'worker'; readonly module: URL; readonly exportName: string; readonly maxThreads: number };

const DEFAULT_TIMEOUT_SECONDS = 30;

/** Threads cost memory: a worker skill that says nothing else runs this often at a time. */
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
    inputRedactor: createRedactor(input.json),
    outputRedactor: createRedactor(output.json),
    stepsIn: skill.stepsIn ?? (() => []),
    successCriteria: [...(skill.successCriteria ?? [])],
    failureModes: [...(skill.failureModes ?? [])],
    timeoutSeconds: skill.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    annotations: { ...skill.annotations },
    perMinute: skill.limits?.perMinute,
    atOnce: body.isolation === 'worker' ? body.maxThreads : skill.limits?.atOnce,
    body,
  });
}

function bodyOf(skill: AnySkill): SkillBody {
  if (skill.isolation === 'worker') {
    const { isolation, module, exportName = 'default', limits } = skill;
    return { isolation, module, exportName, maxThreads: limits?.atOnce ?? DEFAULT_WORKERS };
  }
  // Called on the definition: `run` may use `this`.
  return { isolation: 'none', run: (input, context) => skill.run(input, context) };
}
