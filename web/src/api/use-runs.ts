// Runs as state of a component: a list with further pages, one run, and how many wait for the viewer.
import { useEffect, useState } from 'preact/hooks';
import type { InvocationWithResult, Me, Run, RunCount, RunList } from '../model/shapes.ts';
import { type Answer, type Asking, ask, type Trouble, withQuery } from './ask.ts';
import { isOfRuns, useFresh } from './use-fresh.ts';
import { type Loaded, useLoaded } from './use-loaded.ts';

export interface RunFilter {
  readonly state: string;
  readonly skill: string;
}

const PAGE = 50;
/** What the API gives at once. */
const MOST = 1_000;

export interface RunsView extends Loaded<RunList> {
  /** There are older ones. */
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

/** Always from the newest on: what changes is anywhere in the list. `isOn`: false asks for nothing. */
export function useRuns(me: Me, { state, skill }: RunFilter, isOn = true): RunsView {
  const [limit, setLimit] = useState(PAGE);
  useEffect(() => setLimit(PAGE), [state, skill]);
  const path = withQuery('/api/runs', { state, skill, limit });
  const loaded = useLoaded<RunList>(isOn ? path : undefined, { keep: true });
  useFresh(me, loaded.reload, isOfRuns);
  const hasMore = limit < MOST && typeof loaded.value?.next_cursor === 'string';
  return { ...loaded, hasMore, loadMore: () => setLimit((before) => Math.min(MOST, before + PAGE)) };
}

/** 0 for those who decide on none, without asking. */
export function useRunsToDecide(me: Me): number {
  const { value, reload } = useLoaded<RunCount>(me.may_decide_runs ? '/api/runs/waiting' : undefined);
  useFresh(me, () => me.may_decide_runs && reload(), isOfRuns);
  useEffect(() => {
    addEventListener(DECIDED, reload);
    return () => removeEventListener(DECIDED, reload);
  }, [reload]);
  return me.may_decide_runs ? (value?.count ?? 0) : 0;
}

const DECIDED = 'repertoire:decided';

/** One invocation, and all of it that is a run. Those who decide without reading the log find it first among those that wait. */
export const loadRun =
  (me: Me) =>
  async (path: string, asking: Asking): Promise<Answer<InvocationWithResult>> => {
    if (!me.may_decide_runs || me.may_read_log) return ask<InvocationWithResult>(path, asking);
    const id = path.slice(path.lastIndexOf('/') + 1);
    const waiting = await ask<RunList>(`/api/runs?state=waiting&limit=1&id=${id}`, asking);
    const [run] = waiting.ok ? waiting.value.runs : [];
    return run === undefined ? ask<InvocationWithResult>(path, asking) : { ok: true, value: asFound(run) };
  };

function asFound({ result, attempts, progress, approval, cancelled, updated_at, ...rest }: Run): InvocationWithResult {
  const { may_cancel, may_decide, ...invocation } = rest;
  return { invocation, result, attempts, progress, approval, cancelled, updated_at, may_cancel, may_decide };
}

export type Verdict = 'approve' | 'reject' | 'cancel';

/** What is done to a run, and what came of it. */
export function useRunActions(id: string, onDone: (run: InvocationWithResult) => void) {
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const act = async (verdict: Verdict, message: string) => {
    setBusy(true);
    const path = `/api/invocations/${encodeURIComponent(id)}`;
    const body = message.trim() === '' ? {} : { message: message.trim() };
    const answer = await (verdict === 'cancel'
      ? ask<InvocationWithResult>(path, { method: 'DELETE' })
      : ask<InvocationWithResult>(`${path}/${verdict}`, { method: 'POST', body }));
    setBusy(false);
    setTrouble(answer.ok ? undefined : answer.trouble);
    dispatchEvent(new Event(DECIDED));
    if (answer.ok) onDone(answer.value);
  };
  return { trouble, isBusy, act: (verdict: Verdict, message = '') => void act(verdict, message) };
}
