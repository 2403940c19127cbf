// The log of invocations on a database: implements the port that execution/ declares.
import type { InvocationLog } from '../execution/invocation-log.ts';
import { createCommitQueue } from './commit-queue.ts';
import { readSkillCounts, readStepCounts } from './count-rows.ts';
import { checkedQuery, isUuid, pageOf } from './invocation-page.ts';
import { recordOf, resultRecordOf } from './invocation-record.ts';
import { findInvocation, selectInvocations } from './invocation-rows.ts';
import type { Lease } from './lease.ts';
import { renewLease } from './process-rows.ts';
import { type LogEntry, type Outcomes, recordBatch } from './record-batch.ts';
import { RecordRefused } from './record-refused.ts';
import type { Sql } from './sql.ts';
import { summarise } from './stats.ts';
import { windowOf } from './stats-window.ts';

export interface InvocationStore extends InvocationLog {
  /** Resolves when nothing waits to be written. */
  idle(): Promise<void>;
}

export function createInvocationStore(database: Sql, lease: Lease): InvocationStore {
  const queue = createCommitQueue<LogEntry>((entries) => commit(database, lease, entries));
  let lost = 0;
  return {
    async begin(invocation) {
      const entry = { record: recordOf(invocation), result: undefined };
      await queue.push(entry, sizeOf(entry));
    },
    async end(invocation, result) {
      try {
        const entry = { record: recordOf(invocation), result: resultRecordOf(result) };
        await queue.push(entry, sizeOf(entry));
      } catch (error) {
        if (!isDouble(error)) lost += 1;
        throw error;
      } finally {
        lease.ended(invocation.id.toLowerCase());
      }
    },
    async find(id) {
      const known = id.toLowerCase();
      return isUuid(known) ? findInvocation(database, known) : undefined;
    },
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
    get lost() {
      return lost;
    },
    idle: queue.idle,
  };
}

/** The transaction that leaves something running also says that we live: there is no moment for a sweep in between. */
async function commit(database: Sql, lease: Lease, entries: readonly LogEntry[]): Promise<Outcomes> {
  const staying = runningAfter(entries);
  const renews = staying.length > 0 && lease.isDue();
  const outcomes = await database.write(function* () {
    if (renews) yield* renewLease(database.dialect, lease.owner);
    return yield* recordBatch(entries, lease.owner.id);
  });
  if (renews) lease.renewed();
  lease.began(staying);
  return outcomes;
}

function runningAfter(entries: readonly LogEntry[]): readonly string[] {
  const running = new Set<string>();
  for (const { record, result } of entries) {
    if (result === undefined) running.add(record.id);
    else running.delete(record.id);
  }
  return [...running];
}

/** About: texts take the room, the rest is small. */
function sizeOf({ record, result }: LogEntry): number {
  const resultSize = (result?.outputPayload?.length ?? 0) + (result?.failureDetails?.length ?? 0);
  return 500 + record.inputPayload.length + resultSize;
}

const isDouble = (error: unknown) => error instanceof RecordRefused && error.reason === 'double';
