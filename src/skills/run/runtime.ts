// Typed skills, ready to be invoked: the composition of everything in this folder.
import { createLocalPlaces } from '../../limits/places.ts';
import { createLocalWindow } from '../../limits/rate-window.ts';
import { type FieldRule, findOptionProblem, functionValue, listOfTexts, refuse } from '../../values/field-rules.ts';
import type { AnySkill } from '../define/define-skill.ts';
import type { DefinitionProblem } from '../define/definition-problems.ts';
import type { Failure } from '../define/failure.ts';
import type { SkillAnswer } from '../define/invocation.ts';
import type { RegisteredSkill } from '../define/registered-skill.ts';
import { createRegistry, type Registry } from '../define/registry.ts';
import { createInvocationEvents, type InvocationListener } from '../record/invocation-events.ts';
import type { InvocationLog } from '../record/invocation-log.ts';
import { createRecorder, type LogPolicy } from '../record/recorder.ts';
import type { RuntimeLog } from '../record/runtime-log.ts';
import type { InvokeRequest, RuntimeParts } from './active-invocation.ts';
import { type CarryOut, createCarryOut } from './carry-out.ts';
import { InFlight } from './in-flight.ts';
import { type AdmittedRun, admitRun, invoke } from './invoke.ts';
import { createLimits, type LimitOptions, type Limits } from './limits.ts';
import { TimeLimits } from './time-limits.ts';
import { createWorkerPools } from './worker-pools.ts';

/**
 * Skills that come with a library, made for the runtime that they will run in: those that run others look them up in it.
 *
 * @example
 * const builtin: BuiltinSkills = createBuiltinSkills({ store });
 * const own = createRuntime({ skills: [greet], builtin });
 */
export type BuiltinSkills = (runtime: Pick<Runtime, 'find' | 'skills'>) => readonly AnySkill[];

/**
 * What a runtime is made of. Only `skills` is needed.
 *
 * @example
 * const options: RuntimeOptions = { skills: [greet], agents: ['BillingAgent'], callerPerMinute: 60 };
 * const own = createRuntime(options);
 */
export interface RuntimeOptions {
  readonly skills: readonly AnySkill[];
  /** Those of `repertoire/builtin`. One of `skills` takes the place of one of them only if it says `replaces: true`. */
  readonly builtin?: BuiltinSkills;
  /** Names that skills may not have: those of the document tools. */
  readonly reserved?: Iterable<string>;
  /** Names that skills may have only with `replaces: true`, beside those of `builtin`. */
  readonly replaceable?: Iterable<string>;
  /** Agents beside the known ones. */
  readonly agents?: readonly string[];
  /** Where runs are recorded; nowhere when left out. */
  readonly invocationLog?: Pick<InvocationLog, 'begin' | 'end'> | undefined;
  /** `best_effort` when left out. */
  readonly policy?: LogPolicy;
  /** Calls per minute of one agent or user over all skills; the operator has no such limit. */
  readonly callerPerMinute?: number | undefined;
  /** Hears what went wrong, what skills say with `context.log`, and what worker skills print. */
  readonly log?: RuntimeLog;
  /** The clock for dates, and one that never goes back, for durations: tests bring their own. */
  readonly now?: () => Date;
  readonly monotonicMs?: () => number;
}

/** Where calls are counted. A runtime that is given none counts by itself. */
type RuntimeCounting = Pick<LimitOptions, 'window' | 'places'>;

/**
 * Typed skills, ready to be invoked. `createRuntime` makes one; close it when the program ends.
 *
 * @example
 * console.log(runtime.skills.map(({ name }) => name), runtime.problems);
 * const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' } });
 */
export interface Runtime {
  readonly skills: readonly RegisteredSkill[];
  /** Definitions that were refused. */
  readonly problems: readonly DefinitionProblem[];
  readonly find: (name: string) => RegisteredSkill | undefined;
  /** Never rejects: what goes wrong is a result. */
  readonly invoke: (request: InvokeRequest) => Promise<SkillAnswer>;
  /** Live, redacted; answers the function that ends the subscription. */
  readonly subscribe: (listener: InvocationListener) => () => void;
  /** Results that the log did not take. */
  readonly lost: () => number;
  /** Waits for what runs, cancels what is left after `graceMs` (0 when left out), ends the processes of workers. */
  readonly close: (graceMs?: number) => Promise<void>;
}

/**
 * Registers typed skills and runs them: with checks, limits and time limits, and every failure as one of eight codes.
 * A definition with a fault is refused and told in `problems`; the others run. It throws one sentence when an option is
 * unknown or cannot be used.
 *
 * @example
 * const runtime = createRuntime({ skills: [greet] });
 * const answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' } });
 * console.log(answer.success ? answer.outputPayload : answer.failure.message);
 * await runtime.close();
 */
export const createRuntime = (options: RuntimeOptions): Runtime => createCountedRuntime(options, undefined);

