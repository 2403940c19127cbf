// Many begins and ends as one transaction, each with an outcome of its own. A begin and its end in one batch are one row.

import type { FinalStatus, InvocationStatus } from '../skills/define/invocation.ts';
import type { InvocationQuery, LoggedInvocation } from '../skills/record/invocation-log.ts';
import { addCounts } from './invocation-counts.ts';
import { type InvocationRecord, invocationOf, type ResultRecord, resultOf, UUID } from './invocation-record.ts';
import { type Place, readCursor } from './page.ts';
import { join, list, plain, type Row, type Sql, type Statement, type Steps, sql, tuples } from './sql.ts';
import { doubleInvocation, doubleResult, type RecordRefused } from './store-errors.ts';

/** With a result it is the end of a run, without one the beginning. */
export interface LogEntry {
  readonly record: InvocationRecord;
  readonly result: ResultRecord | undefined;
}

/** What a result needs to know of its invocation. */
export interface Ended {
  readonly record: Pick<InvocationRecord, 'skillName'>;
  readonly result: ResultRecord;
}

type EndEntry = LogEntry & Ended;

/** In the order of the entries: undefined for those that are written. */
export type Outcomes = readonly (RecordRefused | undefined)[];

export function* recordBatch(entries: readonly LogEntry[], owner: string): Steps<Outcomes> {
  const { begins, ends, surplus } = sortOut(entries);
  const endOf = new Map(ends.map((end) => [end.record.id, end]));
  const rows = begins.map(({ record }): NewInvocation => {
    return { record, status: endOf.get(record.id)?.result.finalStatus ?? 'running' };
  });
  const inserted = yield* insertInvocations(rows, owner);
  const later = ends.filter(({ record }) => !inserted.has(record.id));
  const ended = new Set([...inserted, ...(yield* endEarlier(later, owner))]);
  const written = ends.filter(({ record }) => ended.has(record.id));
  yield* recordResults(written);
  return entries.map((entry) => {
    const isWritten = !surplus.has(entry) && (entry.result === undefined ? inserted : ended).has(entry.record.id);
    if (isWritten) return undefined;
    return entry.result === undefined ? doubleInvocation() : doubleResult();
  });
}

/** Of invocations that have just been ended. */
export function* recordResults(ends: readonly Ended[]): Steps<void> {
  yield* insertResults(ends.map(({ result }) => result));
  yield* addCounts(
    ends.map(({ record, result }) => ({
      skillName: record.skillName,
      failureCode: result.failureCode,
      durationMs: result.durationMs,
      endedAt: result.createdAt,
    })),
  );
}

/** Ends what is running, and nothing else: a run of which the log knows nothing was counted as lost when its end came. */
export function* endRunning(ends: readonly Ended[]): Steps<void> {
  for (const [status, group] of groupByStatus(ends)) {
    const ids = group.map(({ result }) => result.invocationId);
    const moved = yield* endInvocations(ids, status);
    yield* recordResults(group.filter(({ result }) => moved.has(result.invocationId)));
  }
}

/** Those that began in an earlier batch; those whose beginning was lost are inserted ended. */
function* endEarlier(ends: readonly EndEntry[], owner: string): Steps<readonly string[]> {
  const ended: string[] = [];
  for (const [status, group] of groupByStatus(ends)) {
    const ids = group.map(({ record }) => record.id);
    const moved = yield* endInvocations(ids, status);
    const absent = group.filter(({ record }) => !moved.has(record.id));
    const rows = absent.map(({ record }) => ({ record, status }));
    const inserted = yield* insertInvocations(rows, owner);
    // There after all: one with an end already, or a beginning whose commit had hung and came through just now.
    const there = ids.filter((id) => !moved.has(id) && !inserted.has(id));
    ended.push(...moved, ...inserted, ...(yield* endInvocations(there, status)));
  }
  return ended;
}

function groupByStatus<T extends Ended>(ends: readonly T[]): ReadonlyMap<FinalStatus, readonly T[]> {
  const groups = new Map<FinalStatus, T[]>();
  for (const end of ends) {
    const group = groups.get(end.result.finalStatus);
    if (group === undefined) groups.set(end.result.finalStatus, [end]);
    else group.push(end);
  }
  return groups;
}

/** Surplus: a second begin or end of the same invocation, or a begin after its end. */
function sortOut(entries: readonly LogEntry[]) {
  const begins = new Map<string, LogEntry>();
  const ends = new Map<string, EndEntry>();
  const surplus = new Set<LogEntry>();
  for (const entry of entries) {
    const { id } = entry.record;
    if (ends.has(id) || (entry.result === undefined && begins.has(id))) surplus.add(entry);
    else if (isEnd(entry)) ends.set(id, entry);
    else begins.set(id, entry);
  }
  return { begins: [...begins.values()], ends: [...ends.values()], surplus };
}

const isEnd = (entry: LogEntry): entry is EndEntry => entry.result !== undefined;

