// What a caller may see of one run and do with it: cancel it, decide on it (J2, J8). Pages offer that, and the runs keep to it.
import {
  type Caller,
  isMadeBy,
  isOwnerOf,
  makersOf,
  mayDecideRuns,
  mayReadLog,
  personKey,
} from '../../identity/caller.ts';
import { actorOf } from '../../identity/trail.ts';
import { withoutOutput } from '../record/withheld.ts';
import type { Run } from './runs.ts';

/** Themselves, or through the client that they call through now. */
export const hasStarted = (caller: Caller, { owner }: Pick<Run, 'owner'>): boolean => isOwnerOf(owner, caller);

/** The operator may do with every run what its owner may. */
export const isOwnRun = (run: Pick<Run, 'owner'>, caller: Caller): boolean =>
  caller.kind === 'operator' || hasStarted(caller, run);

/** Those who did not start it, through any client or with a token that they issued for another, and the operator. */
export const isJudge = (run: Pick<Run, 'owner'>, caller: Caller): boolean =>
  mayDecideRuns(caller) && (caller.kind === 'operator' || !isMadeBy(makersOf(run.owner), personKey(caller)));

/** As it stands: one that has ended is neither cancelled nor decided on. */
export const runRights = (run: Run, caller: Caller) => ({
  mayCancel: run.result === undefined && !run.isCancelled && isOwnRun(run, caller),
  mayDecide: run.result === undefined && run.approval?.state === 'waiting' && isJudge(run, caller),
});

/** Who decided on it knows what it was called with, and may see what came of the decision. */
export function isDecider({ approval }: Pick<Run, 'approval'>, caller: Caller): boolean {
  if (approval?.decidedBy === undefined || !mayDecideRuns(caller)) return false;
  const { via: _via, ...self } = caller;
  // A person is the same through any client; an email has no blank. What comes through one as an agent is none of ours.
  const actor = actorOf(caller.kind === 'user' ? self : caller);
  return approval.decidedBy === actor || (caller.kind === 'user' && approval.decidedBy.startsWith(`${actor} via `));
}

/** `undefined`: it does not exist for this caller (J2). */
export function runSeenBy(run: Run | undefined, caller: Caller): Run | undefined {
  if (run === undefined || isOwnRun(run, caller) || mayReadLog(caller)) return run;
  return isDecider(run, caller) ? withoutAnswer(run) : undefined;
}

/** The answer is for its caller; a rejection is what the one who sees it said. */
function withoutAnswer(run: Run): Run {
  const result = run.approval?.state === 'rejected' ? run.result : run.result && withoutOutput(run.result);
  const progress = run.progress && { done: run.progress.done, total: run.progress.total, message: undefined };
  return { ...run, result, progress };
}
