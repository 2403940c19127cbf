// The log of invocations on a database: implements the port that execution/ declares.
import {
  type InvocationLog,
  type InvocationPage,
  type InvocationQuery,
  type LoggedInvocation,
  StoreUnavailable,
} from '../skills/record/invocation-log.ts';
import { isUuid } from '../values/uuid.ts';
import { createCommitQueue } from './commit-queue.ts';
import { readSkillCounts, readStepCounts, summarise } from './invocation-counts.ts';
import { recordOf, resultRecordOf } from './invocation-record.ts';
import {
  type Ended,
  findInvocation,
  type LogEntry,
  type Outcomes,
  recordBatch,
  selectInvocations,
} from './invocation-writes.ts';
import { createLateEnds, type LateEnds } from './late-ends.ts';
import { type Lease, renewLease } from './lease.ts';
import type { StoreLimits } from './limits.ts';
import { createCursor } from './page.ts';
import type { Sql } from './sql.ts';
import { windowOf } from './stats-window.ts';
import { RecordRefused } from './store-errors.ts';

export interface InvocationStore extends InvocationLog {
  /** It runs in this process, or how it ended waits to be written: nobody else may close it. */
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
    // The store is back: nobody waits for these.
    void late.write();
    return outcomes;
  }, limits.entry);
  const writer = createWriter((entry) => queue.push(entry, sizeOf(entry)), late, lease);
  return {
    ...writer,
    isOurs: (id) => lease.isRunning(id) || late.has(id),
    writeLate: late.write,
    idle: queue.idle,
    ...createReader(database),
  };
}

function createWriter(push: (entry: LogEntry) => Promise<void>, late: LateEnds, lease: Lease) {
  const begin: InvocationLog['begin'] = async (invocation) => {
    const record = recordOf(invocation);
    const isKnown = lease.isRunning(record.id);
    // Before it is written: it may be written long after we were told that the store takes too long.
    lease.began(record.id);
    try {
      await push({ record, result: undefined });
    } catch (error) {
      if (isDouble(error) && !isKnown) lease.ended(record.id);
      throw error;
    }
  };
  const end: InvocationLog['end'] = async (invocation, result) => {
    try {
      await pushEnd({ record: recordOf(invocation), result: resultRecordOf(result) });
    } finally {
      lease.ended(invocation.id.toLowerCase());
    }
  };
  const pushEnd = async (entry: LogEntry & Ended): Promise<void> => {
    try {
      await push(entry);
    } catch (error) {
      if (error instanceof StoreUnavailable) late.keep(entry);
      throw error;
    }
  };
  return { begin, end };
}

const createReader = (database: Sql): Pick<InvocationLog, 'find' | 'list' | 'stats'> => ({
  find: async (id) => (isUuid(id) ? findInvocation(database, id.toLowerCase()) : undefined),
  async list(query) {
    const checked = checkedQuery(query);
    if (checked === undefined) return { invocations: [], nextCursor: undefined };
    return pageOf(await selectInvocations(database, checked), checked.limit);
  },
  async stats({ skill, since, until }) {
    const window = windowOf(since, until);
    const [skillCounts, stepCounts] = await Promise.all([
      readSkillCounts(database, window.ranges, skill),
      readStepCounts(database, window.ranges, skill),
    ]);
    return summarise(window, skillCounts, stepCounts);
  },
});

/** The transaction that leaves something running also says that we live: there is no moment for a sweep in between. */
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

/** About: texts take the room, the rest is small. */
function sizeOf({ record, result }: LogEntry): number {
  const resultSize = (result?.outputPayload?.length ?? 0) + (result?.failureDetails?.length ?? 0);
  return 500 + record.inputPayload.length + resultSize;
}

const isDouble = (error: unknown) => error instanceof RecordRefused && error.reason === 'double';

export const LONGEST_PAGE = 1_000;

/** Undefined: no invocation can match, and PostgreSQL would refuse the question. */
export function checkedQuery(query: InvocationQuery): InvocationQuery | undefined {
  const { skill = '', agent = '', correlationId } = query;
  if (correlationId !== undefined && !isUuid(correlationId)) return undefined;
  if ([skill, agent].some((text) => text.includes('\0'))) return undefined;
  return { ...query, limit: Math.min(Math.max(1, Math.trunc(query.limit)), LONGEST_PAGE) };
}

/** `found`: one more than the limit if there are more. */
export function pageOf(found: readonly LoggedInvocation[], limit: number): InvocationPage {
  const invocations = found.slice(0, limit);
  const last = invocations.at(-1)?.invocation;
  const isLastPage = found.length <= limit || last === undefined;
  return { invocations, nextCursor: isLastPage ? undefined : createCursor({ at: last.timestamp, id: last.id }) };
}