export interface NewInvocation {
  readonly record: InvocationRecord;
  readonly status: InvocationStatus;
}

/** Answers the ids that were not there before. */
export function* insertInvocations(rows: readonly NewInvocation[], owner: string): Steps<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const values = rows.map(({ record, status }) => [
    record.id,
    record.skillName,
    record.invokingAgent,
    record.correlationId,
    record.inputPayload,
    status,
    record.createdAt,
    owner,
  ]);
  return idsOf(
    yield sql`INSERT INTO skill_invocations
      (id, skill_name, invoking_agent, correlation_id, input_payload, status, created_at, owner)
      VALUES ${tuples(values)} ON CONFLICT (id) DO NOTHING RETURNING id`,
  );
}

/** Answers the ids that were running. */
export function* endInvocations(ids: readonly string[], status: FinalStatus): Steps<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  return idsOf(
    yield sql`UPDATE skill_invocations SET status = ${status}
      WHERE status = 'running' AND id IN ${list(ids)} RETURNING id`,
  );
}

export function* insertResults(results: readonly ResultRecord[]): Steps<void> {
  if (results.length === 0) return;
  const values = results.map((result) => [
    result.invocationId,
    result.failureCode === null,
    result.outputPayload,
    result.failureCode,
    result.failureMessage,
    result.failureDetails,
    result.durationMs,
    result.createdAt,
  ]);
  yield sql`INSERT INTO skill_results
    (invocation_id, success, output_payload, failure_code, failure_message, failure_details, duration_ms, created_at)
    VALUES ${tuples(values)}`;
}

export async function findInvocation(database: Sql, id: string): Promise<LoggedInvocation | undefined> {
  const [row] = await database.read(sql`${selectLogged} WHERE i.id = ${id}`);
  return row && toLogged(row);
}

/** One more than the limit, if there is one: then there is a next page. */
export async function selectInvocations(database: Sql, query: InvocationQuery): Promise<readonly LoggedInvocation[]> {
  const place = query.cursor === undefined ? undefined : readCursor(query.cursor, UUID);
  const rows = await database.read(
    sql`${selectLogged} WHERE ${join(conditionsOf(query, place), ' AND ')}
      ORDER BY i.created_at DESC, i.id DESC LIMIT ${query.limit + 1}`,
  );
  return rows.map(toLogged);
}

const selectLogged = plain(`SELECT i.id, i.skill_name, i.invoking_agent, i.correlation_id, i.input_payload, i.status,
    i.created_at, r.success, r.output_payload, r.failure_code, r.failure_message, r.failure_details, r.duration_ms,
    r.created_at AS ended_at
  FROM skill_invocations i LEFT JOIN skill_results r ON r.invocation_id = i.id`);

function conditionsOf(query: InvocationQuery, place: Place | undefined): readonly Statement[] {
  const { skill, status, agent, correlationId, since, until } = query;
  const conditions = [plain('1 = 1')];
  if (skill !== undefined) conditions.push(sql`i.skill_name = ${skill}`);
  if (agent !== undefined) conditions.push(sql`i.invoking_agent = ${agent}`);
  if (correlationId !== undefined) conditions.push(sql`i.correlation_id = ${correlationId.toLowerCase()}`);
  if (status !== undefined) conditions.push(sql`i.status = ${status}`);
  // Said again, because only these words lead a planner to the index of uncompleted ones.
  if (status !== undefined && status !== 'completed') conditions.push(plain("i.status <> 'completed'"));
  if (since !== undefined) conditions.push(sql`i.created_at >= ${since}`);
  if (until !== undefined) conditions.push(sql`i.created_at < ${until}`);
  if (place !== undefined) conditions.push(sql`(i.created_at, i.id) < (${place.at}, ${place.id})`);
  return conditions;
}

function toLogged(row: Row): LoggedInvocation {
  const record = {
    id: String(row.id),
    skillName: String(row.skill_name),
    invokingAgent: String(row.invoking_agent),
    correlationId: String(row.correlation_id),
    inputPayload: String(row.input_payload),
    createdAt: new Date(Number(row.created_at)),
  };
  // Only statuses are ever written.
  const invocation = invocationOf(record, row.status as InvocationStatus);
  return { invocation, result: row.success === null ? undefined : resultOf(toResultRecord(row)) };
}

function toResultRecord(row: Row): Omit<ResultRecord, 'finalStatus'> {
  return {
    invocationId: String(row.id),
    outputPayload: toText(row.output_payload),
    failureCode: toText(row.failure_code),
    failureMessage: toText(row.failure_message),
    failureDetails: toText(row.failure_details),
    durationMs: Number(row.duration_ms),
    createdAt: new Date(Number(row.ended_at)),
  };
}

const toText = (value: unknown): string | null => (value === null ? null : String(value));

const idsOf = (rows: readonly Row[]): ReadonlySet<string> => new Set(rows.map(({ id }) => String(id)));
