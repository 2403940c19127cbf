// Runs a skill's module in threads of its own, so that an endless loop can be ended and memory is bounded (DESIGN 6, F14).
import { type KeptPromise, keptPromise } from '../../async/kept-promise.ts';
import { describeError } from '../record/describe-error.ts';
import type { RuntimeLog } from '../record/runtime-log.ts';

interface WorkerTask {
  readonly skill: string;
  readonly module: URL;
  readonly exportName: string;
  readonly input: unknown;
  /** Aborted: the thread is ended, whatever it is doing. */
  readonly signal: AbortSignal;
  readonly maxThreads: number;
}

export interface WorkerPools {
  /** Rejects with what the module threw, or with the reason why its thread died. */
  readonly run: (task: WorkerTask) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** What we ask of piscina: its own types would be in our declarations, and not every project's settings accept them. */
interface ThreadPool {
  run(
    input: unknown,
    how: { readonly filename: string; readonly name: string; readonly signal: AbortSignal },
  ): Promise<unknown>;
  destroy(): Promise<void>;
}

/** Of JavaScript objects. Buffers lie outside of this limit: Node has none for them. */
const MAX_MEMORY_MB = 256;

const IDLE_MS = 10_000;

/** Standard output is the protocol's: what a module prints goes to standard error, also through `console.log`. */
const QUIET_STDOUT = 'process.stdout.write = process.stderr.write.bind(process.stderr);';

export function createWorkerPools(log: RuntimeLog, open = openPool): WorkerPools {
  const pools = new Map<string, KeptPromise<ThreadPool>>();
  // A pool per skill, as many threads as calls at once: nothing ever queues behind a thread that hangs.
  const poolFor = (task: WorkerTask): Promise<ThreadPool> => {
    const pool = pools.get(task.skill) ?? keptPromise(() => open(task, log));
    pools.set(task.skill, pool);
    return pool.get();
  };
  return {
    run: async (task) => {
      const pool = await poolFor(task);
      const { exportName: name, signal } = task;
      return await pool.run(task.input, { filename: task.module.href, name, signal });
    },
    close: async () => {
      const opened = [...pools.values()];
      pools.clear();
      // One that does not open has nothing to end, and its caller knows.
      const found = await Promise.all(opened.map((pool) => pool.find()?.catch(() => undefined)));
      await Promise.all(found.map((pool) => pool?.destroy()));
    },
  };
}

/** piscina is loaded with the first call of a skill that needs it. */
async function openPool({ maxThreads }: WorkerTask, log: RuntimeLog): Promise<ThreadPool> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina({
    minThreads: 0,
    maxThreads,
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: 1,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(QUIET_STDOUT)}`],
  });
  // A thread that dies while idle, of work that a module left behind: no call fails, and the process goes on.
  pool.on('error', (error) => {
    log({ level: 'error', message: 'A worker thread died between two calls', error: describeError(error) });
  });
  return pool;
}
