// Says to the database that this process lives, while it runs something: else its running invocations would be swept.
import type { ProcessOwner } from './process-owner.ts';
import { type Dialect, type Row, type Sql, type Steps, sql } from './sql.ts';

const RENEW_MS = 10_000;

export interface Lease {
  readonly owner: ProcessOwner;
  /** The database has not heard of us for a while. */
  isDue(): boolean;
  renewed(): void;
  /** It runs from now on; the log says so, or may say so at any time. */
  began(id: string): void;
  ended(id: string): void;
  isRunning(id: string): boolean;
  /** The database has heard of this process, and nothing of it runs any more. */
  isOver(): boolean;
  stop(): void;
}

/** `renew` never rejects: when the database is away, the next time will do. */
export function createLease(owner: ProcessOwner, monotonicMs: () => number, renew: () => Promise<void>): Lease {
  const running = new Set<string>();
  let renewedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  // It ends itself: to set and clear it around each run would cost more than to let it look once for nothing.
  const look = () => {
    if (running.size === 0) stop();
    else void renew();
  };
  return {
    owner,
    isDue: () => monotonicMs() - renewedAt >= RENEW_MS,
    renewed() {
      renewedAt = monotonicMs();
    },
    began(id) {
      running.add(id);
      timer ??= setInterval(look, RENEW_MS).unref();
    },
    ended(id) {
      running.delete(id);
    },
    isRunning: (id) => running.has(id),
    isOver: () => running.size === 0 && renewedAt > Number.NEGATIVE_INFINITY,
    stop,
  };
}

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
