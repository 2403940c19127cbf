// Retention: deletes what is older than wanted, in small transactions, so that writers come through in between.
import { list, type Sql, sql } from './sql.ts';
import { HOUR, STEPS } from './stats-window.ts';

const BATCH = 500;
const STARTS = 20;

export interface Pruned {
  readonly invocations: number;
  readonly loads: number;
}

/** What runs stays, whatever its age. */
export async function prune(database: Sql, before: Date): Promise<Pruned> {
  const invocations = await repeat(BATCH, () => pruneInvocations(database, before));
  const loads = await repeat(BATCH, () => pruneLoads(database, before));
  for (const step of STEPS) await repeat(STARTS, () => pruneCounts(database, step, before));
  await pruneLoadCounts(database, before);
  return { invocations, loads };
}

/** Until less than a full batch was left. */
async function repeat(batch: number, deleteSome: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await deleteSome();
    total += deleted;
    if (deleted < batch) return total;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const pruneInvocations = (database: Sql, before: Date): Promise<number> =>
  database.write(function* () {
    const rows = yield sql`SELECT id FROM skill_invocations
      WHERE created_at < ${before} AND status NOT IN ('pending', 'running') ORDER BY created_at LIMIT ${BATCH}`;
    if (rows.length === 0) return 0;
    const ids = list(rows.map(({ id }) => String(id)));
    yield sql`DELETE FROM skill_results WHERE invocation_id IN ${ids}`;
    yield sql`DELETE FROM skill_invocations WHERE id IN ${ids}`;
    return rows.length;
  });

const pruneLoads = (database: Sql, before: Date): Promise<number> =>
  database.write(function* () {
    const rows = yield sql`DELETE FROM skill_loads WHERE id IN
      (SELECT id FROM skill_loads WHERE loaded_at < ${before} ORDER BY loaded_at LIMIT ${BATCH}) RETURNING id`;
    return rows.length;
  });

/** Some minutes, hours or days at a time; one that the limit cuts stays. */
const pruneCounts = (database: Sql, step: number, before: Date): Promise<number> =>
  database.write(function* () {
    const whole = new Date(before.getTime() - step * 1_000);
    const rows = yield sql`SELECT DISTINCT start FROM skill_invocation_counts
      WHERE step = ${step} AND start <= ${whole} ORDER BY start LIMIT ${STARTS}`;
    if (rows.length === 0) return 0;
    const starts = list(rows.map(({ start }) => new Date(Number(start))));
    yield sql`DELETE FROM skill_invocation_counts WHERE step = ${step} AND start IN ${starts}`;
    return rows.length;
  });

const pruneLoadCounts = (database: Sql, before: Date): Promise<void> =>
  database.write(function* () {
    yield sql`DELETE FROM skill_load_counts WHERE start <= ${new Date(before.getTime() - HOUR * 1_000)}`;
  });
