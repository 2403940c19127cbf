// Runs over a runtime and a store (J): what surfaces ask for, composed of starting, storing, carrying out and waiting.
import type { Bus } from '../../async/bus.ts';
import { type Caller, mayDecideRuns, mayReadLog, ownerKey, personKey } from '../../identity/caller.ts';
import { messageOf } from '../../values/error-text.ts';
import type { ResumeSpan } from '../../values/trace.ts';
import { StoreUnavailable } from '../record/invocation-log.ts';
import type { RuntimeLog } from '../record/runtime-log.ts';
import { type Runtime, runHooksOf } from '../run/runtime.ts';
import { decideRun } from './run-decisions.ts';
import { createRunQuestions, type RunQuestions } from './run-questions.ts';
import type { RunQueue } from './run-queue.ts';
import { isOwnRun, runSeenBy } from './run-rights.ts';
import { createRunStarts, type RunStarts } from './run-starts.ts';
import type { RunStore } from './run-store.ts';
import { createRunWaits, type RunWaits } from './run-waits.ts';
import { createRunWorker, type RunWorker } from './run-worker.ts';
import type { RunQuery, Runs } from './runs.ts';
import { parseSchedules } from './schedule.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { createSealedJson } from './sealed-json.ts';

export interface RunsParts {
  readonly runtime: Runtime;
  readonly store: RunStore;
  readonly queue: RunQueue;
  readonly bus: Bus;
  /** Shared by all processes of the store: seals inputs, and hashes keys. */
  readonly secret: () => Promise<string>;
  /** `all`: whatever is due. `own`: what was started here. `none`: others carry them out. */
  readonly takes?: 'all' | 'own' | 'none';
  /** Of the configuration, right or wrong. */
  readonly schedules?: readonly unknown[];
  /** What is a child of a call in another process; absent, or without an answer: no traces are sent (N5). */
  readonly resumeSpan?: () => ResumeSpan | undefined;
  readonly log: RuntimeLog;
  readonly now: () => Date;
  readonly random: () => number;
}

export interface OpenRuns extends Runs {
  /** Begins to take what is due. */
  open(): Promise<void>;
  /** How many are carried out here. */
  readonly running: number;
  /** Those that wait for the end of a run are told how it stands now. */
  release(): void;
  close(graceMs: number): Promise<void>;
}

/** What the processes of a store tell each other of runs. */
const TOPIC = 'runs';

const TIDY_EVERY_MS = 60_000;
/** Of those that are due, by a process that takes only its own. */
const MOST_LOOKED_AT = 1_000;

export function createRuns(parts: RunsParts): OpenRuns {
  const { queue, bus, takes = 'all' } = parts;
  const engine = createEngine(parts);
  const { worker, waits, scheduler } = engine;
  const stopListening = bus.subscribe(TOPIC, ({ id, isCancelled }, isOwn) => {
    if (isOwn || typeof id !== 'string') return;
    waits.tell(id);
    if (isCancelled === true) engine.abort(id);
    worker.wake();
  });
  let upkeep: NodeJS.Timeout | undefined;
  return {
    ...runsOver(engine, parts),
    get running() {
      return worker.running;
    },
    release: waits.close,
    open: async () => {
      await queue.start(() => {
        worker.wake();
        void scheduler.look();
      });
      worker.wake();
      if (takes !== 'all') return;
      upkeep = setInterval(() => void tidy(engine, parts), TIDY_EVERY_MS).unref();
      await scheduler.start();
    },
    close: async (graceMs) => {
      clearInterval(upkeep);
      scheduler.close();
      stopListening();
      await queue.close();
      await worker.close(graceMs);
      waits.close();
    },
  };
}

interface Engine {
  readonly starts: RunStarts;
  readonly worker: RunWorker;
  readonly waits: RunWaits;
  readonly questions: RunQuestions;
  readonly scheduler: Scheduler;
  /** Ends what is under way here: a run, or an ordinary call. */
  readonly abort: (id: string) => void;
  /** Tells those that wait for news of the run, here and elsewhere. */
  readonly changed: (id: string, more?: { readonly isCancelled?: true }) => void;
}

