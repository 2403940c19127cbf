// Asks the model; where there is none, or it is of no use now, gives what we know without it.
import type { SkillContext } from '../../skills/define/define-skill.ts';
import type { AiModel, Question } from './ai-model.ts';

export interface DegradableQuestion<T> extends Question<T> {
  readonly instead: () => T;
}

export interface ModelOrDegraded<T> {
  readonly value: T;
  /** True: the model had no part in it. */
  readonly degraded: boolean;
}

export async function askOrDegrade<T>(
  model: AiModel | undefined,
  { log, signal }: SkillContext,
  question: DegradableQuestion<T>,
): Promise<ModelOrDegraded<T>> {
  if (model === undefined) return { value: question.instead(), degraded: true };
  const asked = await model.ask(question, signal);
  if (asked.ok) return { value: asked.value, degraded: false };
  log(`Cannot use the AI endpoint: ${asked.failure}; answering without it`);
  return { value: question.instead(), degraded: true };
}
