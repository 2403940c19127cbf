// Defining a typed skill: one value that says what it takes, gives, may fail with, and how it runs.

import type { input as InputOfZod, output as OutputOfZod, ZodType } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import type { JsonRecord, JsonSchema } from '../check/json-schema.ts';
import type { SkillSchema } from '../check/schema-form.ts';
import type { FailureCode, SkillFailure, UndeclaredCode } from './failure.ts';
import type { SkillAnswer } from './invocation.ts';
import type { AskPerson } from './question.ts';

export const CATEGORIES = [
  'orchestration',
  'authentication',
  'task_management',
  'user_management',
  'ai',
  'planning',
  'execution',
] as const;

/**
 * What a typed skill is about: one of seven words that people sort and filter by.
 *
 * @example
 * const category: Category = 'task_management';
 */
export type Category = (typeof CATEGORIES)[number];

/** Agents that every installation knows; the configuration adds others (X1). */
export const KNOWN_AGENTS = [
  'OrchestratorAgent',
  'AuthAgent',
  'TaskAgent',
  'UserAgent',
  'AIAgent',
  'PlannerAgent',
  'TaskExecutorAgent',
] as const;

/**
 * How often a typed skill may run. What is too much is refused at once; nothing queues.
 *
 * @example
 * const limits: SkillLimits = { perMinute: 60, atOnce: 4 };
 */
export interface SkillLimits {
  /** Calls per minute of one caller; more is RATE_EXCEEDED. */
  readonly perMinute?: number;
  /** Calls at the same time, of all callers together; more is RATE_EXCEEDED. */
  readonly atOnce?: number;
}

/**
 * What hosts may tell people before they let an agent call. What is left out counts as the worse.
 *
 * @example
 * const annotations: SkillAnnotations = { readOnly: true, openWorld: false };
 */
export interface SkillAnnotations {
  /** It changes nothing. */
  readonly readOnly?: boolean;
  /** It removes or overwrites something; false: it only adds. */
  readonly destructive?: boolean;
  /** It reaches beyond this installation: other services, the network. */
  readonly openWorld?: boolean;
}

/**
 * What a skill is handed: its input after the check, with defaults and transforms applied.
 *
 * @example
 * const schema = z.object({ name: z.string(), loud: z.boolean().default(false) });
 * const shout = ({ name, loud }: SkillInput<typeof schema>) => (loud ? name.toUpperCase() : name);
 */
export type SkillInput<S> = S extends ZodType ? OutputOfZod<S> : JsonRecord;

/**
 * What a skill returns; the check gives it the published form.
 *
 * @example
 * const schema = z.object({ greeting: z.string() });
 * const answer: SkillOutput<typeof schema> = { greeting: 'Hello, Ada' };
 */
export type SkillOutput<S> = S extends ZodType ? InputOfZod<S> : JsonRecord;

/**
 * For runs that survive: stored before they are answered, taken up again when a process dies (J1, J5).
 *
 * @example
 * const durable: DurableOptions = { idempotent: true, attempts: 5, backoffSeconds: 10 };
 */
export interface DurableOptions {
  /** It may run again after a death or a failure that passes: a second run changes nothing more than the first. */
  readonly idempotent?: boolean;
  /** 1–20; 1 unless said. Above 1 only with `idempotent: true`. */
  readonly attempts?: number;
  /** Before the second attempt, and twice as long before each further one; 5 unless said. */
  readonly backoffSeconds?: number;
  /**
   * It names its steps (`context.invoke(skill, input, { step })`) and goes on after the death of its process, behind the last
   * step that was done. It is durable where a caller does not wait for it, and an ordinary call where one does. A failure is
   * final: neither `idempotent` nor `attempts` go with it.
   */
  readonly resumes?: boolean;
}

interface SkillDescription<I, O, F> {
  /** `^[a-z][a-z0-9_]*$`, at most 64 characters: also the tool's name over MCP. */
  readonly name: string;
  /** At most 500 characters. Agents choose by it. */
  readonly description: string;
  readonly category: Category;
  /** Agents that may invoke it; none named: every agent. */
  readonly assignedTo?: readonly string[];
  /** A zod object, or a JSON Schema. Fields that it does not list are refused. */
  readonly input: I;
  readonly output: O;
  readonly successCriteria?: readonly string[];
  /** Codes that the skill may return with `failure(…)`. */
  readonly failureModes?: F;
  /** 1–300, with `durable` up to 82,800; 30 unless said. */
  readonly timeoutSeconds?: number;
  /** Its runs survive the death of every process. */
  readonly durable?: DurableOptions;
  /** Each run waits until a person has allowed it. Such a skill is durable, whether it says so or not. */
  readonly approval?: 'required';
  readonly limits?: SkillLimits;
  readonly annotations?: SkillAnnotations;
  /** Opens the skill to users: the input field that must hold the calling user's own id. */
  readonly userField?: string;
  /**
   * For a skill that invokes others as its input says: which skills, with which inputs. The log then redacts each of these
   * inputs by the schema of its own skill. It is called before the input is checked, so it may be handed anything.
   */
  readonly stepsIn?: (input: unknown) => readonly StepIn[];
  /** True: it is served in place of the built-in skill of its name. Without it such a name is refused. */
  readonly replaces?: boolean;
}

