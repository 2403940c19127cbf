// Carries out the runs of this process: takes what is due, keeps its lease, tries again what may be tried again (J5).
import { sleep } from '../../async/sleep.ts';
import { doneWithin } from '../../async/within.ts';
import { ownerKey } from '../../identity/caller.ts';
import { messageOf } from '../../values/error-text.ts';
import type { ResumeSpan } from '../../values/trace.ts';
import type { Progress } from '../define/define-skill.ts';
import type { RegisteredSkill } from '../define/registered-skill.ts';
import { StoreUnavailable } from '../record/invocation-log.ts';
import type { RuntimeLog } from '../record/runtime-log.ts';
import type { CarriedOut, CarryOut } from '../run/carry-out.ts';
import type { RunPlaces } from '../run/runtime.ts';
import type { RunQuestions } from './run-questions.ts';
import { finalOf, retryDelay } from './run-retry.ts';
import type { RunStore, TakenRun } from './run-store.ts';
import { findTrace } from './run-trace.ts';
import type { SealedJson } from './sealed-json.ts';
import { createStepMemory } from './step-memory.ts';

export interface RunWorkerParts {
  readonly store: RunStore;
  /** Which may be taken now, of these skills. */
  readonly due: RunStore['due'];
  readonly sealed: SealedJson;
  readonly questions: Pick<RunQuestions, 'ask'>;
  readonly find: (name: string) => RegisteredSkill | undefined;
  /** The skills whose runs this process can carry out. */
  readonly names: () => readonly string[];
  readonly carryOut: CarryOut;
  readonly places: RunPlaces;
  /** Absent where no traces are sent. */
  readonly resumeSpan: () => ResumeSpan | undefined;
  /** Something about this run changed: those that wait for it look again. */
  readonly onChanged: (id: string) => void;
  /** It is over. */
  readonly onEnded?: (id: string) => void;
  /** To be woken for it again, after so long. */
  readonly wakeIn: (delayMs: number) => void;
  readonly log: RuntimeLog;
  readonly random: () => number;
}

export interface RunWorker {
  /** There may be something to take. */
  wake(): void;
  /** Ends this run, if it is carried out here. */
  abort(id: string): void;
  readonly running: number;
  /** Takes nothing more; gives what runs so long to end, then gives back what may run again, and ends the rest. */
  close(graceMs: number): Promise<void>;
}

/** At a time in one process: each may wait for the network for hours. */
const MOST_AT_ONCE = 24;
/** Of one caller: who asks for many long ones leaves room for others. */
const MOST_OF_ONE = 16;
const RENEW_MS = 2_000;
/** While the store is away, until a step or a result is in it. */
const STORE_RETRY_MS = 1_000;
const PROGRESS_EVERY_MS = 500;

interface Running {
  readonly taken: TakenRun;
  readonly skill: RegisteredSkill;
  readonly controller: AbortController;
  ended: Promise<void>;
  /** Another process has it: nothing more is written of it. */
  isLost: boolean;
  /** The process stops: it is given back if it may run again. */
  isStopped: boolean;
}

export function createRunWorker(parts: RunWorkerParts): RunWorker {
  return new Worker(parts);
}

/** A store that is away is asked again, until it is back or it is given up: then the work fails. */
async function onceReachable<T>(work: () => Promise<T>, isGivenUp: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || isGivenUp()) throw error;
      await sleep(STORE_RETRY_MS);
    }
  }
}

class Worker implements RunWorker {
  readonly #parts: RunWorkerParts;
  readonly #running = new Map<string, Running>();
  #looking: Promise<void> | undefined;
  #isAskedAgain = false;
  #isClosed = false;
  #renewer: NodeJS.Timeout | undefined;

  constructor(parts: RunWorkerParts) {
    this.#parts = parts;
  }

  get running(): number {
    return this.#running.size;
  }

