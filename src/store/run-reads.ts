// Runs as the tables have them: one, a page of them, and which may be taken now (J).
import { asOwner, type Caller, isMadeBy, makersOf, ownerPart, WITH_CLIENT } from '../identity/caller.ts';
import type { Progress } from '../skills/define/define-skill.ts';
import type { FailureCode } from '../skills/define/failure.ts';
import type { DueRun, KnownKey, RunKey } from '../skills/durable/run-store.ts';
import type { Approval, Attempt, Run, RunPage, RunQuery } from '../skills/durable/runs.ts';
import type { LoggedInvocation } from '../skills/record/invocation-log.ts';
import { readCursor } from '../skills/record/log-cursor.ts';
import { isUuid } from '../values/uuid.ts';
import { findInvocation, readInvocationPage } from './invocation-reads.ts';
import { UUID } from './invocation-record.ts';
import { pageLimit, pageOf } from './page.ts';
import { isDue, isFree } from './run-holders.ts';
import { join, list, plain, type Row, type Sql, type Statement, sql } from './sql.ts';

const COLUMNS: Statement = sql`r.id, r.caller, r.is_cancelled, r.progress, r.approval, r.approval_expires_at, r.decided_by,
  r.decided_at, r.decision, r.created_at, r.updated_at`;

/** Its end first: what else is known of a run that has ended does not change any more, so that both are of one state. */
export async function findRun(database: Sql, id: string): Promise<Run | undefined> {
  const logged = await findInvocation(database, id);
  if (logged === undefined) return undefined;
  const [[row], attempts] = await Promise.all([
    database.read(sql`SELECT ${COLUMNS} FROM repertoire_runs r WHERE r.id = ${id}`),
    readAttempts(database, [id]),
  ]);
  return row && toRun(row, logged, attempts.get(id) ?? []);
}

/** How long a key is kept (J3). */
export const KEY_SECONDS = 86_400;

export async function findKey(database: Sql, { keyHash, inputHash }: RunKey): Promise<KnownKey | undefined> {
  const [row] = await database.read(sql`SELECT input_hash, invocation_id FROM repertoire_keys
    WHERE key_hash = ${keyHash} AND created_at >= ${database.dialect.secondsAgo(KEY_SECONDS)}`);
  return row && { invocationId: String(row.invocation_id), isSameInput: row.input_hash === inputHash };
}

type PageQuery = RunQuery & { readonly ownerKey: string | undefined };

const STATES = {
  waiting: plain("r.approval = 'waiting' AND NOT r.is_over"),
  unfinished: plain('NOT r.is_over'),
  finished: plain('r.is_over'),
} as const satisfies Record<NonNullable<RunQuery['state']>, Statement>;

/** With payloads as a list shows them: long ones cut. */
export async function readRunPage(database: Sql, query: PageQuery): Promise<RunPage> {
  // PostgreSQL would refuse it.
  if (query.id !== undefined && !isUuid(query.id)) return { runs: [], nextCursor: undefined };
  const limit = pageLimit(query.limit);
  const last = query.cursor === undefined ? undefined : readCursor(query.cursor, UUID);
  const conditions = [
    plain('1 = 1'),
    ...(query.state === undefined ? [] : [STATES[query.state]]),
    ...(query.skill === undefined ? [] : [sql`r.skill_name = ${query.skill}`]),
    ...(query.id === undefined ? [] : [sql`r.id = ${query.id.toLowerCase()}`]),
    ...(query.ownerKey === undefined ? [] : [isOf(query.ownerKey)]),
    ...(last === undefined ? [] : [sql`(r.created_at, r.id) < (${last.at}, ${last.id})`]),
  ];
  const found = await database.read(sql`SELECT ${COLUMNS} FROM repertoire_runs r WHERE ${join(conditions, ' AND ')}
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit + 1}`);
  const { rows, nextCursor } = pageOf(found, limit, (row) => ({
    at: new Date(Number(row.created_at)),
    id: String(row.id),
  }));
  const ids = rows.map(({ id }) => String(id));
  if (ids.length === 0) return { runs: [], nextCursor };
  const [{ invocations }, attempts] = await Promise.all([
    readInvocationPage(database, { ids, limit: ids.length }),
    readAttempts(database, ids),
  ]);
  const logged = new Map(invocations.map((each) => [each.invocation.id, each]));
  const runs = rows.flatMap((row): readonly Run[] => {
    const id = String(row.id);
    const known = logged.get(id);
    return known === undefined ? [] : [toRun(row, known, attempts.get(id) ?? [])];
  });
  return { runs, nextCursor };
}

