// The SQL of processes: each says from time to time that it lives, by the database's clock.

import type { ProcessOwner } from './process-owner.ts';
import { type Dialect, type Row, type Sql, type Steps, sql } from './sql.ts';

/** A process of which nothing was heard for so long is gone, if nothing better is known about it. */
export const LEASE_SECONDS = 60;

export interface SeenProcess extends ProcessOwner {
  readonly isExpired: boolean;
}

export function* renewLease(dialect: Dialect, { id, pid, machine, started }: ProcessOwner): Steps<void> {
  yield sql`INSERT INTO repertoire_processes (id, pid, machine, started, last_seen)
    VALUES (${id}, ${pid}, ${machine ?? null}, ${started ?? null}, ${dialect.now})
    ON CONFLICT (id) DO UPDATE SET last_seen = excluded.last_seen`;
}

/** If it is still there and, where the lease decides, still expired: one of several sweepers gets it. */
export function* removeProcess(dialect: Dialect, id: string, byLease: boolean): Steps<Date | undefined> {
  const [row] = byLease
    ? yield sql`DELETE FROM repertoire_processes
        WHERE id = ${id} AND last_seen < ${dialect.secondsAgo(LEASE_SECONDS)} RETURNING last_seen`
    : yield sql`DELETE FROM repertoire_processes WHERE id = ${id} RETURNING last_seen`;
  return row && new Date(Number(row.last_seen));
}

export async function selectProcesses(database: Sql): Promise<readonly SeenProcess[]> {
  const rows = await database.read(
    sql`SELECT id, pid, machine, started,
        CASE WHEN last_seen < ${database.dialect.secondsAgo(LEASE_SECONDS)} THEN 1 ELSE 0 END AS expired
      FROM repertoire_processes`,
  );
  return rows.map(toProcess);
}

const toProcess = (row: Row): SeenProcess => ({
  id: String(row.id),
  pid: Number(row.pid),
  machine: row.machine === null ? undefined : String(row.machine),
  started: row.started === null ? undefined : String(row.started),
  isExpired: row.expired === 1,
});
