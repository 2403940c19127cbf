// The life of a run as transactions: stored, taken, tried again, finished (J1, J3, J5). Each transition is made once, by the row.
import { ownerKey } from '../identity/caller.ts';
import { FAILURE_MODES, type FailureCode } from '../skills/define/failure.ts';
import type { InvocationResult, InvocationStatus } from '../skills/define/invocation.ts';
import type { Added, NewRun, RunKey, TakenRun } from '../skills/durable/run-store.ts';
import { recordOf, resultRecordOf } from './invocation-record.ts';
import { endInvocations, insertInvocations, recordResults } from './invocation-writes.ts';
import { renewLease } from './lease.ts';
import type { ProcessOwner } from './process-owner.ts';
import { isDue, isFree } from './run-holders.ts';
import { KEY_SECONDS, toCaller } from './run-reads.ts';
import { type Dialect, plain, type Row, type Steps, sql, unread } from './sql.ts';

/** Pending, with all that any process needs to run it; or the invocation that its key stands for already. */
export function* addRun(dialect: Dialect, run: NewRun): Steps<Added> {
  const record = recordOf(run.invocation);
  if (run.key !== undefined) {
    const claimed = yield* claimKey(dialect, run.key, record.id);
    if (claimed.kind === 'known') return claimed;
  }
  yield* insertInvocations([{ record, state: { status: 'pending', failureCode: null } }], null);
  const { caller, durability, approvalMs } = run;
  const expiresAt = approvalMs === undefined ? plain('NULL') : dialect.secondsAgo(-approvalMs / 1_000);
  yield unread(sql`INSERT INTO repertoire_runs (id, skill_name, owner_key, caller, sealed, is_idempotent, most_attempts,
      not_before, approval, approval_expires_at, created_at, updated_at)
    VALUES (${record.id}, ${record.skillName}, ${ownerKey(caller)}, ${JSON.stringify(caller)}, ${run.sealed},
      ${durability.idempotent || durability.resumes}, ${durability.attempts}, ${dialect.now},
      ${approvalMs === undefined ? null : 'waiting'}, ${expiresAt},
      ${record.createdAt}, ${dialect.now})`);
  if (run.trace !== undefined) {
    yield unread(sql`INSERT INTO repertoire_run_steps (invocation_id, step, sealed)
      VALUES (${record.id}, ${run.trace.step}, ${run.trace.sealed})`);
  }
  return { kind: 'added' };
}

/** However many come at once, one is first: the others are told of its invocation (J3). */
function* claimKey(dialect: Dialect, { keyHash, inputHash }: RunKey, invocationId: string): Steps<Added> {
  const inserted = yield sql`INSERT INTO repertoire_keys (key_hash, input_hash, invocation_id, created_at)
    VALUES (${keyHash}, ${inputHash}, ${invocationId}, ${dialect.now})
    ON CONFLICT (key_hash) DO UPDATE SET input_hash = excluded.input_hash, invocation_id = excluded.invocation_id,
      created_at = excluded.created_at
    WHERE repertoire_keys.created_at < ${dialect.secondsAgo(KEY_SECONDS)}
    RETURNING invocation_id`;
  if (inserted.length > 0) return { kind: 'added' };
  const [known] = yield sql`SELECT input_hash, invocation_id FROM repertoire_keys WHERE key_hash = ${keyHash}`;
  return {
    kind: 'known',
    invocationId: String(known?.invocation_id),
    isSameInput: known?.input_hash === inputHash,
  };
}

/** The process that takes a run. */
export interface Holder {
  readonly self: ProcessOwner;
  readonly leaseSeconds: number;
}

/** From `pending` once; after that, whenever its process is gone or has given it back. */
export function* takeRun(dialect: Dialect, id: string, { self, leaseSeconds }: Holder): Steps<TakenRun | undefined> {
  const [row] = yield sql`SELECT r.id, r.skill_name, r.caller, r.sealed, r.is_idempotent, r.most_attempts, r.attempt,
      r.approval, r.is_cancelled, r.created_at, i.status, i.invoking_agent, i.correlation_id,
      CASE WHEN ${isDue(dialect)} AND ${isFree(dialect)} THEN 1 ELSE 0 END AS is_due
    FROM repertoire_runs r JOIN skill_invocations i ON i.id = r.id WHERE r.id = ${id} AND NOT r.is_over`;
  if (row === undefined || row.is_due !== 1 || isUndecided(row)) return undefined;
  const attempt = Number(row.attempt);
  const mine = yield sql`UPDATE repertoire_runs SET taken_by = ${self.id}, attempt = attempt + 1,
      lease_until = ${dialect.secondsAgo(-leaseSeconds)}, updated_at = ${dialect.now}
    WHERE id = ${id} AND attempt = ${attempt} AND NOT is_over
      AND ${isFree(dialect)} RETURNING id`;
  if (mine.length === 0) return undefined;
  yield unread(sql`UPDATE skill_invocations SET status = 'running', owner = ${self.id} WHERE id = ${id}`);
  yield* renewLease(dialect, self);
  // One that never ran has no attempt to look at.
  const died = attempt > 0 && (yield* hasDied(dialect, id, attempt));
  const mayGoOn = !died || (Boolean(row.is_idempotent) && attempt < Number(row.most_attempts));
  // Its process died, or gave it back, before it could end what was cancelled.
  if (row.is_cancelled || !mayGoOn) {
    yield* endUnfinished(dialect, row, row.is_cancelled ? { cancelled: true } : { interrupted: true });
    return undefined;
  }
  yield unread(sql`INSERT INTO repertoire_attempts (invocation_id, attempt, started_at)
    VALUES (${id}, ${attempt + 1}, ${dialect.now})`);
  return toTaken(row, attempt + 1);
}

