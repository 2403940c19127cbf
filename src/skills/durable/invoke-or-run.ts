// One way to invoke a typed skill, whether its runs survive or not: an ordinary call, or a run that is waited for, for a while or
// not at all (J2, J3).
import { randomUUID } from 'node:crypto';
import { failureOf } from '../define/failure.ts';
import type { SkillAnswer } from '../define/invocation.ts';
import type { RegisteredSkill } from '../define/registered-skill.ts';
import { correlationIdOf } from '../record/invocation-ids.ts';
import { StoreUnavailable } from '../record/invocation-log.ts';
import type { Runtime } from '../run/runtime.ts';
import type { Run, RunRequest, Runs } from './runs.ts';

export interface Invoking extends RunRequest {
  /** So long the caller waits for a run, and is then told where to look for it; absent: until it has ended. */
  readonly waitMs?: number | undefined;
}

/** `isConflict`: the key was used with another input. */
export type Invoked =
  | { readonly kind: 'answered'; readonly answer: SkillAnswer; readonly isConflict: boolean }
  | { readonly kind: 'accepted'; readonly run: Run };

export interface InvokePorts {
  readonly runtime: Pick<Runtime, 'find' | 'invoke'>;
  /** Absent where nothing is recorded: then no skill is durable, and keys are refused (X7). */
  readonly runs: Runs | undefined;
}

/** Of a model's call: hosts give up after a minute, some after half of one. The run goes on, and is asked for by its id. */
export const CALL_WAIT_MS = 20_000;

/** One that resumes is an ordinary call for a caller that waits; what a person decides on is never. */
export const isWaitedFor = ({ durable, needsApproval }: RegisteredSkill): boolean =>
  needsApproval || (durable !== undefined && !durable.resumes);

export async function invokeOrRun({ runtime, runs }: InvokePorts, request: Invoking): Promise<Invoked> {
  const skill = runtime.find(request.name);
  if (runs === undefined && request.idempotencyKey !== undefined) return answered(keyRefused(request));
  if (runs === undefined || skill === undefined || !becomesRun(skill, request)) {
    return answered(await runtime.invoke(request));
  }
  const started = await runs.start(request);
  if (started.state !== 'stored') return answered(started.answer, started.state === 'conflict');
  // Not even a look: what was accepted is answered as such, also where it ends at once.
  if (request.waitMs === 0 && started.run.result === undefined) return { kind: 'accepted', run: started.run };
  const { caller, signal } = request;
  const patience = { ms: request.waitMs ?? usualWaitMs(skill), ...(signal !== undefined && { signal }) };
  const { id } = started.run.invocation;
  const stop = tellProgress(runs, id, request);
  const waited = caller && runs.wait(id, caller, patience).catch(unlessAway).finally(stop);
  const run = (await waited) ?? started.run;
  return run.result === undefined ? { kind: 'accepted', run } : answered(answerOf(run, run.result));
}

/** It is stored and will run: told that it failed, its caller would call again, and it would run twice. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable)) throw error;
}

/** As the run says it, wherever it is carried out. */
function tellProgress(runs: Runs, id: string, { caller, onProgress }: Invoking): () => void {
  if (caller === undefined || onProgress === undefined) return () => undefined;
  let last: string | undefined;
  const tell = (run: Run | undefined) => {
    const told = JSON.stringify(run?.progress);
    if (run?.progress !== undefined && told !== last) onProgress(run.progress);
    last = told;
  };
  // News of the moment: what cannot be read now is not missed.
  return runs.subscribe((changed) => changed === id && void runs.find(id, caller).then(tell, () => undefined));
}

/** Longer than any run may take, with its attempts: who waits without a limit is ended by the client's own. */
const FOR_EVER_MS = 7 * 86_400_000;

/** For a person who decides no one waits so long: the caller is then told where to look (J8). */
const usualWaitMs = ({ needsApproval }: RegisteredSkill): number => (needsApproval ? CALL_WAIT_MS : FOR_EVER_MS);

const NO_KEYS = 'idempotency_key: nothing is recorded here (--no-log), so no key can be kept; call it without one';

const keyRefused = ({ correlationId }: Invoking): SkillAnswer => ({
  invocationId: randomUUID(),
  correlationId: correlationIdOf(correlationId).id,
  success: false,
  failure: failureOf('VALIDATION_ERROR', { details: NO_KEYS }),
  durationMs: 0,
  timestamp: new Date(),
});

/** One that resumes is a run only where its caller does not wait. What a key stands for must be kept, so it is a run, too. */
function becomesRun({ durable, needsApproval }: RegisteredSkill, { idempotencyKey, waitMs }: Invoking): boolean {
  if (idempotencyKey !== undefined || needsApproval) return true;
  return durable !== undefined && (!durable.resumes || waitMs !== undefined);
}

const answered = (answer: SkillAnswer, isConflict = false): Invoked => ({ kind: 'answered', answer, isConflict });

export const answerOf = ({ invocation }: Run, result: NonNullable<Run['result']>): SkillAnswer => ({
  ...result,
  correlationId: invocation.correlationId,
});
