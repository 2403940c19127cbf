// A person's decision on a run that waits for one, entered into the trail with it (J8).
import { mayDecideRuns } from '../../identity/caller.ts';
import { actorOf } from '../../identity/trail.ts';
import { scrubShapes } from '../../text/credentials.ts';
import { isJudge } from './run-rights.ts';
import type { RunStore } from './run-store.ts';
import type { Decided, Decision } from './runs.ts';

/** Whether they may is looked at before anything is told: who may not learns nothing of the run. */
export async function decideRun(
  store: Pick<RunStore, 'find' | 'decide'>,
  id: string,
  { verdict, by, message: said }: Decision,
  at: Date,
): Promise<Decided> {
  if (!mayDecideRuns(by)) return { ok: false, reason: 'forbidden' };
  const run = await store.find(id);
  if (run?.approval === undefined) return { ok: false, reason: 'unknown' };
  if (!isJudge(run, by)) return { ok: false, reason: 'own' };
  const actor = actorOf(by);
  const message = said && scrubShapes(said);
  const note = {
    actor,
    action: verdict === 'approve' ? 'run.approve' : 'run.reject',
    subject: run.invocation.id,
    details: { skill: run.invocation.skillName, ...(message !== undefined && { message }) },
  } as const;
  if (!(await store.decide(id, { verdict, by: actor, message, at }, note))) return { ok: false, reason: 'not-waiting' };
  const decided = await store.find(id);
  return decided === undefined ? { ok: false, reason: 'unknown' } : { ok: true, run: decided };
}
