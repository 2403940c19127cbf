// Messages between the processes of one store as rows, and what tells the listeners of a PostgreSQL of them (N3).
import { isRecord } from '../values/is-record.ts';
import type { JsonObject } from '../values/json-object.ts';
import { type Dialect, list, type Row, type Sql, type Statement, type Steps, sql } from './sql.ts';

export interface BusMessage {
  readonly topic: string;
  readonly body: JsonObject;
  /** The id of the process that wrote it. */
  readonly origin: string;
  /** Its own listeners have heard it already. */
  readonly isTold: boolean;
}

/** Without an id it is a notification alone. */
export interface HeardMessage extends BusMessage {
  readonly id: number | undefined;
}

export interface StoredMessage extends BusMessage {
  readonly id: number;
}

/** Part of the transaction that changes something: told to every process, this one included, when that is committed. */
export function* announce(dialect: Dialect, topic: string, body: JsonObject, origin: string): Steps<void> {
  const announced = { topic, body, origin, isTold: false };
  yield* writeMessage(dialect, announced, { announced });
}

/** `mark`: is found with the statement by those who watch the transaction. */
export function* writeMessage(dialect: Dialect, message: BusMessage, mark: Mark = {}): Steps<void> {
  const { topic, body, origin, isTold } = message;
  const insert = sql`INSERT INTO repertoire_events (topic, body, origin, is_told, at)
    VALUES (${topic}, ${JSON.stringify(body)}, ${origin}, ${isTold}, ${writtenAt(dialect)}) RETURNING id`;
  const [row] = yield { ...insert, ...mark };
  if (dialect.kind === 'postgres') yield notify(payloadOf(message, Number(row?.id)));
}

interface Mark {
  readonly announced?: BusMessage;
}

/** What the transaction announces with this statement, which answers the `id` of its row. */
export const findAnnounced = (statement: Statement & Mark): BusMessage | undefined => statement.announced;

/** PostgreSQL's `now()` is when the transaction began: one that takes long would be older than the window of those who read. */
const writtenAt = ({ kind, now }: Dialect): Statement => (kind === 'postgres' ? sql`clock_timestamp()` : now);

/** Of the table, so that two installations in one database do not hear each other. */
export const CHANNEL: Statement = sql`'repertoire_' || 'repertoire_events'::regclass::oid`;

export const notify = (payload: string): Statement => sql`SELECT pg_notify(${CHANNEL}, ${payload})`;

/** PostgreSQL takes less than 8,000 bytes. */
const MOST_PAYLOAD_BYTES = 7_900;

/** All of it, or for a long one where it is to be read. */
function payloadOf(message: BusMessage, id: number): string {
  return findWholePayload(message, id) ?? JSON.stringify([id]);
}

/** Undefined: it is too long. */
export function findWholePayload({ topic, body, origin, isTold }: BusMessage, id: number | null): string | undefined {
  const payload = JSON.stringify([id, origin, isTold, topic, body]);
  return Buffer.byteLength(payload) > MOST_PAYLOAD_BYTES ? undefined : payload;
}

/** What a notification says: a message, or the number of its row. Undefined: not one of ours. */
export function parsePayload(payload: string): HeardMessage | { readonly id: number } | undefined {
  const parts = parseArray(payload);
  if (parts === undefined) return undefined;
  const [id, origin, isTold, topic, body] = parts;
  if (parts.length === 1) return typeof id === 'number' ? { id } : undefined;
  if (typeof origin !== 'string' || typeof topic !== 'string' || !isRecord(body)) return undefined;
  return { id: typeof id === 'number' ? id : undefined, origin, isTold: isTold === true, topic, body };
}

function parseArray(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // Anyone who may connect to the database can send anything.
  }
}

/** Numbers of the rows that were written in the last seconds, oldest first. */
export async function selectRecentIds(database: Sql, seconds: number): Promise<readonly number[]> {
  const rows = await database.read(
    sql`SELECT id FROM repertoire_events WHERE at > ${database.dialect.secondsAgo(seconds)} ORDER BY id`,
  );
  return rows.map(({ id }) => Number(id));
}

const AT_ONCE = 500;

export async function selectMessages(database: Sql, ids: readonly number[]): Promise<readonly StoredMessage[]> {
  const found: StoredMessage[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = list(ids.slice(from, from + AT_ONCE));
    const rows = await database.read(sql`SELECT ${COLUMNS} FROM repertoire_events WHERE id IN ${some} ORDER BY id`);
    found.push(...rows.map(toMessage));
  }
  return found;
}

/** For a database in which numbers become visible in their order. */
export async function selectMessagesAfter(database: Sql, id: number): Promise<readonly StoredMessage[]> {
  const rows = await database.read(
    sql`SELECT ${COLUMNS} FROM repertoire_events WHERE id > ${id} ORDER BY id LIMIT ${AT_ONCE}`,
  );
  return rows.map(toMessage);
}

/** The highest number that SQLite gave away, of rows that were deleted, too. */
export async function selectLastId(database: Sql): Promise<number> {
  const [row] = await database.read(sql`SELECT seq FROM sqlite_sequence WHERE name = 'repertoire_events'`);
  return Number(row?.seq ?? 0);
}

/** How long rows are kept: longer than any outage that a process catches up with by itself. */
export const KEPT_SECONDS = 600;

/** Looked for first: usually there are none, and nothing is written. */
export async function deleteOldMessages(database: Sql): Promise<void> {
  const isOld = sql`at < ${database.dialect.secondsAgo(KEPT_SECONDS)}`;
  const old = await database.read(sql`SELECT 1 AS found FROM repertoire_events WHERE ${isOld} LIMIT 1`);
  if (old.length === 0) return;
  await database.write(function* () {
    yield sql`DELETE FROM repertoire_events WHERE ${isOld}`;
  });
}

const COLUMNS: Statement = sql`id, topic, body, origin, is_told`;

/** `writeMessage` wrote it. */
const toMessage = ({ id, topic, body, origin, is_told: isTold }: Row): StoredMessage => ({
  id: Number(id),
  topic: String(topic),
  body: JSON.parse(String(body)) as JsonObject,
  origin: String(origin),
  isTold: Boolean(isTold),
});
