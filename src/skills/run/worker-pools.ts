// Runs a skill's module in processes of its own, so that an endless loop can be ended and whatever it takes is bounded: the
// heap limit of a thread does not hold for one huge allocation, and the whole server died of it (DESIGN 6, F14).
import { doneWithin } from '../../async/within.ts';
import { scrubShapes } from '../../text/credentials.ts';
import { INPUT_LIMITS, inspectJson } from '../check/json-inspection.ts';
import { errorOfText } from '../process/error-of-text.ts';
import { MAX_RESIDENT_BYTES, PROCESS_LIMITS } from '../process/limits.ts';
import type { PrintedLog, Scrub } from '../process/printed-output.ts';
import { findResidentBytes } from '../process/resident-memory.ts';
import type { CallEnding, IsolatedSkill, ProcessListener, StartedProcess } from '../process/started-process.ts';
import { cutForLog } from '../record/describe-error.ts';
import type { RuntimeLog } from '../record/runtime-log.ts';

interface WorkerTask extends IsolatedSkill {
  readonly skill: string;
  readonly input: unknown;
  /** Aborted: the process is ended, whatever it is doing. */
  readonly signal: AbortSignal;
  /** Takes the secrets of the call out of what it prints. */
  readonly scrub: Scrub;
}

export interface WorkerPools {
  /** Rejects with what the module threw, or with the reason why its process died. */
  readonly run: (task: WorkerTask) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const IDLE_MS = 10_000;

/** A program can fill some hundred megabytes between two looks. */
const LOOK_EVERY_MS = 50;

const CLOSING_MS = 2_000;

type Start = (skill: IsolatedSkill, listener: ProcessListener) => Promise<StartedProcess>;

/** What starts processes is loaded with the first call of a skill that needs it. */
const startProcess: Start = async (skill, listener) =>
  (await import('../process/started-process.ts')).startProcess(skill, listener);

export function createWorkerPools(log: RuntimeLog, start = startProcess): WorkerPools {
  const pools = new ProcessPools(log, start);
  return {
    run: async (task) => {
      const input = writeInput(task.input);
      for (;;) {
        const process = await pools.take(task);
        const ending = await callWithin(process, input, task);
        pools.giveBack(task.skill, process);
        if (ending.kind === 'returned') return ending.value;
        if (ending.kind === 'failed') throw ending.error;
        // It had died of what an earlier call left behind. None that is idle is taken twice, and a new one starts.
      }
    },
    close: () => pools.close(),
  };
}

/** As JSON, like the output: what a check makes of an input (a date, a map) would arrive as something else. */
function writeInput(input: unknown): string {
  const strange = inspectJson(input, INPUT_LIMITS).find(({ kind }) => kind === 'shape' || kind === 'depth');
  if (strange === undefined) return JSON.stringify(input);
  const where = strange.path === '' ? 'it' : strange.path;
  throw errorOfText(`Cannot hand the checked input to its process: ${where} ${strange.message}`);
}

/** Rejects with the reason of the signal, and does not wait for the process to end. */
function callWithin(process: StartedProcess, input: string, { signal, scrub }: WorkerTask): Promise<CallEnding> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      process.end('Its call was ended');
      reject(signal.reason);
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    void process.call(input, scrub).then((ending) => {
      signal.removeEventListener('abort', stop);
      resolve(ending);
    });
  });
}

interface IdleProcess {
  readonly process: StartedProcess;
  readonly timer: NodeJS.Timeout;
}

/** A pool for each skill, with as many processes as calls at once: nothing ever queues behind one that hangs. */
class ProcessPools {
  readonly #log: RuntimeLog;
  readonly #start: Start;
  readonly #all = new Set<StartedProcess>();
  readonly #idle = new Map<string, IdleProcess[]>();
  readonly #printed = new Map<string, PrintedLog>();
  #watch: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(log: RuntimeLog, start: Start) {
    this.#log = log;
    this.#start = start;
  }

  /** The one that was used last, else a new one. */
  async take(task: WorkerTask): Promise<StartedProcess> {
    const idle = this.#idle.get(task.skill) ?? [];
    for (let last = idle.pop(); last !== undefined; last = idle.pop()) {
      clearTimeout(last.timer);
      if (last.process.isUsable) return last.process;
    }
    return await this.#open(task);
  }

  /** One that is about to end is left to that. */
  giveBack(skill: string, process: StartedProcess): void {
    if (this.#isClosed || !process.isUsable) return;
    const timer = setTimeout(() => process.end('It was idle'), IDLE_MS);
    timer.unref();
    const idle = this.#idle.get(skill) ?? [];
    idle.push({ process, timer });
    this.#idle.set(skill, idle);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of [...this.#idle.values()].flat()) clearTimeout(timer);
    this.#idle.clear();
    const all = [...this.#all];
    for (const process of all) process.end('The runtime was closed');
    // The system may keep one a while that waits for a disk.
    await Promise.all(all.map((process) => doneWithin(process.waitForEnd(), CLOSING_MS)));
    for (const printed of this.#printed.values()) printed.flush();
  }

  async #open(task: WorkerTask): Promise<StartedProcess> {
    const printed = await this.#printedBy(task.skill);
    const process = await this.#start(task, { onLost: (why) => this.#tellLost(task.skill, why), printed });
    this.#all.add(process);
    void process.ended.then(() => this.#forget(task.skill, process));
    this.#watch ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    if (this.#isClosed) process.end('The runtime was closed');
    return process;
  }

  /** One for all processes of a skill: they share what it may print. */
  async #printedBy(skill: string): Promise<PrintedLog> {
    const { PrintedLog } = await import('../process/printed-output.ts');
    const printed = this.#printed.get(skill) ?? new PrintedLog(skill, this.#log);
    this.#printed.set(skill, printed);
    return printed;
  }

  #forget(skill: string, process: StartedProcess): void {
    this.#all.delete(process);
    const idle = this.#idle.get(skill) ?? [];
    this.#idle.set(
      skill,
      idle.filter((each) => each.process !== process),
    );
    if (this.#all.size > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** Idle ones too: work that a call left behind goes on. */
  #look(): void {
    for (const process of this.#all) {
      const bytes = findResidentBytes(process.pid) ?? 0;
      if (bytes > MAX_RESIDENT_BYTES) {
        process.endFor(`Its process took more than ${PROCESS_LIMITS.residentMb} MB of memory`);
      }
    }
  }

  /** No call fails of it. */
  #tellLost(skill: string, why: string): void {
    const message = 'The process of a worker skill died between two calls';
    this.#log({ level: 'error', message, skill, error: cutForLog(why, scrubShapes) });
  }
}
