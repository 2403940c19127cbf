// Runs of a program (J): opened when there is something to carry out or to ask, and not before. Nothing of it is loaded until then.
import { keptPromise } from '../async/kept-promise.ts';
import { randomText } from '../identity/token.ts';
import type { Settings } from '../settings/config.ts';
import type { OpenRuns, RunsParts } from '../skills/durable/create-runs.ts';
import type { RunQueue } from '../skills/durable/run-queue.ts';
import type { Runs } from '../skills/durable/runs.ts';
import type { Schedule } from '../skills/durable/schedule.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import type { Runtime } from '../skills/run/runtime.ts';
import { messageOf } from '../values/error-text.ts';
import type { ResumeSpan } from '../values/trace.ts';
import type { Store } from './store.ts';

export interface ProgramRuns extends Runs {
  /** From now on runs are part of the traces of the calls that asked for them (N5). */
  traceWith(resume: ResumeSpan): void;
  /** Those that wait for the end of a run are told how it stands: the process stops, and their runs go on elsewhere. */
  release(): void;
  /** Gives what runs here so long to end; what may run again is given back. */
  close(graceMs: number): Promise<void>;
}

export interface ProgramRunsParts {
  readonly runtime: Runtime;
  readonly store: Pick<Store, 'kind' | 'runs' | 'bus' | 'secrets' | 'wakeups'>;
  readonly signingSecret: Settings['http']['signingSecret'];
  /** `all`: whatever is due, as long as the process runs. `own`: what it starts itself. `none`: it leaves them to others. */
  readonly takes: NonNullable<RunsParts['takes']>;
  readonly schedules?: readonly Schedule[];
  readonly log: RuntimeLog;
}

/** What a process that died has left is taken up by the next start (J5): soon, and behind the first request. */
const BEGIN_MS = 100;
/** After the first answers, where nothing durable is defined. */
const FIRST_LOOK_MS = 500;
/** Where nothing durable is defined: whether a process that died has left something. */
const LOOK_AGAIN_MS = 60_000;

export function createProgramRuns(parts: ProgramRunsParts): ProgramRuns {
  const listeners = new Set<(id: string) => void>();
  let resumeSpan: ResumeSpan | undefined;
  const made = keptPromise(async () => {
    const runs = await makeRuns(parts, () => resumeSpan);
    runs.subscribe((id) => {
      for (const listener of [...listeners]) listener(id);
    });
    return runs;
  });
  const opened = keptPromise(async () => {
    const runs = await made.get();
    if (parts.takes !== 'none') await runs.open();
    return runs;
  });
  const stopBeginning = parts.takes === 'all' ? beginSoon(parts, opened.get) : () => undefined;
  return {
    start: async (request) => (await opened.get()).start(request),
    find: async (id, caller) => (await made.get()).find(id, caller),
    wait: async (id, caller, patience) => (await made.get()).wait(id, caller, patience),
    cancel: async (id, caller) => (await made.get()).cancel(id, caller),
    cancelCall: async (id) => (await made.get()).cancelCall(id),
    decide: async (id, decision) => (await made.get()).decide(id, decision),
    list: async (query, caller) => (await made.get()).list(query, caller),
    countToDecide: async (caller) => (await made.get()).countToDecide(caller),
    schedules: async () => (await made.get()).schedules(),
    questions: async (id, caller) => (await made.get()).questions(id, caller),
    reply: async (id, caller, replies) => (await made.get()).reply(id, caller, replies),
    subscribe: (listener) => {
      const own = (id: string) => listener(id);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    traceWith: (resume) => {
      resumeSpan = resume;
    },
    release: () => void made.find()?.then((runs) => runs.release()),
    close: async (graceMs) => {
      stopBeginning();
      await opened.find()?.catch(() => undefined);
      await (await made.find())?.close(graceMs);
    },
  };
}

/** At once where something durable is defined; else as soon as there turns out to be something unfinished. */
function beginSoon(parts: ProgramRunsParts, open: () => Promise<OpenRuns>): () => void {
  const { runtime, store, schedules = [], log } = parts;
  const isDurable = schedules.length > 0 || runtime.skills.some(({ durable }) => durable !== undefined);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const begin = async (): Promise<void> => {
    const page = isDurable
      ? undefined
      : await store.runs.list({ state: 'unfinished', limit: 1, ownerKey: undefined, cursor: undefined });
    // It may have been stopped while it looked.
    if (isStopped) return;
    if (page === undefined || page.runs.length > 0) await open();
    else again(LOOK_AGAIN_MS);
  };
  const again = (ms: number) => {
    if (isStopped) return;
    timer = setTimeout(
      () =>
        void begin().catch((error: unknown) => {
          if (!(error instanceof StoreUnavailable))
            log({ level: 'error', message: 'Cannot open runs', error: messageOf(error) });
          again(LOOK_AGAIN_MS);
        }),
      ms,
    ).unref();
  };
  again(isDurable ? BEGIN_MS : FIRST_LOOK_MS);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

async function makeRuns(parts: ProgramRunsParts, resumeSpan: () => ResumeSpan | undefined): Promise<OpenRuns> {
  const { runtime, store, signingSecret, takes, schedules = [], log } = parts;
  const { createRuns } = await import('../skills/durable/create-runs.ts');
  return createRuns({
    runtime,
    store: store.runs,
    queue: await createQueue(parts),
    bus: store.bus,
    secret: async () => signingSecret ?? (await store.secrets.getOrAdd('run-key', randomText)),
    takes,
    schedules,
    resumeSpan,
    log,
    now: () => new Date(),
    random: Math.random,
  });
}

/** What only wakes itself needs no queue of others (J9). */
async function createQueue({ store, takes, log }: ProgramRunsParts): Promise<RunQueue> {
  const { createLookingQueue } = await import('../skills/durable/run-queue.ts');
  if (store.wakeups === undefined || takes !== 'all') return createLookingQueue();
  return store.wakeups({ log, look: createLookingQueue() });
}

/** For commands that look at runs and decide on them, without typed skills and without carrying any out. */
export async function openRunsOf(
  store: ProgramRunsParts['store'],
  { http }: Pick<Settings, 'http'>,
): Promise<ProgramRuns> {
  const { createRuntime } = await import('../skills/run/runtime.ts');
  const runtime = createRuntime({ skills: [] });
  return createProgramRuns({
    runtime,
    store,
    signingSecret: http.signingSecret,
    takes: 'none',
    log: () => undefined,
  });
}
