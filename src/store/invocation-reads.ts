// Invocations as the tables have them: one, whole; or a page, newest first, which ends by bytes as well as by rows, with long
// payloads cut.
import type { InvocationStatus } from '../skills/define/invocation.ts';
import type { InvocationPage, InvocationQuery, LoggedInvocation } from '../skills/record/invocation-log.ts';
import { type Position, readCursor } from '../skills/record/log-cursor.ts';
import { isUuid, uuidsFrom } from '../values/uuid.ts';
import { type LoggedRecord, loggedOf, UUID } from './invocation-record.ts';
import { cutText, LONGEST_LISTED } from './long-payloads.ts';
import { pageLimit, pageOf } from './page.ts';
import { type Dialect, join, list, plain, type Row, type Sql, type Statement, sql } from './sql.ts';

export async function findInvocation(database: Sql, id: string): Promise<LoggedInvocation | undefined> {
  const [row] =
    await database.read(sql`SELECT i.id, i.skill_name, i.invoking_agent, i.owner_key, i.correlation_id, i.status,
      i.created_at, i.input_payload, r.success, r.output_payload, r.failure_code, r.failure_message, r.failure_details,
      r.duration_ms, r.created_at AS ended_at
    FROM skill_invocations i LEFT JOIN skill_results r ON r.invocation_id = i.id WHERE i.id = ${id}`);
  return row && loggedOf(toLogged(row));
}

/** A hundred, and the one behind them. SQLite blocks the event loop while it reads. */
const ROWS_AT_ONCE = 101;

/** Of payloads and what stands around them. Fifty rows, the usual page, always fit. */
const MOST_BYTES = 2 * 2 ** 20;

export async function readInvocationPage(database: Sql, query: InvocationQuery): Promise<InvocationPage> {
  const checked = checkedQuery(query);
  if (checked === undefined) return { invocations: [], nextCursor: undefined };
  const found: LoggedRecord[] = [];
  let last = checked.cursor === undefined ? undefined : readCursor(checked.cursor, UUID);
  for (;;) {
    const wanted = Math.min(ROWS_AT_ONCE, checked.limit + 1 - found.length);
    const rows = await selectListed(database, conditionsOf(checked, last), wanted);
    found.push(...rows.map(toLogged));
    const isFull = found.length > checked.limit || fitting(found) < found.length;
    if (rows.length < wanted || isFull) return invocationPageOf(found, checked.limit);
    last = found.map(positionOf).at(-1);
  }
}

/** Undefined: no invocation can match, and PostgreSQL would refuse the query. */
export function checkedQuery(query: InvocationQuery): InvocationQuery | undefined {
  const { skill = '', agent = '', correlationId } = query;
  if (correlationId !== undefined && !isUuid(correlationId)) return undefined;
  if ([skill, agent].some((text) => text.includes('\0'))) return undefined;
  if ([query.idBegins, query.correlationIdBegins].some(isNoBeginning)) return undefined;
  const ids = query.ids?.filter(isUuid).map((id) => id.toLowerCase());
  if (ids?.length === 0) return undefined;
  return { ...query, ...(ids !== undefined && { ids }), limit: pageLimit(query.limit) };
}

const isNoBeginning = (text: string | undefined): boolean => text !== undefined && uuidsFrom(text) === undefined;

/** `found`: with payloads as a list shows them; more than fit, if there are more. */
export function invocationPageOf(found: readonly LoggedRecord[], limit: number): InvocationPage {
  const { rows, nextCursor } = pageOf(found, Math.min(limit, fitting(found)), positionOf);
  return { invocations: rows.map(loggedOf), nextCursor };
}

const positionOf = ({ record: { createdAt, id } }: LoggedRecord): Position => ({ at: createdAt, id });

/** How many of them make a page; one does in any case. */
function fitting(found: readonly LoggedRecord[]): number {
  let bytes = 0;
  const end = found.findIndex((each, index) => {
    bytes += sizeOf(each);
    return index > 0 && bytes > MOST_BYTES;
  });
  return end === -1 ? found.length : end;
}

/** Roughly: the texts take most of it. */
const sizeOf = ({ record, result }: LoggedRecord): number =>
  500 + record.inputPayload.length + (result?.outputPayload?.length ?? 0) + (result?.failureDetails?.length ?? 0);

/**
 * What an earlier version wrote has no short form beside it: what takes more than this in the database is left out of lists.
 * Numbers take up to 16 times as much in PostgreSQL as in a text.
 */
const MOST_STORED = 16 * LONGEST_LISTED;

