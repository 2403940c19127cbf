// The log of invocations on a database: implements the port that skills/ declares.
import { type InvocationLog, StoreUnavailable } from '../skills/record/invocation-log.ts';
import { isUuid } from '../values/uuid.ts';
import { briefEntry } from './brief-entry.ts';
import { type CommitQueue, cannotKeepUp, createCommitQueue, type Sized } from './commit-queue.ts';
import { readAgentCounts, readSkillCounts, readStepCounts, summarise, summariseByKey } from './invocation-counts.ts';
import { findInvocation, readInvocationPage } from './invocation-reads.ts';
import { type InvocationRecord, recordOf, resultRecordOf } from './invocation-record.ts';
import { type Ended, type LogEntry, type Outcomes, recordBatch } from './invocation-writes.ts';
import { createLateEnds, type LateEnds } from './late-ends.ts';
import { type Lease, renewLease } from './lease.ts';
import type { StoreLimits } from './limits.ts';
import type { Sql } from './sql.ts';
import { windowOf } from './stats-window.ts';
import { RecordRefused } from './store-errors.ts';

export interface InvocationStore extends InvocationLog {
  /** It runs in this process, or its end waits to be written: a sweep must not close it. */
  isOurs(id: string): boolean;
  /** Writes the ends that the store could not take when they came, if it can now. */
  writeLate(): Promise<void>;
  /** Resolves when nothing waits to be written. */
  idle(): Promise<void>;
}

export function createInvocationStore(database: Sql, lease: Lease, limits: StoreLimits): InvocationStore {
  const late = createLateEnds(database);
  const queue = createCommitQueue<LogEntry>(async (entries) => {
    const outcomes = await commit(database, lease, entries);
    // The store is back. No caller waits for these.
    void late.write();
    return outcomes;
  }, limits.entry);
  const writer = createWriter(queue, late, lease);
  return {
    ...writer,
    isOurs: (id) => lease.isRunning(id) || late.has(id),
    writeLate: late.write,
    idle: queue.idle,
    ...createReader(database),
  };
}

/** That wait: the rest is for ends, which need no beginning to be recorded. Those of all callers at once find room. */
const MOST_WITH_BEGINS = 10_000;

function createWriter(queue: CommitQueue<LogEntry>, late: LateEnds, lease: Lease) {
  /** Those that wait whole. Their ends have the same inputs: a large one is held, and counted, once. */
  const beginning = new Map<string, InvocationRecord>();
  const begin: InvocationLog['begin'] = async (invocation) => {
    const record = recordOf(invocation);
    const isKnown = lease.isRunning(record.id);
    // Before it is written: a write that was given up as too slow may still come through.
    lease.began(record.id);
    const entry = { record, result: undefined };
    beginning.set(record.id, record);
    try {
      if (queue.length >= MOST_WITH_BEGINS) throw cannotKeepUp();
      await queue.push(entry, sizeOf(entry), () => {
        beginning.delete(record.id);
        return briefly(entry);
      });
    } catch (error) {
      if (isDouble(error) && !isKnown) lease.ended(record.id);
      throw error;
    } finally {
      beginning.delete(record.id);
    }
  };
  const end: InvocationLog['end'] = async (invocation, result) => {
    const known = beginning.get(invocation.id.toLowerCase());
    try {
      const entry = { record: known ?? recordOf(invocation), result: resultRecordOf(result, invocation.status) };
      await pushEnd(entry, known?.inputPayload.length ?? 0);
    } finally {
      lease.ended(invocation.id.toLowerCase());
    }
  };
  const pushEnd = async (entry: LogEntry & Ended, shared: number): Promise<void> => {
    try {
      await queue.push(entry, sizeOf(entry) - shared, () => briefly(entry));
    } catch (error) {
      if (error instanceof StoreUnavailable) late.keep(entry);
      throw error;
    }
  };
  return { begin, end };
}

const createReader = (database: Sql): Pick<InvocationLog, 'find' | 'list' | 'stats' | 'statsBy'> => ({
  find: async (id) => (isUuid(id) ? findInvocation(database, id.toLowerCase()) : undefined),
  list: (query) => readInvocationPage(database, query),
  async stats({ skill, since, until }) {
    const window = windowOf(since, until);
    const [skillCounts, stepCounts] = await Promise.all([
      readSkillCounts(database, window.ranges, skill),
      readStepCounts(database, window.ranges, skill),
    ]);
    return summarise(window, skillCounts, stepCounts);
  },
  async statsBy({ by, skill, since, until }) {
    const { ranges } = windowOf(since, until);
    if (by === 'agent') return summariseByKey(await readAgentCounts(database, ranges, skill));
    const counts = await readSkillCounts(database, ranges, skill);
    return summariseByKey(counts.map((count) => ({ ...count, key: by(count.key) })));
  },
});

/** The transaction that leaves something running also renews the lease, so that no sweep comes in between. */
async function commit(database: Sql, lease: Lease, entries: readonly LogEntry[]): Promise<Outcomes> {
  const renews = lease.isDue() && leavesRunning(entries);
  const outcomes = await database.write(function* () {
    if (renews) yield* renewLease(database.dialect, lease.owner);
    return yield* recordBatch(entries, lease.owner.id);
  });
  if (renews) lease.renewed();
  return outcomes;
}

function leavesRunning(entries: readonly LogEntry[]): boolean {
  const ended = new Set(entries.filter(({ result }) => result !== undefined).map(({ record }) => record.id));
  return entries.some(({ record }) => !ended.has(record.id));
}

function briefly(entry: LogEntry): Sized<LogEntry> {
  const brief = briefEntry(entry);
  return { entry: brief, bytes: sizeOf(brief) };
}

/** Roughly: the texts take most of it. */
function sizeOf({ record, result }: LogEntry): number {
  const resultSize = (result?.outputPayload?.length ?? 0) + (result?.failureDetails?.length ?? 0);
  return 500 + record.inputPayload.length + resultSize;
}

const isDouble = (error: unknown) => error instanceof RecordRefused && error.reason === 'double';
