// The processes that hold runs (J5). Of those of this machine the pid tells more than a lease: one that is gone has lost its runs at
// once, and one that lives keeps them, though it may be halted for a while. Of others nothing is known but their leases.
import { selectProcesses } from './lease.ts';
import type { ProcessOwner } from './process-owner.ts';
import { type Dialect, list, type Sql, type Statement, type Steps, sql } from './sql.ts';

export interface RunHolders {
  /** Frees what processes of this machine held that are gone; answers the ids of those that live. Looks once a second at most. */
  look(): Promise<readonly string[]>;
  /** By a process of this machine that lives. */
  isHeld(runId: string): Promise<boolean>;
}

export interface RunHoldersParts {
  /** This process, as other rows name it. */
  readonly self: ProcessOwner;
  /** Whether a process of this machine has ended. */
  readonly isGone: (owner: ProcessOwner) => boolean;
  readonly monotonicMs: () => number;
}

const LOOK_MS = 1_000;

export function createRunHolders(database: Sql, { self, isGone, monotonicMs }: RunHoldersParts): RunHolders {
  /** Nothing comes back from the dead: they are freed once. */
  const freed = new Set<string>();
  let living: readonly string[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  const neighbours = async () =>
    (await selectProcesses(database)).filter(
      ({ id, machine }) => id !== self.id && machine !== undefined && machine === self.machine,
    );
  return {
    look: async () => {
      if (monotonicMs() - lookedAt < LOOK_MS) return living;
      lookedAt = monotonicMs();
      const known = await neighbours();
      const gone = known.filter((process) => freed.has(process.id) || isGone(process)).map(({ id }) => id);
      const newlyGone = gone.filter((id) => !freed.has(id));
      // In one go: a process that begins finds all that died before it.
      if (newlyGone.length > 0) await database.write(() => freeRunsOf(database.dialect, newlyGone));
      for (const id of newlyGone) freed.add(id);
      living = known.map(({ id }) => id).filter((id) => !gone.includes(id));
      return living;
    },
    isHeld: async (runId) => {
      const [row] = await database.read(sql`SELECT taken_by FROM repertoire_runs WHERE id = ${runId}`);
      if (typeof row?.taken_by !== 'string' || row.taken_by === self.id) return false;
      const owner = (await neighbours()).find(({ id }) => id === row.taken_by);
      return owner !== undefined && !isGone(owner);
    },
  };
}

/** Their process is gone: others need not wait for the end of its lease. */
export function* freeRunsOf(dialect: Dialect, processes: readonly string[]): Steps<void> {
  yield sql`UPDATE repertoire_runs SET lease_until = ${dialect.secondsAgo(1)}
    WHERE taken_by IN ${list(processes)} AND NOT is_over`;
}

/** No lease is that long: the clock was ahead when it was written, and has gone back since (F12). */
const NO_LEASE_SECONDS = 120;

/** Of a row of `repertoire_runs`: no process holds it. */
export const isFree = (dialect: Dialect): Statement =>
  sql`(lease_until IS NULL OR lease_until < ${dialect.now} OR lease_until > ${dialect.secondsAgo(-NO_LEASE_SECONDS)})`;

/** No wait for the next attempt is that long: the clock was ahead when it was written (F12). */
const NO_WAIT_SECONDS = 7_200;

/** Its time has come. One that never ran has waited for nothing but its turn, whatever the clock did since. */
export const isDue = (dialect: Dialect): Statement =>
  sql`(attempt = 0 OR not_before <= ${dialect.now} OR not_before > ${dialect.secondsAgo(-NO_WAIT_SECONDS)})`;