const isUndecided = ({ approval }: Row): boolean => approval !== null && approval !== 'approved';

/** Its last attempt neither failed nor ended: its process went with it. */
function* hasDied(dialect: Dialect, id: string, attempt: number): Steps<boolean> {
  const rows = yield sql`UPDATE repertoire_attempts SET failure_code = 'INTERNAL_ERROR', ended_at = ${dialect.now}
    WHERE invocation_id = ${id} AND attempt = ${attempt} AND ended_at IS NULL RETURNING attempt`;
  return rows.length > 0;
}

function* endUnfinished(dialect: Dialect, row: Row, details: RunEnd['details']): Steps<void> {
  const [now] = yield sql`SELECT ${dialect.now} AS now`;
  const at = new Date(Number(now?.now));
  yield* endRun(dialect, row, {
    at,
    code: 'INTERNAL_ERROR',
    message: FAILURE_MODES.INTERNAL_ERROR.template,
    details,
  });
}

export interface RunEnd {
  readonly at: Date;
  readonly code: FailureCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** As failed, by the store itself: no process has a result of it. It passes through `running` (J5). */
export function* endRun(dialect: Dialect, row: Row, { at, code, message, details }: RunEnd): Steps<void> {
  const id = String(row.id);
  yield unread(sql`UPDATE skill_invocations SET status = 'running' WHERE id = ${id} AND status = 'pending'`);
  const ended = yield* endInvocations([id], { status: 'failed', failureCode: code });
  yield* closeRun(dialect, id);
  if (!ended.has(id)) return;
  const durationMs = Math.min(Math.max(0, at.getTime() - Number(row.created_at)), 2 ** 31 - 1);
  const record = { skillName: String(row.skill_name), invokingAgent: String(row.invoking_agent) };
  const result = {
    invocationId: id,
    finalStatus: 'failed' as const,
    outputPayload: null,
    failureCode: code,
    failureMessage: message,
    failureDetails: JSON.stringify(details),
    durationMs,
    createdAt: at,
  };
  yield* recordResults([{ record, result }]);
}

/** What was needed to go on is gone with the end (J6). */
function* closeRun(dialect: Dialect, id: string): Steps<void> {
  yield unread(sql`UPDATE repertoire_runs SET is_over = ${true}, sealed = NULL, taken_by = NULL, lease_until = NULL,
    updated_at = ${dialect.now} WHERE id = ${id}`);
  yield unread(sql`DELETE FROM repertoire_run_steps WHERE invocation_id = ${id}`);
}

interface Retry {
  readonly id: string;
  readonly self: string;
  readonly failureCode: FailureCode;
  readonly delayMs: number;
}

export function* retryRun(dialect: Dialect, { id, self, failureCode, delayMs }: Retry): Steps<boolean> {
  const mine = yield sql`UPDATE repertoire_runs SET taken_by = NULL, lease_until = NULL,
      not_before = CASE WHEN is_cancelled THEN ${dialect.now} ELSE ${dialect.secondsAgo(-delayMs / 1_000)} END, updated_at = ${dialect.now}
    WHERE id = ${id} AND taken_by = ${self} AND NOT is_over RETURNING attempt`;
  if (mine.length === 0) return false;
  yield* endAttempt(dialect, id, Number(mine[0]?.attempt), failureCode);
  return true;
}

interface Finish {
  readonly id: string;
  readonly self: string;
  readonly status: InvocationStatus;
  readonly result: InvocationResult;
}

export function* finishRun(dialect: Dialect, { id, self, status, result }: Finish): Steps<boolean> {
  // Locked: no other process takes it meanwhile.
  const [mine] = yield sql`UPDATE repertoire_runs SET updated_at = ${dialect.now}
    WHERE id = ${id} AND taken_by = ${self} AND NOT is_over RETURNING attempt, skill_name`;
  if (mine === undefined) return false;
  const [row] = yield sql`SELECT invoking_agent FROM skill_invocations WHERE id = ${id}`;
  const record = resultRecordOf(result, status);
  const ended = yield* endInvocations([id], { status: record.finalStatus, failureCode: record.failureCode });
  if (!ended.has(id)) return false;
  yield* endAttempt(dialect, id, Number(mine.attempt), result.success ? null : result.failure.code);
  yield* closeRun(dialect, id);
  const of = { skillName: String(mine.skill_name), invokingAgent: String(row?.invoking_agent) };
  yield* recordResults([{ record: of, result: record }]);
  return true;
}

function* endAttempt(dialect: Dialect, id: string, attempt: number, failureCode: FailureCode | null): Steps<void> {
  yield unread(sql`UPDATE repertoire_attempts SET ended_at = ${dialect.now}, failure_code = ${failureCode}
    WHERE invocation_id = ${id} AND attempt = ${attempt}`);
}

const toTaken = (row: Row, attempt: number): TakenRun => ({
  id: String(row.id),
  skillName: String(row.skill_name),
  caller: toCaller(row.caller),
  invokingAgent: String(row.invoking_agent),
  correlationId: String(row.correlation_id),
  sealed: String(row.sealed),
  attempt,
  mostAttempts: Number(row.most_attempts),
  createdAt: new Date(Number(row.created_at)),
});