/**
 * A skill that another one's input says to invoke, as `stepsIn` tells of it.
 *
 * @example
 * const stepsIn = (input: unknown): readonly StepIn[] => [{ skill: 'greet', input, at: [] }];
 */
export interface StepIn {
  readonly skill: unknown;
  readonly input: unknown;
  /** Where that input stands: fields and positions from the top. */
  readonly at: readonly (string | number)[];
}

interface InProcess<I, O, F extends readonly FailureCode[]> {
  readonly isolation?: 'none';
  /** Method syntax: a skill with narrower types still fits into a list of skills. */
  run(input: SkillInput<I>, context: SkillContext): Returned<O, F> | Promise<Returned<O, F>>;
}

/**
 * Runs in a process of its own: a loop without end is ended at the limit, memory and output are bounded. A closure cannot
 * leave its process, so the function is named by its module. It gets the input alone and returns output or `failure(…)`.
 */
interface InWorker {
  readonly isolation: 'worker';
  /** A `.js` or `.mjs` file: `new URL('./heavy.js', import.meta.url)`. */
  readonly module: URL;
  /** `default` unless said. */
  readonly exportName?: string;
  /** Names of environment variables that it needs. Beside these it gets only common ones, such as `PATH` and `HOME`. */
  readonly environment?: readonly string[];
}

type Returned<O, F extends readonly FailureCode[]> = SkillOutput<O> | SkillFailure<F[number] | UndeclaredCode>;

/**
 * A typed skill with the types of its schemas. `defineSkill` infers them; write them out in functions over skills.
 *
 * @example
 * const slower = <I extends SkillSchema>(skill: SkillDefinition<I>): AnySkill => ({ ...skill, timeoutSeconds: 60 });
 */
export type SkillDefinition<
  I extends SkillSchema = SkillSchema,
  O extends SkillSchema = SkillSchema,
  F extends readonly FailureCode[] = readonly FailureCode[],
> = SkillDescription<I, O, F> & (InProcess<I, O, F> | InWorker);

/**
 * Any typed skill, whatever its types: for lists of skills.
 *
 * @example
 * const skills: readonly AnySkill[] = [greet];
 * const own = createRuntime({ skills });
 */
export type AnySkill = SkillDescription<SkillSchema, SkillSchema, readonly FailureCode[]> &
  // `never`: a skill of unknown types cannot be called past the checks.
  ({ readonly isolation?: 'none'; run(input: never, context: SkillContext): unknown } | InWorker);

/**
 * A typed skill: its schemas give the types of `run`, the checks of every call and the published JSON Schema.
 * Nothing is checked here: the runtime that registers it tells what is wrong with the definition.
 *
 * @example
 * export const greet = defineSkill({
 *   name: 'greet',
 *   description: 'Greets a person by name.',
 *   category: 'execution',
 *   input: z.object({ name: z.string().min(1).max(80) }),
 *   output: z.object({ greeting: z.string() }),
 *   timeoutSeconds: 5,
 *   run: async ({ name }) => ({ greeting: `Hello, ${name}` }),
 * });
 */
export function defineSkill<
  const I extends ZodType | JsonSchema,
  const O extends ZodType | JsonSchema,
  const F extends readonly FailureCode[] = readonly [],
>(definition: SkillDefinition<I, O, F>): SkillDefinition<I, O, F> {
  return Object.freeze({ ...definition });
}

/**
 * Invokes another skill for the same caller, under the same correlation id.
 *
 * @example
 * const greetAll = (names: readonly string[], invoke: InvokeStep) =>
 *   Promise.all(names.map((name) => invoke('greet', { name })));
 * const answers = await greetAll(['Ada', 'Grace'], invokerOf(runtime));
 */
export type InvokeStep = (skill: string, input: unknown, options?: StepOptions) => Promise<SkillAnswer>;

/**
 * How a step is known in a durable run: one that goes on after the death of its process does not run a step again that was done.
 *
 * @example
 * const charge = (invoke: InvokeStep, cents: number) => invoke('charge_card', { cents }, { step: 'charge' });
 * const answer = await charge(invokerOf(runtime), 500);
 */
export interface StepOptions {
  /** The same name for the same step, each time the run comes to it. Without it the step is not kept. */
  readonly step?: string;
}

/**
 * How far a skill has come, as it said with `context.progress`.
 *
 * @example
 * const onProgress = ({ done, total }: Progress) => console.log(`${done} of ${total ?? '?'}`);
 * const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' }, onProgress });
 */
export interface Progress {
  readonly done: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

/**
 * What a typed skill gets beside its input.
 *
 * @example
 * const download = async ({ url }: { readonly url: string }, { signal, log }: SkillContext) => {
 *   log('asked', { url });
 *   return await fetch(url, { signal });
 * };
 */
export interface SkillContext {
  /** Aborted when the time is up or the client cancels. Pass it on to whatever waits. */
  readonly signal: AbortSignal;
  /** A line on the program's log, without the secrets of this call. */
  readonly log: (message: string, details?: Readonly<Record<string, unknown>>) => void;
  readonly caller: Caller;
  readonly correlationId: string;
  readonly invoke: InvokeStep;
  /** In a durable run alone: asks the person at the client, where the client can (MCP tasks). Elsewhere it rejects. */
  readonly ask: AskPerson;
  /** Tells those that watch how far it has come. */
  readonly progress: (done: number, total?: number, message?: string) => void;
}
