// Runs as a reader sees them from whom some document skills are hidden (N4): those of others without what was sent in, said and answered,
// because any of it may quote a skill. What waits for the reader's decision, or had it, shows what was sent in: it is what they decide on.
import type { Caller } from '../identity/caller.ts';
import { hasStarted, isDecider } from '../skills/durable/run-rights.ts';
import type { Run, Runs } from '../skills/durable/runs.ts';
import { withoutPayloads } from './limited-logs.ts';

export function limitRuns(runs: Runs, reader: Caller): Runs {
  const shown = (run: Run): Run => (hasStarted(reader, run) ? run : withheld(run, reader));
  const shownOrNone = (run: Run | undefined) => run && shown(run);
  return {
    start: (request) => runs.start(request),
    find: async (id, caller) => shownOrNone(await runs.find(id, caller)),
    wait: async (id, caller, patience) => shownOrNone(await runs.wait(id, caller, patience)),
    cancel: async (id, caller) => shownOrNone(await runs.cancel(id, caller)),
    cancelCall: (id) => runs.cancelCall(id),
    decide: async (id, decision) => {
      const decided = await runs.decide(id, decision);
      return decided.ok ? { ok: true, run: shown(decided.run) } : decided;
    },
    list: async (query, caller) => {
      const page = await runs.list(query, caller);
      return { ...page, runs: page.runs.map(shown) };
    },
    countToDecide: (caller) => runs.countToDecide(caller),
    schedules: () => runs.schedules(),
    questions: (id, caller) => runs.questions(id, caller),
    reply: (id, caller, replies) => runs.reply(id, caller, replies),
    subscribe: (listener) => runs.subscribe(listener),
  };
}

function withheld(run: Run, reader: Caller): Run {
  const { invocation, result } = withoutPayloads(run);
  const isToDecide = run.approval?.state === 'waiting' && reader.scopes.includes('runs:approve');
  const isKnown = isToDecide || isDecider(run, reader);
  const progress = run.progress && { done: run.progress.done, total: run.progress.total, message: undefined };
  return { ...run, invocation: isKnown ? run.invocation : invocation, result, progress };
}
