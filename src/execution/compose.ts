// Several skills as one: a chain in which each output feeds the next, and a group that runs side by side (X6).
import type { Failure } from './failure.ts';
import type { JsonRecord } from './invocation.ts';
import type { Answer, InvokeStep } from './skill-context.ts';

export interface Step {
  readonly skill: string;
  /**
   * The input, or how to make it: from the output before (`{}` for the first step) and from all outputs so far.
   * Left out: the output before, as it is.
   */
  readonly input?: JsonRecord | ((before: JsonRecord, outputs: readonly JsonRecord[]) => unknown);
}

/** A step that failed, where it stood, and what it failed with. */
export interface StepFailure {
  /** From 0. */
  readonly step: number;
  readonly skill: string;
  readonly failure: Failure;
}

export type ChainResult =
  | { readonly success: true; readonly output: JsonRecord; readonly answers: readonly Answer[] }
  | { readonly success: false; readonly failed: StepFailure; readonly answers: readonly Answer[] };

/**
 * One after the other; the first failure stops it. Every step is an invocation in the log, under the correlation id of
 * `invoke`: a skill's own `context.invoke`, or `invokerOf` a runtime.
 *
 * @example
 * const made = await chain([
 *   { skill: 'task_creation', input: { title, user_id } },
 *   { skill: 'task_retrieval', input: ({ task_id }) => ({ task_id, user_id }) },
 * ], context.invoke);
 */
export async function chain(steps: readonly Step[], invoke: InvokeStep): Promise<ChainResult> {
  const answers: Answer[] = [];
  const outputs: JsonRecord[] = [];
  for (const [index, step] of steps.entries()) {
    const answer = await invoke(step.skill, inputOf(step, outputs));
    answers.push(answer);
    if (!answer.success) return { success: false, failed: stepFailure(index, step, answer.failure), answers };
    outputs.push(answer.outputPayload);
  }
  return { success: true, output: outputs.at(-1) ?? {}, answers };
}

export interface ParallelResult {
  /** Whether every step succeeded. */
  readonly success: boolean;
  /** In the order of the steps. */
  readonly answers: readonly Answer[];
  readonly failed: readonly StepFailure[];
}

const AT_ONCE = 16;

/** Side by side, at most sixteen at a time. All of them end, whatever the others do. */
export async function parallel(steps: readonly Step[], invoke: InvokeStep): Promise<ParallelResult> {
  const answers: Answer[] = [];
  const queue = steps.entries();
  const work = async () => {
    // Each worker takes the next step from the one queue.
    for (const [index, step] of queue) answers[index] = await invoke(step.skill, inputOf(step, []));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, steps.length) }, work));
  const failed = steps.flatMap((step, index) => {
    const answer = answers[index];
    return answer === undefined || answer.success ? [] : [stepFailure(index, step, answer.failure)];
  });
  return { success: failed.length === 0, answers, failed };
}

function inputOf({ input }: Step, outputs: readonly JsonRecord[]): unknown {
  const before = outputs.at(-1) ?? {};
  return typeof input === 'function' ? input(before, outputs) : (input ?? before);
}

const stepFailure = (step: number, { skill }: Step, failure: Failure): StepFailure => ({ step, skill, failure });