  wake(): void {
    if (this.#isClosed) return;
    this.#isAskedAgain = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  abort(id: string): void {
    this.#running.get(id)?.controller.abort();
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    const all = () => Promise.all([...this.#running.values()].map(({ ended }) => ended));
    await doneWithin(all(), graceMs);
    for (const running of this.#running.values()) {
      running.isStopped = true;
      running.controller.abort();
    }
    await all();
    clearInterval(this.#renewer);
  }

  /** Until there is nothing to take, or no room. A store that is away is looked at again when the next one wakes it. */
  async #look(): Promise<void> {
    while (this.#isAskedAgain && !this.#isClosed) {
      this.#isAskedAgain = false;
      try {
        await this.#takeDue();
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) this.#complain('look for runs', error);
      }
    }
  }

  /** Skills that may not run more often at a time wait, and callers that have enough; others do not wait for them. */
  async #takeDue(): Promise<void> {
    const { due, names } = this.#parts;
    const full = new Set<string>();
    let isAnotherLook = true;
    while (isAnotherLook) {
      isAnotherLook = false;
      const busy = this.#busyOwners();
      const free = names().filter((name) => !full.has(name));
      const room = MOST_AT_ONCE - this.#running.size;
      for (const { id, skillName, ownerKey } of room > 0 ? await due(free, room, busy) : []) {
        if (this.#isClosed || this.#running.size >= MOST_AT_ONCE) return;
        const isRefused = full.has(skillName) || (!busy.includes(ownerKey) && this.#busyOwners().includes(ownerKey));
        if (isRefused) isAnotherLook = true;
        if (isRefused || this.#running.has(id)) continue;
        if (await this.#takeOne(id, skillName)) continue;
        full.add(skillName);
        isAnotherLook = true;
      }
    }
  }

  #busyOwners(): readonly string[] {
    const counts = new Map<string, number>();
    for (const { taken } of this.#running.values()) {
      const owner = ownerKey(taken.caller);
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
    }
    return [...counts].filter(([, count]) => count >= MOST_OF_ONE).map(([owner]) => owner);
  }

  /** False: its skill has no place. */
  async #takeOne(id: string, skillName: string): Promise<boolean> {
    const { store, find, places, onChanged } = this.#parts;
    const skill = find(skillName);
    if (skill === undefined) return true;
    if (!(await places.enter(skill))) return false;
    let taken: TakenRun | undefined;
    try {
      taken = await store.take(id);
    } finally {
      if (taken === undefined) places.leave(skill);
    }
    if (taken !== undefined) this.#start(taken, skill);
    // It was not to be had, or ended as interrupted.
    else onChanged(id);
    return true;
  }

  #start(taken: TakenRun, skill: RegisteredSkill): void {
    const controller = new AbortController();
    const running: Running = {
      taken,
      skill,
      controller,
      ended: Promise.resolve(),
      isLost: false,
      isStopped: false,
    };
    this.#running.set(taken.id, running);
    this.#renewer ??= setInterval(() => void this.#renew(), RENEW_MS).unref();
    this.#parts.onChanged(taken.id);
    running.ended = this.#run(running)
      .catch((error: unknown) => this.#complain('carry out a run', error))
      .finally(() => this.#leave(taken.id, skill));
  }

  #leave(id: string, skill: RegisteredSkill): void {
    this.#running.delete(id);
    this.#parts.places.leave(skill);
    if (this.#running.size === 0) {
      clearInterval(this.#renewer);
      this.#renewer = undefined;
    }
    this.#parts.onChanged(id);
    // There is room for one more.
    this.wake();
  }

  async #run(running: Running): Promise<void> {
    const { taken, controller } = running;
    const { store, sealed, questions, carryOut, resumeSpan } = this.#parts;
    const input = await sealed.unseal(taken.sealed, taken.id);
    const isOver = () => controller.signal.aborted || this.#running.get(taken.id) !== running;
    const patiently = <T>(work: () => Promise<T>) => onceReachable(work, isOver);
    const carried = await carryOut({
      ...taken,
      input,
      span: await findTrace(taken.id, store, { sealed, resume: resumeSpan() }),
      signal: controller.signal,
      onProgress: this.#progressOf(taken.id),
      steps: {
        ...createStepMemory(store, sealed, taken.id, patiently),
        // What is asked already is not asked again.
        ask: (asked, signal) => patiently(() => questions.ask(taken.id, asked, signal)),
      },
    });
    if (!running.isLost) await this.#conclude(running, carried);
  }

  /** The last one at the end of each interval: a skill may say more than a store can write. */
  #progressOf(id: string): (progress: Progress) => void {
    let last: Progress | undefined;
    let isWaiting = false;
    const write = () => {
      isWaiting = false;
      if (last === undefined || !this.#running.has(id)) return;
      // What cannot be written is not missed: the next one tells more.
      void this.#parts.store.noteProgress(id, last).then(
        () => this.#parts.onChanged(id),
        () => undefined,
      );
    };
    return (progress) => {
      last = progress;
      if (!isWaiting) setTimeout(write, PROGRESS_EVERY_MS).unref();
      isWaiting = true;
    };
  }

  async #conclude(running: Running, carried: CarriedOut): Promise<void> {
    const { taken, skill, isStopped } = running;
    const { store, wakeIn, random } = this.#parts;
    const again = retryDelay(skill.durable, taken, carried, { isStopped, random });
    if (again !== undefined) {
      const isGivenBack = await this.#untilStored(running, () => store.retry(taken.id, again.code, again.delayMs));
      if (isGivenBack) wakeIn(again.delayMs);
      return;
    }
    const { status } = carried.invocation;
    const isOurs = await this.#untilStored(running, () => store.finish(taken.id, status, finalOf(carried, isStopped)));
    this.#parts.onEnded?.(taken.id);
    // The end of one that another process has is announced there.
    if (isOurs) carried.announce();
  }

  /** While the store is away the run stays ours: what it did must not be lost. False: it is another process's by now. */
  #untilStored(running: Running, write: () => Promise<boolean>): Promise<boolean> {
    return onceReachable(
      async () => !running.isLost && (await write()),
      () => this.#isClosed,
    );
  }

  async #renew(): Promise<void> {
    try {
      const { lost, cancelled } = await this.#parts.store.renew([...this.#running.keys()]);
      for (const id of lost) {
        const running = this.#running.get(id);
        if (running !== undefined) running.isLost = true;
        this.abort(id);
      }
      for (const id of cancelled) this.abort(id);
    } catch (error) {
      // While the store is away no other process can take them either.
      if (!(error instanceof StoreUnavailable)) this.#complain('renew runs', error);
    }
  }

  #complain(what: string, error: unknown): void {
    this.#parts.log({ level: 'error', message: `Cannot ${what}`, error: messageOf(error) });
  }
}
