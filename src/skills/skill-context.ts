// What a typed skill gets beside its input.
import type { Caller } from '../identity/caller.ts';
import type { InvocationResult } from './invocation.ts';

/**
 * A result and the id under which everything that belongs to it is in the log.
 *
 * @example
 * const answer: Answer = await runtime.invoke({ name: 'greet', input: { name: 'Ada' } });
 * console.log(answer.correlationId, answer.success ? answer.outputPayload : answer.failure.message);
 */
export type Answer = InvocationResult & { readonly correlationId: string };

/**
 * Invokes another skill for the same caller, under the same correlation id.
 *
 * @example
 * const greetAll = (names: readonly string[], invoke: InvokeStep) =>
 *   Promise.all(names.map((name) => invoke('greet', { name })));
 * const answers = await greetAll(['Ada', 'Grace'], invokerOf(runtime));
 */
export type InvokeStep = (skill: string, input: unknown) => Promise<Answer>;

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
  /** Tells whoever watches how far it has come. */
  readonly progress: (done: number, total?: number, message?: string) => void;
}
