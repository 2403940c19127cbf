// Many begins and ends as one transaction, each with an outcome of its own. A begin and its end in one batch are one row.

import type { FinalStatus, InvocationStatus } from '../skills/define/invocation.ts';
import { orderedIdAt } from '../values/ordered-ids.ts';
import { addCounts } from './invocation-counts.ts';
import type { InvocationRecord, ResultRecord } from './invocation-record.ts';
import { insertLongInputs, insertLongResults } from './long-payloads.ts';
import { list, type Row, type Steps, sql, tuples, unread } from './sql.ts';
import { doubleInvocation, doubleResult, type RecordRefused } from './store-errors.ts';

/** With a result it is the end of a run, without one the beginning. */
export interface LogEntry {
  readonly record: InvocationRecord;
  readonly result: ResultRecord | undefined;
}

/** What a result needs to know of its invocation. */
export interface Ended {
  readonly record: Pick<InvocationRecord, 'skillName' | 'invokingAgent'>;
  readonly result: ResultRecord;
}

type EndEntry = LogEntry & Ended;

/** In the order of the entries: undefined for those that are written. */
export type Outcomes = readonly (RecordRefused | undefined)[];

export function* recordBatch(entries: readonly LogEntry[], owner: string): Steps<Outcomes> {
  const { begins, ends, surplus } = sortOut(entries);
  const endOf = new Map(ends.map((end) => [end.record.id, end]));
  const rows = begins.map(({ record }): NewInvocation => {
    return { record, state: stateOf(endOf.get(record.id)?.result) };
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
      invokingAgent: record.invokingAgent,
      failureCode: result.failureCode,
      durationMs: result.durationMs,
      endedAt: result.createdAt,
    })),
  );
}

/** Ends what is running, and nothing else: a run that the log does not know was counted as lost when it ended. */
export function* endRunning(ends: readonly Ended[]): Steps<void> {
  for (const { state, group } of groupByState(ends)) {
    const ids = group.map(({ result }) => result.invocationId);
    const moved = yield* endInvocations(ids, state);
    yield* recordResults(group.filter(({ result }) => moved.has(result.invocationId)));
  }
}

/** Those that began in an earlier batch; those whose beginning was lost are inserted ended. */
function* endEarlier(ends: readonly EndEntry[], owner: string): Steps<readonly string[]> {
  const ended: string[] = [];
  for (const { state, group } of groupByState(ends)) {
    const ids = group.map(({ record }) => record.id);
    const moved = yield* endInvocations(ids, state);
    const absent = group.filter(({ record }) => !moved.has(record.id));
    const rows = absent.map(({ record }) => ({ record, state }));
    const inserted = yield* insertInvocations(rows, owner);
    // There after all: it has ended already, or its beginning was committed just now, after a wait.
    const there = ids.filter((id) => !moved.has(id) && !inserted.has(id));
    ended.push(...moved, ...inserted, ...(yield* endInvocations(there, state)));
  }
  return ended;
}

interface EndGroup<T> {
  readonly state: FinalState;
  readonly group: readonly T[];
}

function groupByState<T extends Ended>(ends: readonly T[]): Iterable<EndGroup<T>> {
  const groups = new Map<string, { readonly state: FinalState; readonly group: T[] }>();
  for (const end of ends) {
    const { finalStatus: status, failureCode } = end.result;
    const key = `${status} ${failureCode}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { state: { status, failureCode }, group: [end] });
    else known.group.push(end);
  }
  return groups.values();
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

interface NewInvocation {
  readonly record: InvocationRecord;
  readonly state: State;
}

interface State {
  readonly status: InvocationStatus;
  /** Null while it runs, and when it went well. */
  readonly failureCode: string | null;
}

type FinalState = State & { readonly status: FinalStatus };

const stateOf = (result: ResultRecord | undefined): State =>
  result === undefined
    ? { status: 'running', failureCode: null }
    : { status: result.finalStatus, failureCode: result.failureCode };

/** Answers the ids that were not there before. */
export function* insertInvocations(rows: readonly NewInvocation[], owner: string | null): Steps<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const values = rows.map(({ record, state }) => [
    record.id,
    record.skillName,
    record.invokingAgent,
    record.correlationId,
    record.inputPayload,
    state.status,
    record.createdAt,
    owner,
    state.failureCode,
    record.ownerKey,
  ]);
  const inserted = idsOf(
    yield sql`INSERT INTO skill_invocations
      (id, skill_name, invoking_agent, correlation_id, input_payload, status, created_at, owner, failure_code, owner_key)
      VALUES ${tuples(values)} ON CONFLICT (id) DO NOTHING RETURNING id`,
  );
  yield* insertLongInputs(rows.map(({ record }) => record).filter(({ id }) => inserted.has(id)));
  return inserted;
}

/** Answers the ids that were running. */
export function* endInvocations(
  ids: readonly string[],
  { status, failureCode }: FinalState,
): Steps<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  return idsOf(
    yield sql`UPDATE skill_invocations SET status = ${status}, failure_code = ${failureCode}
      WHERE status = 'running' AND id IN ${list(ids)} RETURNING id`,
  );
}

export function* insertResults(results: readonly ResultRecord[]): Steps<void> {
  if (results.length === 0) return;
  const values = results.map((result) => [
    orderedIdAt(result.createdAt),
    result.invocationId,
    result.failureCode === null,
    result.outputPayload,
    result.failureCode,
    result.failureMessage,
    result.failureDetails,
    result.durationMs,
    result.createdAt,
  ]);
  yield unread(sql`INSERT INTO skill_results
    (id, invocation_id, success, output_payload, failure_code, failure_message, failure_details, duration_ms, created_at)
    VALUES ${tuples(values)}`);
  yield* insertLongResults(results);
}

const idsOf = (rows: readonly Row[]): ReadonlySet<string> => new Set(rows.map(({ id }) => String(id)));
