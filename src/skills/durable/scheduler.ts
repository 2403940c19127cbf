// Makes the runs of schedules (J7): each time is claimed by a transition of a row, in the transaction that adds its run, so that
// however many processes look, one of them makes it.
import type { Caller } from '../../identity/caller.ts';
import { messageOf } from '../../values/error-text.ts';
import { StoreUnavailable } from '../record/invocation-log.ts';
import type { RuntimeLog } from '../record/runtime-log.ts';
import type { KnownTick, RunStore } from './run-store.ts';
import type { ReadSchedules, ScheduleState, UsableSchedule } from './schedule.ts';

export interface SchedulerParts {
  readonly schedules: ReadSchedules;
  readonly store: Pick<RunStore, 'knowSchedules' | 'ticks'>;
  /** Adds the run of this time, or nothing if another process has. False: another process was first. */
  readonly add: (schedule: UsableSchedule, tick: ScheduleTick, caller: Caller) => Promise<boolean>;
  /** To be woken after so long, here or elsewhere. */
  readonly wakeIn: (delayMs: number) => void;
  readonly log: RuntimeLog;
  readonly now: () => Date;
}

/** From one state of a schedule's row to the next. */
export interface ScheduleTick {
  readonly name: string;
  readonly from: Date;
  readonly to: Date;
}

export interface Scheduler {
  start(): Promise<void>;
  /** Makes what is due. */
  look(): Promise<void>;
  states(): Promise<readonly ScheduleState[]>;
  close(): void;
}

/** Much shorter than the 30 s in which each time has to run. */
const LOOK_MS = 5_000;
/** The operator, under a name of its own in the log: a schedule is the operator's, and may invoke what they may. */
const callerFor = (name: string): Caller => ({ kind: 'operator', name: `schedule:${name}`, roles: [], scopes: [] });

export function createScheduler(parts: SchedulerParts): Scheduler {
  const { store, wakeIn, log, now } = parts;
  const { usable, bad } = parts.schedules;
  const nextTimes = new Map<string, Date>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  const expect = (schedule: UsableSchedule, last: Date) => {
    const next = schedule.nextAfter(last);
    if (next === undefined) return void nextTimes.delete(schedule.name);
    nextTimes.set(schedule.name, next);
    wakeIn(Math.max(0, next.getTime() - now().getTime()));
  };
  const makeDue = async (schedule: UsableSchedule, last: Date): Promise<void> => {
    const next = schedule.nextAfter(last);
    const at = now();
    if (next === undefined || next > at) return expect(schedule, last);
    const tick = { name: schedule.name, from: last, to: at };
    // It does not matter which process was first: the row has moved on.
    await parts.add(schedule, tick, callerFor(schedule.name));
    expect(schedule, at);
  };
  /** A schedule that fails costs itself alone. */
  const complain = (name: string) => (error: unknown) => {
    if (error instanceof StoreUnavailable) throw error;
    log({ level: 'error', message: `Cannot run the schedule ${JSON.stringify(name)}`, error: messageOf(error) });
  };
  const isDue = ({ name }: UsableSchedule) => (nextTimes.get(name)?.getTime() ?? 0) <= now().getTime();
  let lookedAt = 0;
  const lookOnce = async () => {
    const at = now().getTime();
    // The clock was set back: what was expected by it is asked for anew (F12).
    if (at < lookedAt) nextTimes.clear();
    lookedAt = at;
    const due = usable.filter(isDue);
    if (due.length === 0) return;
    const ticks = await store.knowSchedules(due, now());
    for (const schedule of due) {
      const last = ticks.get(schedule.name)?.at;
      if (last !== undefined) await makeDue(schedule, last).catch(complain(schedule.name));
    }
  };
  const look = () => {
    looking ??= lookOnce()
      .catch((error: unknown) => {
        // Away: the next look finds what was missed.
        if (!(error instanceof StoreUnavailable))
          log({ level: 'error', message: 'Cannot run schedules', error: messageOf(error) });
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  return {
    start: async () => {
      for (const { problem } of bad) log({ level: 'warn', message: problem });
      if (usable.length === 0) return;
      timer = setInterval(() => void look(), LOOK_MS).unref();
      await look();
    },
    look,
    states: async () => {
      const ticks = await store.ticks();
      return [...usable.map((each) => stateOf(each, ticks.get(each.name), now())), ...bad.map(badState)];
    },
    close: () => clearInterval(timer),
  };
}

function stateOf(
  { name, skill, cron, timezone, nextAfter }: UsableSchedule,
  tick: KnownTick | undefined,
  at: Date,
): ScheduleState {
  const hasRun = tick?.invocationId !== undefined;
  return {
    name,
    skill,
    cron,
    timezone,
    nextAt: nextAfter(at),
    lastAt: hasRun ? tick?.at : undefined,
    lastInvocationId: tick?.invocationId,
    lastStatus: tick?.status,
    lastFailureCode: tick?.failureCode,
    problem: undefined,
  };
}

const badState = ({ name, given, problem }: ReadSchedules['bad'][number]): ScheduleState => ({
  name,
  skill: String(given.skill ?? ''),
  cron: String(given.cron ?? ''),
  timezone: String(given.timezone ?? 'UTC'),
  nextAt: undefined,
  lastAt: undefined,
  lastInvocationId: undefined,
  lastStatus: undefined,
  lastFailureCode: undefined,
  problem,
});
