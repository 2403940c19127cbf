// Several skills as one: a chain in which each output feeds the next, and a group that runs side by side (X6).
import { setMaxListeners } from 'node:events';
import { sideBySide } from '../../async/side-by-side.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { JsonRecord } from '../check/json-schema.ts';
import type { InvokeStep } from '../define/define-skill.ts';
import { type Failure, failureOf } from '../define/failure.ts';
import type { SkillAnswer } from '../define/invocation.ts';
import { correlationIdOf } from '../record/invocation-ids.ts';
import type { InvokeRequest } from './active-invocation.ts';
import type { Runtime } from './runtime.ts';

/**
 * One skill of a chain or a group, and its input.
 *
 * @example
 * const steps: readonly Step[] = [
 *   { skill: 'greet', input: { name: 'Ada' } },
 *   { skill: 'greet', input: ({ greeting }) => ({ name: greeting }) },
 * ];
 * const ran = await chain(steps, invokerOf(runtime));
 */
export interface Step {
  readonly skill: string;
  /**
   * The input, or how to make it: from the output before and from all outputs so far. Left out: the output before, as it
   * is. The first step of a chain, and every step of a group, has `{}` before it.
   */
  readonly input?: JsonRecord | ((before: JsonRecord, outputs: readonly JsonRecord[]) => unknown);
}

/**
 * A step that failed, where it stood, and what it failed with.
 *
 * @example
 * const ran = await chain([{ skill: 'unknown_skill' }], invokerOf(runtime));
 * if (!ran.success) console.log(`step ${ran.failed.step}, ${ran.failed.skill}: ${ran.failed.failure.code}`);
 */
export interface StepFailure {
  /** From 0. */
  readonly step: number;
  readonly skill: string;
  readonly failure: Failure;
  /** What the step's `input` function threw; it was not invoked then. */
  readonly cause?: unknown;
}

/**
 * How a chain ended: the last output, or the step that failed. `answers` has every step that ran.
 *
 * @example
 * const ran: ChainResult = await chain([{ skill: 'greet', input: { name: 'Ada' } }], invokerOf(runtime));
 * console.log(ran.success ? ran.output : ran.failed.failure.message);
 */
export type ChainResult =
  | { readonly success: true; readonly output: JsonRecord; readonly answers: readonly SkillAnswer[] }
  | { readonly success: false; readonly failed: StepFailure; readonly answers: readonly SkillAnswer[] };

/**
 * One after the other; the first failure stops it. Every step is an invocation in the log, under the correlation id of
 * `invoke`: a skill's own `context.invoke`, or `invokerOf` a runtime.
 *
 * @example
 * const ran = await chain([
 *   { skill: 'greet', input: { name: 'Ada' } },
 *   { skill: 'greet', input: ({ greeting }) => ({ name: greeting }) },
 * ], invokerOf(runtime));
 */
export async function chain(steps: readonly Step[], invoke: InvokeStep): Promise<ChainResult> {
  const answers: SkillAnswer[] = [];
  const outputs: JsonRecord[] = [];
  for (const [index, step] of steps.entries()) {
    const input = inputOf(index, step, outputs);
    if (!input.ok) return { success: false, failed: input.failure, answers };
    const answer = await invoke(step.skill, input.value);
    answers.push(answer);
    if (!answer.success) return { success: false, failed: stepFailure(index, step, answer.failure), answers };
    outputs.push(answer.outputPayload);
  }
  return { success: true, output: outputs.at(-1) ?? {}, answers };
}

/**
 * How a group of steps ended, all of them.
 *
 * @example
 * const ran: ParallelResult = await parallel([{ skill: 'greet', input: { name: 'Ada' } }], invokerOf(runtime));
 * console.log(ran.answers.length, ran.failed.length);
 */
export interface ParallelResult {
  /** Whether every step succeeded. */
  readonly success: boolean;
  /** In the order of the steps, of those that were invoked: one without an input is not. */
  readonly answers: readonly SkillAnswer[];
  readonly failed: readonly StepFailure[];
}

const AT_ONCE = 16;

/**
 * Side by side, at most sixteen at a time. All of them end, whatever the others do.
 *
 * @example
 * const names = ['Ada', 'Grace'];
 * const ran = await parallel(names.map((name) => ({ skill: 'greet', input: { name } })), invokerOf(runtime));
 */
export async function parallel(steps: readonly Step[], invoke: InvokeStep): Promise<ParallelResult> {
  const ended = await sideBySide(steps, AT_ONCE, async (step, index): Promise<Result<SkillAnswer, StepFailure>> => {
    const input = inputOf(index, step, []);
    return input.ok ? ok(await invoke(step.skill, input.value)) : input;
  });
  const failed = steps.flatMap((step, index) => failureIn(index, step, ended[index]));
  return { success: failed.length === 0, answers: ended.flatMap((each) => (each.ok ? [each.value] : [])), failed };
}

function failureIn(
  index: number,
  step: Step,
  ended: Result<SkillAnswer, StepFailure> | undefined,
): readonly StepFailure[] {
  if (ended === undefined) return [];
  if (!ended.ok) return [ended.failure];
  return ended.value.success ? [] : [stepFailure(index, step, ended.value.failure)];
}

/** The author's function may throw: then the step fails where it stands, and the others go on or not as after any failure. */
function inputOf(index: number, step: Step, outputs: readonly JsonRecord[]): Result<unknown, StepFailure> {
  const { input } = step;
  const before = outputs.at(-1) ?? {};
  if (typeof input !== 'function') return ok(input ?? before);
  try {
    return ok(input(before, outputs));
  } catch (cause) {
    return fail({ ...stepFailure(index, step, failureOf('INTERNAL_ERROR', {})), cause });
  }
}

const stepFailure = (step: number, { skill }: Step, failure: Failure): StepFailure => ({ step, skill, failure });

/**
 * Invokes steps of `chain` and `parallel` from outside of a skill: one caller, one correlation id for all of them.
 *
 * @example
 * const invoke = invokerOf(runtime, { caller: agentCaller('PlannerAgent') });
 * const ran = await parallel([{ skill: 'greet', input: { name: 'Ada' } }], invoke);
 */
export function invokerOf(runtime: Runtime, common: Omit<InvokeRequest, 'name' | 'input'> = {}): InvokeStep {
  const correlationId = common.correlationId ?? correlationIdOf(undefined).id;
  const signal = common.signal && signalForMany(common.signal);
  return (name, input) => runtime.invoke({ ...common, correlationId, signal, name, input });
}

/** One listener on the caller's signal, however many steps there are: Node would call eleven a leak. */
function signalForMany(outer: AbortSignal): AbortSignal {
  const signal = AbortSignal.any([outer]);
  setMaxListeners(0, signal);
  return signal;
}
