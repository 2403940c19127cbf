// `/api/overview`: what a dashboard shows first, in one answer (H2, X8, D9).
import { type Caller, mayInvoke } from '../../../identity/caller.ts';
import { documentNames } from '../../../operations/limited-logs.ts';
import { NO_LOG } from '../../../operations/log.ts';
import type { TypeOf } from '../../../operations/shape.ts';
import { perView } from '../../../repertoire/per-view.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import type { Activity, Overview, OverviewLog, SkillOutcomes } from '../../../skills/record/overview-log.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { durationMs } from '../../../values/duration-ms.ts';
import type * as contract from '../contract/dashboard.ts';
import { json, type Reply, refuse } from '../message/reply.ts';
import { answerStore, type Handlers } from './handler.ts';
import { refusalReply } from './operations.ts';
import { createOverviewLooks } from './overview-looks.ts';
import type { Readiness } from './service.ts';

export interface OverviewParts {
  /** `undefined` with `--no-log`. */
  readonly overview: OverviewLog | undefined;
  readonly repertoire: Repertoire;
  readonly runtime: Pick<Runtime, 'skills' | 'problems'>;
  readonly readiness: () => Promise<Readiness>;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

export function overviewHandlers(parts: OverviewParts): Pick<Handlers, 'getOverview'> {
  const { overview: log, monotonicMs } = parts;
  if (log === undefined) return { getOverview: () => refusalReply(NO_LOG.failure) };
  // SQLite is read on this thread.
  const pace = { isPaced: log.kind === 'sqlite', monotonicMs };
  const looks = createOverviewLooks<Look>(pace);
  let views = 0;
  // What was seen for one view is for that one alone (N4).
  const shownTo = perView(parts.repertoire, (view) => ({ repertoire: view, key: ++views }));
  const answer = async (window: string, caller: Caller): Promise<Reply> => {
    const { repertoire, key } = shownTo(caller);
    const documents = repertoire === parts.repertoire ? undefined : [...documentNames(repertoire)];
    const look = await looks.at(`${key} ${window}`, () => lookOnce(parts, log, window, documents));
    if (look === 'too-many') return refuse('RATE_EXCEEDED', { retry_after: looks.retryAfterSeconds() });
    // As many as the list of them shows this caller (X10).
    const typed = parts.runtime.skills.filter(({ access }) => mayInvoke(caller, access)).length;
    return json(overviewJson(window, look, log.kind, { ...parts, repertoire, typed }));
  };
  return { getOverview: ({ admitted, query: { window } }) => answerStore(answer(window, admitted.caller)) };
}

interface Look {
  readonly overview: Overview;
  readonly store: Readiness;
}

async function lookOnce(
  { readiness, now }: OverviewParts,
  log: OverviewLog,
  window: string,
  documents: readonly string[] | undefined,
): Promise<Look> {
  const until = now();
  const since = new Date(until.getTime() - durationMs(window));
  // Side by side: with the database down both waits together stay below two seconds (H6).
  const [overview, store] = await Promise.all([
    log.read({ since, until, ...(documents && { documents }) }),
    readiness(),
  ]);
  return { overview, store };
}

type OverviewJson = TypeOf<typeof contract.overview>;

function overviewJson(
  window: string,
  { overview, store }: Look,
  kind: OverviewLog['kind'],
  { repertoire, runtime, typed }: OverviewParts & { readonly typed: number },
): OverviewJson {
  const { snapshot } = repertoire;
  const { successCount, failureCount } = overview.totals;
  const ended = successCount + failureCount;
  return {
    window,
    step_seconds: overview.stepSeconds,
    series: overview.series.map(({ start, ...activity }) => ({
      start: start.toISOString(),
      ...activityJson(activity),
    })),
    totals: { ...activityJson(overview.totals), success_rate: ended === 0 ? null : successCount / ended },
    busiest: overview.busiest.map(skillJson),
    most_failing: overview.mostFailing.map(skillJson),
    most_loaded: overview.mostLoaded.map(({ skillName, loadCount }) => ({
      skill_name: skillName,
      load_count: loadCount,
    })),
    store: { state: store.status, kind, reasons: [...store.reasons] },
    replicas: overview.replicas.map(({ id, lastSeen, isThis }) => ({
      id,
      last_seen: lastSeen.toISOString(),
      is_this: isThis,
    })),
    problems: snapshot.problems.length + runtime.problems.length,
    skills: { documents: snapshot.skills.length, typed },
  };
}

const activityJson = ({ successCount, failureCount, failures, loads, durationMs: durations }: Activity) => ({
  count: successCount + failureCount,
  success_count: successCount,
  failure_count: failureCount,
  failures,
  loads,
  p50: durations?.p50 ?? null,
  p95: durations?.p95 ?? null,
  p99: durations?.p99 ?? null,
});

const skillJson = ({ skillName, successCount, failureCount }: SkillOutcomes) => ({
  skill_name: skillName,
  count: successCount + failureCount,
  success_count: successCount,
  failure_count: failureCount,
});
