// The steps of a durable run that are done, so that what goes on after a death does not run them again (J6).
import { keptPromise } from '../../async/kept-promise.ts';
import type { SkillAnswer } from '../define/invocation.ts';
import type { StepMemory } from '../run/step-memory.ts';
import type { RunStore } from './run-store.ts';
import type { SealedJson } from './sealed-json.ts';

type Done = Extract<SkillAnswer, { readonly success: true }>;

/** What is kept of a step: that it began, or what it answered. */
type Kept = { readonly began: true } | { readonly done: Omit<Done, 'timestamp'> & { readonly timestamp: string } };

/** `patiently`: asks the store as long as the run may wait for it. */
export function createStepMemory(
  store: Pick<RunStore, 'keepStep' | 'steps'>,
  sealed: SealedJson,
  runId: string,
  patiently: <T>(work: () => Promise<T>) => Promise<T>,
): Omit<StepMemory, 'ask'> {
  const known = keptPromise(async (): Promise<ReadonlyMap<string, Kept>> => {
    const steps = new Map<string, Kept>();
    for (const [step, text] of await patiently(() => store.steps(runId))) {
      // Sealed by `keep` below.
      steps.set(step, (await sealed.unseal(text, `${runId} ${step}`)) as Kept);
    }
    return steps;
  });
  const keep = async (step: string, value: Kept) => {
    const text = await sealed.seal(value, `${runId} ${step}`);
    await patiently(() => store.keepStep(runId, step, text));
  };
  return {
    find: async (step) => {
      const steps = await known.get();
      const done = steps.get(`${step} done`);
      if (done !== undefined && 'done' in done) {
        return { state: 'done', answer: { ...done.done, timestamp: new Date(done.done.timestamp) } };
      }
      return steps.has(`${step} began`) ? { state: 'began' } : undefined;
    },
    began: (step) => keep(`${step} began`, { began: true }),
    done: (step, answer) => keep(`${step} done`, { done: { ...answer, timestamp: answer.timestamp.toISOString() } }),
  };
}
