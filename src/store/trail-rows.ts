// The rows of the trail, as they are kept: what is compared with its hash must not be read into another form first.
import { plain, type Sql, sql } from './sql.ts';
import type { HashedColumns, SealedHead } from './trail-hash.ts';

export interface TrailRow extends HashedColumns {
  readonly hash: unknown;
}

const PAGE = 500;

const COLUMNS = plain('seq, time_ms, actor, action, subject, digest, details, key_id, previous, hash');

/** In order; before the first (0) also what stands below it, where nothing was ever entered. */
export async function readEntriesAfter(database: Sql, seq: number, most = PAGE): Promise<readonly TrailRow[]> {
  const behind = seq === 0 ? plain('') : sql`WHERE seq > ${seq}`;
  const rows = await database.read(sql`SELECT ${COLUMNS} FROM repertoire_trail ${behind} ORDER BY seq LIMIT ${most}`);
  // The columns are those of the table.
  return rows as readonly (TrailRow & (typeof rows)[number])[];
}

/** The first number up to this one that more than one entry has; 0: an entry has none. Only in a table that lost its key. */
export async function findStray(database: Sql, last: number): Promise<number | undefined> {
  const [row] = await database.read(sql`SELECT seq FROM repertoire_trail WHERE seq IS NULL OR seq <= ${last}
    GROUP BY seq HAVING seq IS NULL OR count(*) > 1 ORDER BY seq LIMIT 1`);
  return row && Number(row.seq);
}

export async function readSealedHead(database: Sql): Promise<SealedHead | undefined> {
  const [row] = await database.read(plain('SELECT seq, hash, key_id, seal FROM repertoire_trail_head WHERE id = 1'));
  return row && { seq: Number(row.seq), hash: String(row.hash), key_id: String(row.key_id), seal: String(row.seal) };
}