/** Theirs, and what came through a client of theirs (`isOwnerOf`). */
const isOf = (ownerKey: string): Statement => {
  const begin = `${ownerKey}${WITH_CLIENT}`;
  return sql`(r.owner_key = ${ownerKey} OR substr(r.owner_key, 1, ${[...begin].length}) = ${begin})`;
};

export async function countWaiting(database: Sql, exceptMaker: string | undefined): Promise<number> {
  const others = exceptMaker === undefined ? plain('1 = 1') : sql`NOT ${isOf(ownerPart(exceptMaker))}`;
  const waiting = sql`FROM repertoire_runs r WHERE ${STATES.waiting} AND ${others}`;
  const [row] = await database.read(sql`SELECT count(*) AS waiting ${waiting}`);
  const count = Number(row?.waiting);
  if (exceptMaker === undefined || count === 0) return count;
  // Few: those that were started with a token which another caller issued.
  const rows = await database.read(sql`SELECT r.caller ${waiting} AND CAST(r.caller AS TEXT) LIKE '%"issuers":%'`);
  return count - rows.filter(({ caller }) => isMadeBy(makersOf(toCaller(caller)), exceptMaker)).length;
}

async function readAttempts(database: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, readonly Attempt[]>> {
  const rows = await database.read(sql`SELECT invocation_id, attempt, started_at, failure_code FROM repertoire_attempts
    WHERE invocation_id IN ${list(ids)} ORDER BY invocation_id, attempt`);
  const byRun = new Map<string, Attempt[]>();
  for (const row of rows) {
    const id = String(row.invocation_id);
    byRun.set(id, [...(byRun.get(id) ?? []), toAttempt(row)]);
  }
  return byRun;
}

interface DueQuery {
  readonly skills: readonly string[];
  readonly limit: number;
  /** Processes that live: what they hold is not to be had, and must not stand before what is. */
  readonly held: readonly string[];
  /** Owners. */
  readonly notOf: readonly string[];
}

/** Those that wait for their turn, and those whose process is gone: the first that came is the first. */
export async function readDue(database: Sql, { skills, limit, held, notOf }: DueQuery): Promise<readonly DueRun[]> {
  if (skills.length === 0) return [];
  const { dialect } = database;
  const isNotHeld = held.length === 0 ? plain('1 = 1') : sql`(taken_by IS NULL OR taken_by NOT IN ${list(held)})`;
  const isOfOthers = notOf.length === 0 ? plain('1 = 1') : sql`owner_key NOT IN ${list(notOf)}`;
  const rows = await database.read(sql`SELECT id, owner_key, skill_name FROM repertoire_runs
    WHERE NOT is_over AND ${isDue(dialect)} AND ${isFree(dialect)} AND ${isNotHeld} AND ${isOfOthers}
      AND (approval IS NULL OR approval = 'approved') AND skill_name IN ${dialect.manyTexts(skills)}
    ORDER BY not_before, id LIMIT ${limit}`);
  return rows.map((row) => ({
    id: String(row.id),
    ownerKey: String(row.owner_key),
    skillName: String(row.skill_name),
  }));
}

export async function readSteps(database: Sql, id: string): Promise<ReadonlyMap<string, string>> {
  const rows = await database.read(sql`SELECT step, sealed FROM repertoire_run_steps WHERE invocation_id = ${id}`);
  return new Map(rows.map((row) => [String(row.step), String(row.sealed)]));
}

/** As `addRun` wrote it: what it may do was checked then. */
export const toCaller = (json: unknown): Caller => JSON.parse(String(json)) as Caller;

function toRun(row: Row, { invocation, result }: LoggedInvocation, attempts: readonly Attempt[]): Run {
  return {
    invocation,
    result,
    owner: asOwner(toCaller(row.caller)),
    attempts,
    // As `noteProgress` wrote it.
    progress: row.progress === null ? undefined : (JSON.parse(String(row.progress)) as Progress),
    approval: toApproval(row),
    isCancelled: Boolean(row.is_cancelled),
    updatedAt: new Date(Number(row.updated_at)),
  };
}

function toApproval(row: Row): Approval | undefined {
  if (row.approval === null) return undefined;
  return {
    // Only these are ever written.
    state: row.approval as Approval['state'],
    expiresAt: new Date(Number(row.approval_expires_at)),
    decidedBy: row.decided_by === null ? undefined : String(row.decided_by),
    decidedAt: row.decided_at === null ? undefined : new Date(Number(row.decided_at)),
    message: row.decision === null ? undefined : String(row.decision),
  };
}

const toAttempt = (row: Row): Attempt => ({
  attempt: Number(row.attempt),
  startedAt: new Date(Number(row.started_at)),
  // Only codes are ever written.
  failureCode: row.failure_code === null ? undefined : (row.failure_code as FailureCode),
});