/** For processes that count together with others. */
export function createCountedRuntime(options: RuntimeOptions, counting: RuntimeCounting | undefined): Runtime {
  refuse('create the runtime', findOptionProblem('createRuntime', options, FIELDS, ['skills']));
  const { skills, builtin = () => [], reserved = [], replaceable, agents = [] } = options;
  // Asked when a skill runs: the registry below is there by then.
  const known: Pick<Runtime, 'find' | 'skills'> = {
    find: (name) => registry.find(name),
    get skills() {
      return registry.skills;
    },
  };
  const registry: Registry = createRegistry(skills, {
    builtin: builtin(known),
    agents,
    reserved: new Set(reserved),
    replaceable: replaceable && new Set(replaceable),
  });
  const parts = createParts(options, registry.find, counting);
  const runtime: Runtime = {
    skills: registry.skills,
    problems: registry.problems,
    find: registry.find,
    invoke: (request) => invoke(parts, request),
    subscribe: parts.events.subscribe,
    lost: () => parts.recorder?.lost ?? 0,
    close: async (graceMs = 0) => {
      await parts.inFlight.close(graceMs, () => parts.timeLimits.cancelAll());
      parts.recorder?.close();
      await parts.workers.close();
    },
  };
  hooks.set(runtime, {
    admit: (request, refused) => admitRun(parts, request, { refused, isCounted: true }),
    admitUncounted: (request) => admitRun(parts, request, { isCounted: false }),
    carryOut: createCarryOut(parts),
    cancel: (id) => parts.timeLimits.cancel(id),
    places: { enter: parts.limits.enterPlace, leave: parts.limits.leave },
  });
  return runtime;
}

/** For code that stores invocations before they run (J1). */
export interface RunHooks {
  /** `refused`: recorded as the reason, unless the caller may not invoke it at all. */
  readonly admit: (request: InvokeRequest, refused?: Failure) => Promise<AdmittedRun>;
  /** However often it was called in the last minute. */
  readonly admitUncounted: (request: InvokeRequest) => Promise<AdmittedRun>;
  readonly carryOut: CarryOut;
  /** The invocation with this id, if its skill runs here, as if its client had cancelled it. */
  readonly cancel: (id: string) => void;
  readonly places: RunPlaces;
}

/** How many runs of a skill may be under way at a time, over all processes that count together (N1). */
export interface RunPlaces {
  /** False: all are taken. */
  readonly enter: Limits['enterPlace'];
  readonly leave: Limits['leave'];
}

/** Not part of the public interface of a runtime. */
const hooks = new WeakMap<Runtime, RunHooks>();

export function runHooksOf(runtime: Runtime): RunHooks {
  const found = hooks.get(runtime);
  if (found === undefined) throw new Error('This runtime was not made by createRuntime');
  return found;
}

const listOfNames: FieldRule = (value) =>
  typeof value === 'object' && value !== null && Symbol.iterator in value
    ? undefined
    : 'is not a list of texts. Write ["one", "two"].';

const FIELDS = {
  skills: (value) => (Array.isArray(value) ? undefined : 'is not a list. Write [skill, skill].'),
  builtin: (value) =>
    typeof value === 'function'
      ? undefined
      : 'is not what createBuiltinSkills() gives. Write createBuiltinSkills({ store, names: ["task_creation"] }).',
  reserved: listOfNames,
  replaceable: listOfNames,
  agents: listOfTexts,
  invocationLog: (value) =>
    typeof value === 'object' && value !== null && 'begin' in value && 'end' in value
      ? undefined
      : 'is not a log. Write store.invocations, of a store that openStore() opened.',
  policy: (value) =>
    value === 'required' || value === 'best_effort' ? undefined : 'is no policy. Write "required" or "best_effort".',
  callerPerMinute: (value) =>
    typeof value === 'number' && value > 0 ? undefined : 'is not a number above 0. Write 60.',
  log: functionValue,
  now: functionValue,
  monotonicMs: functionValue,
} as const satisfies Record<keyof RuntimeOptions, FieldRule>;

/** Four readings a call: `process.uptime()` of monotonic-clock.ts takes four times as long, and nothing starts up here. */
const monotonicMs = (): number => performance.now();

const createLocalCounting = (clock: () => number): RuntimeCounting => ({
  window: createLocalWindow(clock),
  places: createLocalPlaces(),
});

function createParts(
  options: RuntimeOptions,
  find: RuntimeParts['find'],
  counting: RuntimeCounting | undefined,
): RuntimeParts {
  const { invocationLog, policy = 'best_effort', callerPerMinute } = options;
  const log = options.log ?? (() => {});
  const clock = { now: options.now ?? (() => new Date()), monotonicMs: options.monotonicMs ?? monotonicMs };
  const parts: RuntimeParts = {
    find,
    clock,
    log,
    limits: createLimits({ callerPerMinute, ...(counting ?? createLocalCounting(clock.monotonicMs)) }),
    recorder: invocationLog && createRecorder({ invocationLog, policy, log, monotonicMs: clock.monotonicMs }),
    events: createInvocationEvents(log),
    workers: createWorkerPools(log),
    inFlight: new InFlight(),
    timeLimits: new TimeLimits(clock.monotonicMs),
    invoke: (request, outer) => invoke(parts, request, outer),
  };
  return parts;
}