/** A payload that is too long is NULL; its size and its beginning stand beside it. */
function selectListed(database: Sql, conditions: readonly Statement[], limit: number): Promise<readonly Row[]> {
  const { dialect } = database;
  return database.read(sql`SELECT i.id, i.skill_name, i.invoking_agent, i.owner_key, i.correlation_id, i.status,
      i.created_at, CASE WHEN li.bytes IS NULL THEN ${unlessLong(dialect, 'i.input_payload')} END AS input_payload,
      coalesce(li.bytes, ${dialect.storedBytes('i.input_payload')}) AS input_bytes, li.begins AS input_begins,
      coalesce(lr.success, r.success) AS success,
      ${unlessLong(dialect, 'r.output_payload')} AS output_payload,
      ${unlessLong(dialect, 'r.failure_details')} AS failure_details,
      coalesce(lr.bytes, ${dialect.storedBytes('r.output_payload')}, ${dialect.storedBytes('r.failure_details')})
        AS result_bytes, lr.begins AS result_begins,
      coalesce(lr.failure_code, r.failure_code) AS failure_code,
      coalesce(lr.failure_message, r.failure_message) AS failure_message,
      coalesce(lr.duration_ms, r.duration_ms) AS duration_ms,
      coalesce(lr.created_at, r.created_at) AS ended_at
    FROM skill_invocations i
    LEFT JOIN skill_long_inputs li ON li.invocation_id = i.id
    LEFT JOIN skill_long_results lr ON lr.invocation_id = i.id
    LEFT JOIN skill_results r ON r.invocation_id = i.id AND lr.invocation_id IS NULL
    WHERE ${join(conditions, ' AND ')} ORDER BY i.created_at DESC, i.id DESC LIMIT ${limit}`);
}

const unlessLong = ({ storedBytes }: Dialect, column: string): Statement =>
  sql`CASE WHEN ${storedBytes(column)} <= ${MOST_STORED} THEN ${plain(column)} END`;

type Filters = Required<Omit<InvocationQuery, 'cursor' | 'limit'>>;

/** One for each filter of the port: the compiler names one that is missing. */
const CONDITIONS: { readonly [Name in keyof Filters]: (value: Filters[Name]) => Statement } = {
  ids: (ids) => sql`i.id IN ${list(ids)}`,
  idBegins: (text) => within('i.id', text),
  skill: (skill) => sql`i.skill_name = ${skill}`,
  agent: (agent) => sql`i.invoking_agent = ${agent}`,
  failureCode: (code) => sql`i.failure_code = ${code}`,
  correlationId: (id) => sql`i.correlation_id = ${id.toLowerCase()}`,
  correlationIdBegins: (text) => within('i.correlation_id', text),
  // The second is implied, but only with it does the planner use the index of uncompleted ones.
  status: (status) =>
    status === 'completed' ? sql`i.status = ${status}` : sql`i.status = ${status} AND i.status <> 'completed'`,
  since: (since) => sql`i.created_at >= ${since}`,
  until: (until) => sql`i.created_at < ${until}`,
};

/** By the first and the last id that begin so: both databases find a range by their index. */
function within(column: string, beginning: string): Statement {
  const [first, last] = uuidsFrom(beginning) ?? [];
  return sql`${plain(column)} >= ${first ?? ''} AND ${plain(column)} <= ${last ?? ''}`;
}

/** Of a row `i` of skill_invocations. */
export function conditionsOf(query: InvocationQuery, last: Position | undefined): readonly Statement[] {
  const conditions = [plain('1 = 1')];
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const value = query[name as keyof Filters];
    // Each condition takes what its own filter holds.
    if (value !== undefined) conditions.push(condition(value as never));
  }
  if (last !== undefined) conditions.push(sql`(i.created_at, i.id) < (${last.at}, ${last.id})`);
  return conditions;
}

const toLogged = (row: Row): LoggedRecord => ({
  record: {
    id: String(row.id),
    skillName: String(row.skill_name),
    invokingAgent: String(row.invoking_agent),
    ownerKey: toText(row.owner_key),
    correlationId: String(row.correlation_id),
    inputPayload: toText(row.input_payload) ?? cutText(toLong(row.input_bytes, row.input_begins)),
    createdAt: new Date(Number(row.created_at)),
  },
  // Only statuses are ever written.
  status: row.status as InvocationStatus,
  result: row.success === null ? undefined : toResult(row),
});

function toResult(row: Row): LoggedRecord['result'] {
  const isSuccess = Boolean(row.success);
  // A failure may have no details: then they have no size.
  const cut = row.result_bytes == null ? null : cutText(toLong(row.result_bytes, row.result_begins));
  return {
    invocationId: String(row.id),
    outputPayload: isSuccess ? (toText(row.output_payload) ?? cut) : null,
    failureCode: toText(row.failure_code),
    failureMessage: toText(row.failure_message),
    failureDetails: isSuccess ? null : (toText(row.failure_details) ?? cut),
    durationMs: Number(row.duration_ms),
    createdAt: new Date(Number(row.ended_at)),
  };
}

const toLong = (bytes: unknown, begins: unknown) => ({ bytes: Number(bytes), begins: toText(begins) ?? '' });

const toText = (value: unknown): string | null => (value === null ? null : String(value));
