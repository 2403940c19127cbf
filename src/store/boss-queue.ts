// The queue of runs on PostgreSQL (J9): pg-boss over our pool carries waiting, waking and retry timing between replicas. It only
// wakes: which process runs what is decided by rows, and what it loses is found by looking.
import PgBoss from 'pg-boss';
import type { RunQueue } from '../skills/durable/run-queue.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import { messageOf } from '../values/error-text.ts';
import type { ForeignRows } from './sql.ts';

export interface WakeupParts {
  readonly log: RuntimeLog;
  /** Looks whatever pg-boss does: it may not be allowed a schema of its own. */
  readonly look: RunQueue;
  /** Only tests change this. */
  readonly beginMs?: number;
}

interface Executor {
  execute(text: string, values: readonly unknown[]): Promise<ForeignRows>;
}

const SCHEMA = 'repertoire_boss';
const QUEUE = 'runs';
const POLL_SECONDS = 1;
/** Wake-ups are worth nothing afterwards. */
const KEEP_SECONDS = 60;
/** Behind the first answers: its tables take a second to make. */
const BEGIN_MS = 3_000;
const AGAIN_MS = 30_000;
const STOP_MS = 1_000;

export function createBossQueue(database: Executor, { log, look, beginMs = BEGIN_MS }: WakeupParts): RunQueue {
  let boss: PgBoss | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let isTold = false;
  // Once for each outage: it tries again and again.
  const complain = (error: unknown) => {
    if (isTold || isClosed) return;
    isTold = true;
    const message = 'Cannot wake other servers for runs by pg-boss: they look every second instead';
    log({ level: 'warn', message, reason: messageOf(error) });
  };
  const begin = async (onWake: () => void): Promise<void> => {
    try {
      const started = await startBoss(database, complain);
      // The process that gets it tells the others by taking what is due.
      await started.work(QUEUE, { pollingIntervalSeconds: POLL_SECONDS, batchSize: 100 }, async () => onWake());
      if (isClosed) return void (await stopBoss(started));
      boss = started;
      isTold = false;
    } catch (error) {
      complain(error);
      if (!isClosed) timer = setTimeout(() => void begin(onWake), AGAIN_MS).unref();
    }
  };
  let beginning: Promise<void> = Promise.resolve();
  return {
    start: async (onWake) => {
      await look.start(onWake);
      timer = setTimeout(() => {
        beginning = begin(onWake);
      }, beginMs).unref();
    },
    wakeIn: (delayMs, id) => {
      look.wakeIn(delayMs, id);
      // What is due now is told by the bus, at once.
      if (boss === undefined || delayMs < POLL_SECONDS * 1_000) return;
      const startAfter = new Date(Date.now() + delayMs);
      void boss.send(QUEUE, { id: id ?? null }, { startAfter }).catch(complain);
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await look.close();
      await beginning;
      if (boss !== undefined) await stopBoss(boss);
    },
  };
}

async function startBoss(database: Executor, onError: (error: unknown) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.execute(text, values ?? []) },
    schema: SCHEMA,
    // Times are claimed by rows of ours (J7).
    schedule: false,
    archiveCompletedAfterSeconds: KEEP_SECONDS,
    deleteAfterSeconds: KEEP_SECONDS,
    retryLimit: 0,
  });
  // Without a listener an error would end the process.
  boss.on('error', onError);
  await boss.start();
  await boss.createQueue(QUEUE);
  return boss;
}

/** Within a second: what it still does only wakes. */
const stopBoss = (boss: PgBoss): Promise<void> =>
  boss.stop({ graceful: false, wait: false, close: false, timeout: STOP_MS }).catch(() => undefined);
