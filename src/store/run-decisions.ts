// What people decide on a run: cancel it, allow it, reject it; and what becomes of those that no one decided on (J2, J8).
import { FAILURE_MODES, failureOf } from '../skills/define/failure.ts';
import type { StoredDecision } from '../skills/durable/run-store.ts';
import { endRun } from './run-writes.ts';
import { type Dialect, type Statement, type Steps, sql } from './sql.ts';

const COLUMNS: Statement = sql`r.id, r.skill_name, r.created_at, r.taken_by, i.invoking_agent, i.status`;

/** One that no process holds ends here; the process of another one is told, and ends it. */
export function* cancelRun(dialect: Dialect, id: string, at: Date): Steps<'ended' | 'running' | undefined> {
  const marked = yield sql`UPDATE repertoire_runs SET is_cancelled = ${true}, updated_at = ${dialect.now}
    WHERE id = ${id} AND NOT is_over RETURNING id`;
  if (marked.length === 0) return undefined;
  const [row] = yield sql`SELECT ${COLUMNS} FROM repertoire_runs r JOIN skill_invocations i ON i.id = r.id
    WHERE r.id = ${id}`;
  if (row === undefined) return undefined;
  if (row.taken_by !== null) return 'running';
  const message = FAILURE_MODES.INTERNAL_ERROR.template;
  yield* endRun(dialect, row, { at, code: 'INTERNAL_ERROR', message, details: { cancelled: true } });
  return 'ended';
}

/** Once, and only while it waits. */
export function* decideRun(
  dialect: Dialect,
  id: string,
  { verdict, by, message, at }: StoredDecision,
  enter: () => Steps<void>,
): Steps<boolean> {
  const state = verdict === 'approve' ? 'approved' : 'rejected';
  const decided = yield sql`UPDATE repertoire_runs SET approval = ${state}, decided_by = ${by}, decided_at = ${at},
      decision = ${message ?? null}, not_before = ${dialect.now}, updated_at = ${dialect.now}
    WHERE id = ${id} AND approval = 'waiting' AND approval_expires_at > ${dialect.now} AND NOT is_over RETURNING id`;
  if (decided.length === 0) return false;
  if (verdict === 'reject') yield* endRefused(dialect, id, at, reasonOf(message));
  // Last: the head of the trail is held until the end of the transaction.
  yield* enter();
  return true;
}

const reasonOf = (message: string | undefined): string =>
  message === undefined || message === '' ? 'the run was rejected' : `the run was rejected: ${message}`;

/** At a time: a transaction of SQLite blocks the event loop. */
const EXPIRE_AT_ONCE = 100;

export function* expireRuns(dialect: Dialect, at: Date): Steps<readonly string[]> {
  const rows = yield sql`UPDATE repertoire_runs SET approval = 'expired', updated_at = ${dialect.now}
    WHERE id IN (SELECT id FROM repertoire_runs WHERE approval = 'waiting' AND NOT is_over
      AND approval_expires_at <= ${dialect.now} LIMIT ${EXPIRE_AT_ONCE}) AND approval = 'waiting' RETURNING id`;
  const ids = rows.map(({ id }) => String(id));
  for (const id of ids) yield* endRefused(dialect, id, at, 'the run was not approved in time');
  return ids;
}

function* endRefused(dialect: Dialect, id: string, at: Date, reason: string): Steps<void> {
  const [row] = yield sql`SELECT ${COLUMNS} FROM repertoire_runs r JOIN skill_invocations i ON i.id = r.id
    WHERE r.id = ${id}`;
  if (row === undefined) return;
  const { code, message, details = {} } = failureOf('UNAUTHORIZED', { reason });
  yield* endRun(dialect, row, { at, code, message, details });
}