function createEngine(parts: RunsParts): Engine {
  const { runtime, store, queue, bus, log, now, random, takes = 'all', resumeSpan = () => undefined } = parts;
  const hooks = runHooksOf(runtime);
  const sealed = createSealedJson(parts.secret);
  const waits = createRunWaits(store);
  const changed: Engine['changed'] = (id, more = {}) => {
    waits.tell(id);
    bus.publish(TOPIC, { id, ...more });
  };
  const questions = createRunQuestions({ store, sealed, changed, subscribe: waits.subscribe });
  const own = new Set<string>();
  const worker = createRunWorker({
    store,
    questions,
    due: takes === 'all' ? store.due : dueOf(own, store),
    sealed,
    find: runtime.find,
    // Also of those that are not durable: a call with a key is a run.
    names: () => runtime.skills.map(({ name }) => name),
    carryOut: hooks.carryOut,
    places: hooks.places,
    resumeSpan,
    onChanged: changed,
    onEnded: (id) => void own.delete(id),
    wakeIn: queue.wakeIn,
    log,
    random,
  });
  const wake = (id: string) => {
    if (takes === 'own') own.add(id);
    changed(id);
    worker.wake();
    queue.wakeIn(0, id);
  };
  const { find } = runtime;
  const { admit, admitUncounted } = hooks;
  const starts = createRunStarts({ store, find, admit, admitUncounted, sealed, secret: parts.secret, wake, now });
  const schedules = parseSchedules(parts.schedules ?? [], find);
  const scheduler = createScheduler({ schedules, store, add: starts.addScheduled, wakeIn: queue.wakeIn, log, now });
  const abort = (id: string) => {
    worker.abort(id);
    hooks.cancel(id);
  };
  return { starts, worker, waits, questions, scheduler, abort, changed };
}

/** Of what is due, that which was started here. */
const dueOf =
  (own: ReadonlySet<string>, store: RunStore): RunStore['due'] =>
  async (skills, limit) => {
    if (own.size === 0) return [];
    return (await store.due(skills, MOST_LOOKED_AT)).filter(({ id }) => own.has(id)).slice(0, limit);
  };

/** What surfaces ask for. */
function runsOver(engine: Engine, parts: RunsParts): Runs {
  const { starts, worker, waits, questions, scheduler, abort, changed } = engine;
  const { store, queue, now } = parts;
  const findVisible = async (id: string, caller: Caller) => runSeenBy(await store.find(id), caller);
  const findOwn = async (id: string, caller: Caller) => {
    const run = await findVisible(id, caller);
    return run !== undefined && isOwnRun(run, caller) ? run : undefined;
  };
  return {
    start: starts.start,
    find: findVisible,
    wait: async (id, caller, patience) =>
      (await findVisible(id, caller)) && runSeenBy(await waits.untilEnded(id, patience), caller),
    cancel: async (id, caller) => {
      if ((await findOwn(id, caller)) === undefined) return undefined;
      if ((await store.cancel(id, now())) !== undefined) {
        abort(id);
        changed(id, { isCancelled: true });
      }
      return store.find(id);
    },
    cancelCall: async (id) => {
      abort(id);
      changed(id, { isCancelled: true });
    },
    decide: async (id, decision) => {
      const decided = await decideRun(store, id, decision, now());
      if (decided.ok) {
        changed(id);
        worker.wake();
        queue.wakeIn(0, id);
      }
      return decided;
    },
    list: (query, caller) => store.list({ ...query, ownerKey: seesAll(query, caller) ? undefined : ownerKey(caller) }),
    countToDecide: async (caller) =>
      mayDecideRuns(caller) ? store.countWaiting(caller.kind === 'operator' ? undefined : personKey(caller)) : 0,
    schedules: scheduler.states,
    questions: async (id, caller) => {
      const run = await findOwn(id, caller);
      return run === undefined || run.result !== undefined ? new Map() : questions.open(id);
    },
    reply: async (id, caller, replies) => {
      const run = await findOwn(id, caller);
      if (run !== undefined && run.result === undefined) await questions.reply(id, replies);
    },
    subscribe: waits.subscribe,
  };
}

/** Ends what was not decided on in time, and forgets old keys. */
async function tidy({ changed }: Engine, { store, log, now }: RunsParts): Promise<void> {
  try {
    for (const id of await store.expire(now())) changed(id);
    await store.forgetKeys();
  } catch (error) {
    // The next time does it.
    if (!(error instanceof StoreUnavailable))
      log({ level: 'error', message: 'Cannot tidy runs', error: messageOf(error) });
  }
}

/** Those who decide see what waits for them. */
const seesAll = ({ state }: RunQuery, caller: Caller): boolean =>
  mayReadLog(caller) || (state === 'waiting' && mayDecideRuns(caller));
