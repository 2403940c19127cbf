// `/api/overview`: what a dashboard shows first, in one answer (H2, X8, D9).
import type { z } from 'zod';
import { shareBriefly } from '../../../async/share-briefly.ts';
import { sleep } from '../../../async/sleep.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import type { Activity, Overview, OverviewLog, SkillOutcomes } from '../../../skills/record/overview-log.ts';
import type { Runtime } from '../../../skills/run/runtime.ts';
import { durationMs } from '../../../values/duration-ms.ts';
import type * as contract from '../contract/dashboard.ts';
import { json, refuse } from '../message/reply.ts';
import type { Handlers } from './handler.ts';
import { withLog } from './handler.ts';
import type { Readiness } from './readiness.ts';

export interface OverviewParts {
  /** `undefined` with `--no-log`. */
  readonly overview: OverviewLog | undefined;
  readonly repertoire: Pick<Repertoire, 'snapshot'>;
  readonly runtime: Pick<Runtime, 'skills' | 'problems'>;
  readonly readiness: () => Promise<Readiness>;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

/** Many pages that look at the same window cost as much as one. */
const KEEP_MS = 1_000;
/** SQLite is asked on this thread: however slow the questions are, all together they take a twentieth of the time at most. */
const REST = 20;
/** Windows that are kept. */
const MOST_WINDOWS = 20;
/** Windows that wait for their turn; whoever asks for ever others does not keep everybody waiting. */
const MOST_WAITING = 5;

type Shared = () => Promise<Look | 'too-many'>;

export function overviewHandlers(parts: OverviewParts): Pick<Handlers, 'getOverview'> {
  const { monotonicMs } = parts;
  const kept = new Map<string, Shared>();
  const { inTurn, restMs } = createTurns(monotonicMs);
  // While nobody may look, what was seen last is good enough.
  const keepMs = () => Math.max(KEEP_MS, restMs());
  const sharedLook = (log: OverviewLog, window: string): Shared => {
    const look = () => lookOnce(parts, log, window);
    return shareBriefly<Look | 'too-many'>(log.kind === 'sqlite' ? () => inTurn(look) : look, { monotonicMs, keepMs });
  };
  const lookAt = (log: OverviewLog, window: string): Shared => {
    const shared = kept.get(window) ?? sharedLook(log, window);
    // Behind all others: first in the map is what was asked for longest ago.
    kept.delete(window);
    kept.set(window, shared);
    const [oldest] = kept.keys();
    if (kept.size > MOST_WINDOWS && oldest !== undefined) kept.delete(oldest);
    return shared;
  };
  return {
    getOverview: withLog(parts.overview, async (log, { query: { window } }) => {
      const look = await lookAt(log, window)();
      if (look === 'too-many') return refuse('RATE_EXCEEDED', { retry_after: Math.ceil(keepMs() / 1_000) });
      return json(overviewJson(window, look, log.kind, parts));
    }),
  };
}

/** One after the other, each after the rest that the one before has earned. A failure earns none. */
function createTurns(monotonicMs: () => number) {
  let last: Promise<unknown> = Promise.resolve();
  let restUntil = 0;
  let waiting = 0;
  const restMs = () => Math.max(0, restUntil - monotonicMs());
  const take = async <T>(look: () => Promise<T>): Promise<T> => {
    if (restMs() > 0) await sleep(restMs());
    waiting -= 1;
    const began = monotonicMs();
    const seen = await look();
    const ended = monotonicMs();
    restUntil = ended + (ended - began) * REST;
    return seen;
  };
  const inTurn = async <T>(look: () => Promise<T>): Promise<T | 'too-many'> => {
    if (waiting >= MOST_WAITING) return 'too-many';
    waiting += 1;
    const turn = last.then(() => take(look));
    last = turn.catch(() => undefined);
    return turn;
  };
  return { inTurn, restMs };
}

interface Look {
  readonly overview: Overview;
  readonly store: Readiness;
}

async function lookOnce({ readiness, now }: OverviewParts, log: OverviewLog, window: string): Promise<Look> {
  const until = now();
  const since = new Date(until.getTime() - durationMs(window));
  // Side by side: with the database down both waits together stay below two seconds (H6).
  const [overview, store] = await Promise.all([log.read({ since, until }), readiness()]);
  return { overview, store };
}

type OverviewJson = z.output<typeof contract.overview>;

function overviewJson(
  window: string,
  { overview, store }: Look,
  kind: OverviewLog['kind'],
  { repertoire, runtime }: OverviewParts,
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
    skills: { documents: snapshot.skills.length, typed: runtime.skills.length },
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
