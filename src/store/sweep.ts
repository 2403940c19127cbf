// Closes invocations that the log calls running although no process runs them any more: as failed, INTERNAL_ERROR,
// interrupted. Those of processes that are gone, and our own whose end is lost. Never what a live process runs.
import { FAILURE_MODES } from '../skills/define/failure.ts';
import type { InvocationRecord } from './invocation-record.ts';
import { type Ended, endInvocations, recordResults } from './invocation-writes.ts';
import { LEASE_SECONDS, removeProcess, type SeenProcess, selectProcesses } from './lease.ts';
import { isGone, type ProcessOwner } from './process-owner.ts';
import { freeRunsOf } from './run-holders.ts';
import { type Dialect, plain, type Row, type Sql, type Steps, sql } from './sql.ts';

/** At a time: a transaction of SQLite blocks the event loop. */
const CLOSE_AT_ONCE = 200;

export interface SweepContext {
  readonly self: ProcessOwner;
  /** It runs here, or its end waits to be written. */
  readonly isOurs: (id: string) => boolean;
  readonly now: () => Date;
}

/** Of a row `i`: durable runs have leases of their own, and are taken up again (J5). */
const isNoRun = plain('NOT EXISTS (SELECT 1 FROM repertoire_runs d WHERE d.id = i.id)');

type Closing = Pick<InvocationRecord, 'id' | 'skillName' | 'invokingAgent' | 'createdAt'>;

/** How many it closed. */
export async function sweep(database: Sql, { self, isOurs, now }: SweepContext): Promise<number> {
  const others = (await selectProcesses(database)).filter(({ id }) => id !== self.id);
  let closed = 0;
  for (const process of others) {
    const isNeighbour = self.machine !== undefined && process.machine === self.machine;
    // On the same machine the pid tells more than the lease: clocks jump, and laptops sleep.
    if (isNeighbour ? !isGone(process) : !process.isExpired) continue;
    closed += await closeAllOf(database, process, !isNeighbour, now());
  }
  closed += await closeForgotten(database, { self, isOurs, now });
  return closed + (await closeOrphans(database, now()));
}

/** Our own that have ended, or never began: the store was away or too slow at that time. */
async function closeForgotten(database: Sql, { self, isOurs, now }: SweepContext): Promise<number> {
  const rows = await database.read(sql`SELECT i.id, i.skill_name, i.invoking_agent, i.created_at
    FROM skill_invocations i WHERE i.status = 'running' AND i.owner = ${self.id} AND ${isNoRun}`);
  // What begins or ends meanwhile is safe: ids are new, and only what is still running is closed.
  const forgotten = rows.map(toClosing).filter(({ id }) => !isOurs(id));
  let closed = 0;
  for (let start = 0; start < forgotten.length; start += CLOSE_AT_ONCE) {
    const some = forgotten.slice(start, start + CLOSE_AT_ONCE);
    closed += await database.write(() => closeInterrupted(some, now(), now()));
  }
  return closed;
}

async function closeAllOf(database: Sql, process: SeenProcess, byLease: boolean, now: Date): Promise<number> {
  const { dialect } = database;
  return database.write(function* () {
    const lastSeen = yield* removeProcess(dialect, process.id, byLease);
    if (lastSeen === undefined) return 0;
    if (!byLease) yield* freeRunsOf(dialect, [process.id]);
    const rows = yield sql`SELECT i.id, i.skill_name, i.invoking_agent, i.created_at FROM skill_invocations i
      WHERE i.status = 'running' AND i.owner = ${process.id} AND ${isNoRun} LIMIT ${CLOSE_AT_ONCE}`;
    // The rest has no process any more: the next sweeps close it as orphans.
    return yield* closeInterrupted(rows.map(toClosing), lastSeen, now);
  });
}

/** Running ones whose process has signed off or was swept before. */
async function closeOrphans(database: Sql, now: Date): Promise<number> {
  return database.write(function* () {
    const rows = yield selectOrphans(database.dialect);
    return yield* closeInterrupted(rows.map(toClosing), now, now);
  });
}

// The age is in a CASE so that the planner uses the short index of what runs, not the one of all ages.
const selectOrphans = (dialect: Dialect) => sql`SELECT i.id, i.skill_name, i.invoking_agent, i.created_at
  FROM skill_invocations i WHERE i.status = 'running' AND i.owner IS NOT NULL
    AND CASE WHEN i.created_at < ${dialect.secondsAgo(LEASE_SECONDS)} THEN 1 ELSE 0 END = 1
    AND NOT EXISTS (SELECT 1 FROM repertoire_processes p WHERE p.id = i.owner) AND ${isNoRun}
  LIMIT ${CLOSE_AT_ONCE}`;

function* closeInterrupted(closing: readonly Closing[], lastSeen: Date, now: Date): Steps<number> {
  const ids = closing.map(({ id }) => id);
  const ended = yield* endInvocations(ids, { status: 'failed', failureCode: 'INTERNAL_ERROR' });
  const ends = closing.filter(({ id }) => ended.has(id)).map((each) => interrupted(each, lastSeen, now));
  yield* recordResults(ends);
  return ends.length;
}

/** It ran at least until its process was last seen; longer is not known. */
function interrupted({ id, skillName, invokingAgent, createdAt }: Closing, lastSeen: Date, now: Date): Ended {
  return {
    record: { skillName, invokingAgent },
    result: {
      invocationId: id,
      finalStatus: 'failed',
      outputPayload: null,
      failureCode: 'INTERNAL_ERROR',
      failureMessage: FAILURE_MODES.INTERNAL_ERROR.template,
      failureDetails: JSON.stringify({ interrupted: true }),
      durationMs: Math.min(Math.max(0, lastSeen.getTime() - createdAt.getTime()), 2 ** 31 - 1),
      createdAt: now,
    },
  };
}

const toClosing = (row: Row): Closing => ({
  id: String(row.id),
  skillName: String(row.skill_name),
  invokingAgent: String(row.invoking_agent),
  createdAt: new Date(Number(row.created_at)),
});
