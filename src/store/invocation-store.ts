// The log of invocations on a database: implements the port that skills/ declares.
import type { InvocationStatus } from '../skills/define/invocation.ts';
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
import { invocationOf, type ResultRecord, recordOf, resultOf, resultRecordOf, UUID } from './invocation-record.ts';
import { type Ended, type LogEntry, type Outcomes, recordBatch } from './invocation-writes.ts';
import { createLateEnds, type LateEnds } from './late-ends.ts';
import { type Lease, renewLease } from './lease.ts';
import type { StoreLimits } from './limits.ts';
import { type Position, pageLimit, pageOf, readCursor } from './page.ts';
import { join, plain, type Row, type Sql, type Statement, sql } from './sql.ts';
import { windowOf } from './stats-window.ts';
import { RecordRefused } from './store-errors.ts';

export interface InvocationStore extends InvocationLog {
  /** It runs in this process, or its end waits to be written: a sweep must not close it. */
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
    // The store is back. No caller waits for these.
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
    // Before it is written: a write that was given up as too slow may still come through.
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
    return invocationPageOf(await selectInvocations(database, checked), checked.limit);
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

/** The transaction that leaves something running also renews the lease, so that no sweep comes in between. */
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

/** Roughly: the texts take most of it. */
function sizeOf({ record, result }: LogEntry): number {
  const resultSize = (result?.outputPayload?.length ?? 0) + (result?.failureDetails?.length ?? 0);
  return 500 + record.inputPayload.length + resultSize;
}

const isDouble = (error: unknown) => error instanceof RecordRefused && error.reason === 'double';

/** Undefined: no invocation can match, and PostgreSQL would refuse the query. */
export function checkedQuery(query: InvocationQuery): InvocationQuery | undefined {
  const { skill = '', agent = '', correlationId } = query;
  if (correlationId !== undefined && !isUuid(correlationId)) return undefined;
  if ([skill, agent].some((text) => text.includes('\0'))) return undefined;
  return { ...query, limit: pageLimit(query.limit) };
}

/** `found`: one more than the limit if there are more. */
export function invocationPageOf(found: readonly LoggedInvocation[], limit: number): InvocationPage {
  const positionOf = ({ invocation: { timestamp, id } }: LoggedInvocation) => ({ at: timestamp, id });
  const { rows, nextCursor } = pageOf(found, limit, positionOf);
  return { invocations: rows, nextCursor };
}

async function findInvocation(database: Sql, id: string): Promise<LoggedInvocation | undefined> {
  const [row] = await database.read(sql`${selectLogged} WHERE i.id = ${id}`);
  return row && toLogged(row);
}

/** One more than the limit, if there is one: then there is a next page. */
async function selectInvocations(database: Sql, query: InvocationQuery): Promise<readonly LoggedInvocation[]> {
  const last = query.cursor === undefined ? undefined : readCursor(query.cursor, UUID);
  const rows = await database.read(
    sql`${selectLogged} WHERE ${join(conditionsOf(query, last), ' AND ')}
      ORDER BY i.created_at DESC, i.id DESC LIMIT ${query.limit + 1}`,
  );
  return rows.map(toLogged);
}

const selectLogged = plain(`SELECT i.id, i.skill_name, i.invoking_agent, i.correlation_id, i.input_payload, i.status,
    i.created_at, r.success, r.output_payload, r.failure_code, r.failure_message, r.failure_details, r.duration_ms,
    r.created_at AS ended_at
  FROM skill_invocations i LEFT JOIN skill_results r ON r.invocation_id = i.id`);

type Filters = Required<Omit<InvocationQuery, 'cursor' | 'limit'>>;

/** One for each filter of the port: the compiler names one that is missing. */
const CONDITIONS: { readonly [Name in keyof Filters]: (value: Filters[Name]) => Statement } = {
  skill: (skill) => sql`i.skill_name = ${skill}`,
  agent: (agent) => sql`i.invoking_agent = ${agent}`,
  correlationId: (id) => sql`i.correlation_id = ${id.toLowerCase()}`,
  // The second is implied, but only with it does the planner use the index of uncompleted ones.
  status: (status) =>
    status === 'completed' ? sql`i.status = ${status}` : sql`i.status = ${status} AND i.status <> 'completed'`,
  since: (since) => sql`i.created_at >= ${since}`,
  until: (until) => sql`i.created_at < ${until}`,
};

function conditionsOf(query: InvocationQuery, last: Position | undefined): readonly Statement[] {
  const conditions = [plain('1 = 1')];
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const value = query[name as keyof Filters];
    // Each condition takes what its own filter holds.
    if (value !== undefined) conditions.push(condition(value as never));
  }
  if (last !== undefined) conditions.push(sql`(i.created_at, i.id) < (${last.at}, ${last.id})`);
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
