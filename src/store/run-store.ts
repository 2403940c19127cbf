// Runs on a database (J): who runs what is decided by transitions of rows, by the database's clock.
import type { TrailNote } from '../identity/trail.ts';
import type { Renewal, RunStore } from '../skills/durable/run-store.ts';
import { isUuid } from '../values/uuid.ts';
import { renewLease } from './lease.ts';
import type { ProcessOwner } from './process-owner.ts';
import { cancelRun, decideRun, expireRuns } from './run-decisions.ts';
import { createRunHolders } from './run-holders.ts';
import { countWaiting, findKey, findRun, KEY_SECONDS, readDue, readRunPage, readSteps } from './run-reads.ts';
import { addRun, finishRun, type Holder, retryRun, takeRun } from './run-writes.ts';
import { knowSchedules, readTicks, tickSchedule } from './schedule-rows.ts';
import { type Dialect, list, type Sql, type Steps, sql } from './sql.ts';
import { lostRun } from './store-errors.ts';

export interface RunStoreParts {
  /** This process, as other rows name it. */
  readonly self: ProcessOwner;
  /** Whether a process of this machine has ended. */
  readonly isGone: (owner: ProcessOwner) => boolean;
  readonly leaseSeconds: number;
  readonly monotonicMs: () => number;
  /** For decisions, which are entered into the trail: see trail-turn.ts. */
  readonly trailed: Sql;
  /** Enters a decision into the trail, in the same transaction. */
  readonly enter: (note: TrailNote) => Steps<void>;
}

/** A process that did not renew for so long is gone: with a look every second its runs are taken up within ten (J5). */
export const RUN_LEASE_SECONDS = 7;

export function createRunStore(database: Sql, parts: RunStoreParts): RunStore {
  const { self, leaseSeconds, trailed, enter } = parts;
  const { dialect } = database;
  const holder = { self, leaseSeconds };
  const holders = createRunHolders(database, parts);
  return {
    add: (run) => database.write(() => addRun(dialect, run)),
    findKey: (key) => findKey(database, key),
    find: async (id) => (isUuid(id) ? findRun(database, id.toLowerCase()) : undefined),
    list: (query) => readRunPage(database, query),
    countWaiting: (exceptMaker) => countWaiting(database, exceptMaker),
    due: async (skills, limit, notOf = []) => readDue(database, { skills, limit, held: await holders.look(), notOf }),
    take: async (id) => ((await holders.isHeld(id)) ? undefined : database.write(() => takeRun(dialect, id, holder))),
    renew: (ids) => database.write(() => renewRuns(dialect, ids, holder)),
    noteProgress: (id, progress) =>
      database.write(function* () {
        yield sql`UPDATE repertoire_runs SET progress = ${JSON.stringify(progress)}, updated_at = ${dialect.now}
          WHERE id = ${id} AND taken_by = ${self.id}`;
      }),
    retry: (id, code, delayMs) =>
      database.write(() => retryRun(dialect, { id, self: self.id, failureCode: code, delayMs })),
    finish: (id, status, result) => database.write(() => finishRun(dialect, { id, self: self.id, status, result })),
    cancel: async (id, at) => (isUuid(id) ? database.write(() => cancelRun(dialect, id.toLowerCase(), at)) : undefined),
    decide: async (id, decision, note) =>
      isUuid(id) && trailed.write(() => decideRun(dialect, id.toLowerCase(), decision, () => enter(note))),
    expire: (at) => database.write(() => expireRuns(dialect, at)),
    keepStep: (id, step, sealed) => database.write(() => keepStep(id, step, sealed, self.id)),
    keepReply: (id, step, sealed) => database.write(() => keepReply(dialect, id, step, sealed)),
    steps: (id) => readSteps(database, id),
    knowSchedules: (schedules, at) => database.write(() => knowSchedules(dialect, schedules, at)),
    tick: (tick, run) => database.write(() => tickSchedule(dialect, tick, run)),
    ticks: () => readTicks(database),
    forgetKeys: () =>
      database.write(function* () {
        yield sql`DELETE FROM repertoire_keys WHERE created_at < ${dialect.secondsAgo(KEY_SECONDS)}`;
      }),
  };
}

function* renewRuns(dialect: Dialect, ids: readonly string[], { self, leaseSeconds }: Holder): Steps<Renewal> {
  if (ids.length === 0) return { lost: [], cancelled: [] };
  yield* renewLease(dialect, self);
  const rows = yield sql`UPDATE repertoire_runs SET lease_until = ${dialect.secondsAgo(-leaseSeconds)}
    WHERE id IN ${list(ids)} AND taken_by = ${self.id} AND NOT is_over RETURNING id, is_cancelled`;
  const ours = new Map(rows.map((row) => [String(row.id), Boolean(row.is_cancelled)]));
  return {
    lost: ids.filter((id) => !ours.has(id)),
    cancelled: [...ours].filter(([, isCancelled]) => isCancelled).map(([id]) => id),
  };
}

/**
 * A process that lost its run must not write what another one would go on with. The row is locked by that, so that a process
 * which takes the run meanwhile sees the step.
 */
function* keepStep(id: string, step: string, sealed: string, self: string): Steps<void> {
  const ours = yield sql`UPDATE repertoire_runs SET taken_by = taken_by
    WHERE id = ${id} AND taken_by = ${self} AND NOT is_over RETURNING id`;
  if (ours.length === 0) throw lostRun();
  yield sql`INSERT INTO repertoire_run_steps (invocation_id, step, sealed) VALUES (${id}, ${step}, ${sealed})
    ON CONFLICT (invocation_id, step) DO NOTHING`;
}

function* keepReply(dialect: Dialect, id: string, step: string, sealed: string): Steps<void> {
  const lasting =
    yield sql`UPDATE repertoire_runs SET updated_at = ${dialect.now} WHERE id = ${id} AND NOT is_over RETURNING id`;
  if (lasting.length === 0) return;
  yield sql`INSERT INTO repertoire_run_steps (invocation_id, step, sealed) VALUES (${id}, ${step}, ${sealed})
    ON CONFLICT (invocation_id, step) DO NOTHING`;
}
