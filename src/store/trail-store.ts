// The trail on a database: page by page, newest first (L5). Entries are made by trail-writer.ts and looked at by verify-trail.ts.
import { EMPTY_HEAD, type Trail, type TrailEntry, type TrailHead, type TrailQuery } from '../identity/trail.ts';
import { BadCursor } from '../skills/record/invocation-log.ts';
import { isRecord } from '../values/is-record.ts';
import { pageLimit } from './page.ts';
import { plain, type Row, type Sql, sql } from './sql.ts';
import type { TrailKeys } from './trail-keys.ts';
import type { TrailWriter } from './trail-writer.ts';
import { verifyTrail } from './verify-trail.ts';

export interface TrailStoreParts {
  readonly database: Sql;
  readonly writer: TrailWriter;
  readonly keys: TrailKeys;
}

export const createTrailStore = ({ database, writer, keys }: TrailStoreParts): Trail => ({
  async list({ limit, cursor }) {
    const before = cursor === undefined ? undefined : readCursor(cursor);
    const most = pageLimit(limit);
    const found = (await selectEntries(database, { limit: most + 1, before })).map(toEntry);
    const entries = found.slice(0, most);
    // Read after the entries: it may be ahead of them, never behind.
    const head = await selectHead(database);
    return { head, entries, nextCursor: found.length > most ? String(entries.at(-1)?.seq) : undefined };
  },
  note: (note) => database.write(() => writer.append(note)),
  verify: (check = {}) => verifyTrail(database, keys, check),
});

/** The place of the entry that was shown last. */
function readCursor(cursor: string): number {
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor);
  throw new BadCursor('Cannot go on with the list: the cursor is none of ours; ask again without it');
}

interface Wanted extends Pick<TrailQuery, 'limit'> {
  readonly before: number | undefined;
}

const selectEntries = (database: Sql, { limit, before }: Wanted): Promise<readonly Row[]> =>
  database.read(sql`SELECT seq, time_ms, actor, action, subject, digest, details, hash FROM repertoire_trail
    ${before === undefined ? plain('') : sql`WHERE seq < ${before}`} ORDER BY seq DESC LIMIT ${limit}`);

async function selectHead(database: Sql): Promise<TrailHead> {
  const [row] = await database.read(plain('SELECT seq, hash FROM repertoire_trail_head WHERE id = 1'));
  return row === undefined ? EMPTY_HEAD : { seq: Number(row.seq), hash: String(row.hash) };
}

const toEntry = (row: Row): TrailEntry => ({
  seq: Number(row.seq),
  time: timeOf(Number(row.time_ms)),
  actor: String(row.actor),
  action: String(row.action),
  subject: String(row.subject),
  digest: row.digest === null ? undefined : String(row.digest),
  details: row.details === null ? undefined : detailsOf(String(row.details)),
  hash: String(row.hash),
});

/** What was tampered with may be no moment. */
const timeOf = (ms: number): Date => new Date(Math.abs(ms) <= 8.64e15 ? ms : 0);

/** What was tampered with is shown without them; `verify` says what is wrong with it. */
function detailsOf(text: string): TrailEntry['details'] {
  try {
    const details: unknown = JSON.parse(text);
    return isRecord(details) ? details : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
