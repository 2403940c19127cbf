// Runs a step of a workflow: the items of its list one after the other, each tried again where the step says so, with the
// caller's authority (X5). The first run that fails is the last.
import { setTimeout as pause } from 'node:timers/promises';
import type { SkillContext } from '../../skills/define/define-skill.ts';
import { type Failure, type FailureCode, failureOf } from '../../skills/define/failure.ts';
import type { SkillAnswer } from '../../skills/define/invocation.ts';
import type { PreparedStep, StepRun } from './prepare-step.ts';
import type { WorkflowProgress } from './workflow-progress.ts';
import type { RunBudget } from './workflow-tree.ts';

export interface RunRecord {
  readonly run: StepRun;
  readonly answer: Extract<SkillAnswer, { readonly success: true }>;
  readonly attempts: number;
}

export interface FailedRun {
  readonly run: Pick<StepRun, 'step' | 'item'> & { readonly skill: string | undefined };
  readonly attempts: number;
  readonly failure: Failure;
}

/** What came of a step: the runs that succeeded, and the one that did not. */
export interface StepOutcome {
  readonly done: readonly RunRecord[];
  readonly failed: FailedRun | undefined;
}

/** How much the outputs of a workflow may still be. */
export interface OutputBudget {
  bytesLeft: number;
  /** As values/json-values.ts counts them. */
  valuesLeft: number;
}

interface Watched {
  readonly progress: WorkflowProgress;
  readonly budget: OutputBudget;
  readonly runs: RunBudget;
}

export async function runStep(
  { step, runs }: PreparedStep,
  context: SkillContext,
  { progress, budget, runs: left }: Watched,
): Promise<StepOutcome> {
  const done: RunRecord[] = [];
  for (const [index, run] of runs.entries()) {
    const label = `step ${step.id}${run.item === undefined ? '' : `, item ${index + 1} of ${runs.length}`}`;
    const mayRetry = (attempt: number) => {
      if (left.left < 1) return false;
      left.left -= 1;
      progress.retries(label, attempt);
      return true;
    };
    const { answer, attempts } = await tryOften(run, context, mayRetry);
    const failure = answer.success ? findExcess(answer.outputPayload, budget) : answer.failure;
    if (failure !== undefined) return { done, failed: { run, attempts, failure } };
    if (answer.success) done.push({ run, answer, attempts });
    progress.ran(label);
  }
  return { done, failed: undefined };
}

interface Tried {
  readonly answer: SkillAnswer;
  readonly attempts: number;
}

/** May pass by themselves. The other recoverable ones want something else first: another input, a thing that is there. */
const PASSING = ['RATE_EXCEEDED', 'TIMEOUT', 'PERSISTENCE_ERROR', 'EXTERNAL_SERVICE_ERROR'] as const;

async function tryOften(
  { step, skill, input, item }: StepRun,
  { invoke, signal }: SkillContext,
  mayRetry: (attempt: number) => boolean,
): Promise<Tried> {
  const { attempts: most = 1, codes = PASSING } = step.retry ?? {};
  const again: readonly FailureCode[] = codes;
  for (let attempts = 1; ; attempts += 1) {
    const answer = await invoke(skill, input, { step: nameOf(step.id, item) });
    const isLast = answer.success || attempts >= most || !again.includes(answer.failure.code);
    if (isLast || !(await rest(attempts, answer.failure, signal))) return { answer, attempts };
    if (!mayRetry(attempts + 1)) return { answer, attempts };
  }
}

/** In a run that goes on after a death: ids have neither blanks nor colons. */
const nameOf = (id: string, item: number | undefined): string => (item === undefined ? id : `${id}:${item}`);

const FIRST_REST_MS = 200;
/** Who is to wait longer than this may as well be told. */
const LONGEST_REST_MS = 30_000;

/** Longer each time, or as long as the failure says. False: it is not to be tried again, because there is no caller any more. */
async function rest(attempts: number, { code, details }: Failure, signal: AbortSignal): Promise<boolean> {
  const said = code === 'RATE_EXCEEDED' ? Number(details?.retry_after) * 1_000 : Number.NaN;
  const ms = Number.isFinite(said) ? Math.max(said, 0) : FIRST_REST_MS * 2 ** (attempts - 1);
  if (ms > LONGEST_REST_MS) return false;
  // It rejects when the signal is aborted, which is asked next.
  await pause(ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

/** Taken off as they come: a list must not fill the memory before its stage has ended. */
function findExcess(output: unknown, budget: OutputBudget): Failure | undefined {
  budget.bytesLeft -= Buffer.byteLength(JSON.stringify(output));
  budget.valuesLeft -= countValues(output) + VALUES_OF_RUN;
  if (budget.bytesLeft >= 0 && budget.valuesLeft >= 0) return undefined;
  const excess =
    budget.bytesLeft < 0 ? 'are larger than 4 MB' : 'have more than 50,000 values (field names count, too)';
  return failureOf('VALIDATION_ERROR', { details: `the outputs up to here ${excess} together` });
}

/** What the answer says of every run: an object of at most six fields. */
const VALUES_OF_RUN = 13;

/** Of an output, which has passed the check: it has an end. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countValues(item), 1);
  return Object.values(value).reduce<number>(
    (sum, field) => sum + (field === undefined ? 0 : 1 + countValues(field)),
    1,
  );
}
