// The log of loads on a database (D9): written behind the answer, in the background, and never in anybody's way.

import type { Load, LoadLog, LoadPage, LoadQuery } from '../repertoire/load-log.ts';
import { StoreUnavailable } from '../skills/invocation-log.ts';
import { countLoads } from './load-count-rows.ts';
import { checkedLoadQuery, keptLoad, loadPageOf } from './load-page.ts';
import { insertLoads, selectLoads } from './load-rows.ts';
import type { Sql } from './sql.ts';

const FLUSH_AFTER_MS = 200;
const RETRY_AFTER_MS = 1_000;
const FLUSH_AT = 100;
/**
 * SQLite writes on this thread: so many take about two milliseconds, and answers go out between two batches. In batches of
 * a hundred each load costs twice as much, because most of it is the commit.
 */
const BATCH = 400;
const MOST_WAITING = 10_000;

export interface LoadStore extends LoadLog {
  /** Writes what waits; what cannot be written now is lost and counted. */
  close(): Promise<void>;
}

export function createLoadStore(database: Sql): LoadStore {
  const backlog = createBacklog(database);
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;

  /** Not before this turn has ended: the answer goes first. */
  const flushIn = (ms: number) => {
    clearTimeout(timer);
    // It does not hold the process: whoever ends it closes the store, which flushes.
    timer = setTimeout(() => flush(), ms).unref();
  };
  const flush = async (): Promise<void> => {
    if (flushing !== undefined) return;
    flushing = backlog.write();
    await flushing;
    flushing = undefined;
    timer = undefined;
    if (backlog.size() > 0) flushIn(RETRY_AFTER_MS);
  };
  return {
    record(load) {
      if (!backlog.add(load)) return;
      if (backlog.size() === FLUSH_AT && flushing === undefined) flushIn(0);
      else if (timer === undefined) flushIn(FLUSH_AFTER_MS);
    },
    list: (query) => listLoads(database, query),
    counts: (since) => countLoads(database, since),
    get lost() {
      return backlog.lost();
    },
    async close() {
      clearTimeout(timer);
      await flushing;
      clearTimeout(timer);
      await backlog.write();
      backlog.giveUp();
    },
  };
}

/** What waits to be written, within bounds. */
function createBacklog(database: Sql) {
  let waiting: Load[] = [];
  let lost = 0;
  return {
    size: () => waiting.length,
    lost: () => lost,
    /** False: there are too many already, and this one is lost. */
    add(load: Load): boolean {
      const fits = waiting.length < MOST_WAITING;
      if (fits) waiting.push(keptLoad(load));
      else lost += 1;
      return fits;
    },
    /** Until nothing waits or the store is away. */
    async write(): Promise<void> {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH);
        const refused = await writeBatch(database, batch);
        if (refused === undefined) return;
        lost += refused;
        waiting = waiting.slice(batch.length);
        if (waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
      }
    },
    giveUp(): void {
      lost += waiting.length;
      waiting = [];
    },
  };
}

/** How many were refused; undefined: the store is away, try later. One bad load costs no other. */
async function writeBatch(database: Sql, loads: readonly Load[]): Promise<number | undefined> {
  try {
    await database.write(() => insertLoads(database.dialect.kind, loads));
    return 0;
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    // Whatever else it is lies in the loads themselves, and nobody waits who could be told.
  }
  if (loads.length === 1) return 1;
  const middle = loads.length >> 1;
  const first = await writeBatch(database, loads.slice(0, middle));
  const second = await writeBatch(database, loads.slice(middle));
  // Away in between: counted as lost, because the other half is written and must not be written again.
  return (first ?? middle) + (second ?? loads.length - middle);
}

async function listLoads(database: Sql, query: LoadQuery): Promise<LoadPage> {
  const checked = checkedLoadQuery(query);
  return loadPageOf(await selectLoads(database, checked), checked.limit);
}
