// Tells the database that this process is alive, while it runs something: otherwise its running invocations would be swept.
import type { ProcessOwner } from './process-owner.ts';
import { type Dialect, type Row, type Sql, type Steps, sql, unread } from './sql.ts';

const RENEW_MS = 10_000;

export interface Lease {
  readonly owner: ProcessOwner;
  /** The database has not heard of us for a while. */
  isDue(): boolean;
  renewed(): void;
  /** It runs from now on; the log says so, or may say so later. */
  began(id: string): void;
  ended(id: string): void;
  isRunning(id: string): boolean;
  /** The database has heard of this process, and nothing of it runs any more. */
  isOver(): boolean;
  stop(): void;
}

/** `renew` never rejects: while the database is away, the next renewal is soon enough. */
export function createLease(owner: ProcessOwner, monotonicMs: () => number, renew: () => Promise<void>): Lease {
  const running = new Set<string>();
  let renewedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  // It stops itself: setting and clearing it around each run would cost more than one look too many.
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

/** A process that did not renew its lease for so long is gone, unless more is known about it. */
export const LEASE_SECONDS = 60;

export interface SeenProcess extends ProcessOwner {
  readonly isExpired: boolean;
}

export function* renewLease(dialect: Dialect, { id, pid, machine, started }: ProcessOwner): Steps<void> {
  yield unread(sql`INSERT INTO repertoire_processes (id, pid, machine, started, last_seen)
    VALUES (${id}, ${pid}, ${machine ?? null}, ${started ?? null}, ${dialect.now})
    ON CONFLICT (id) DO UPDATE SET last_seen = excluded.last_seen`);
}

/** If it is still there and, where the lease decides, still expired: only one of several sweepers gets it. */
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
