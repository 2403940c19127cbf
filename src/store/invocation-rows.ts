// The SQL of invocations and their results. A status only ever leaves `running`, and whoever moves it writes the one result.
import type { FinalStatus, InvocationStatus } from '../skills/invocation.ts';
import type { InvocationQuery, LoggedInvocation } from '../skills/invocation-log.ts';
import { type Place, readCursor } from './cursor.ts';
import { type InvocationRecord, invocationOf, type ResultRecord, resultOf, UUID } from './invocation-record.ts';
import { join, list, plain, type Row, type Sql, type Statement, type Steps, sql, tuples } from './sql.ts';

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
