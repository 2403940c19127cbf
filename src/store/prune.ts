// Retention: deletes what is older than wanted, in small transactions, so that other writers get their turn in between.
import { nextTurn } from '../async/next-turn.ts';
import { LOAD_COUNTS } from './load-counts.ts';
import { KEY_SECONDS } from './run-reads.ts';
import { list, plain, type Sql, type Statement, sql } from './sql.ts';
import { STEPS } from './stats-window.ts';

const BATCH = 500;
const STARTS = 20;

interface Counters {
  readonly table: Statement;
  readonly condition: Statement;
  /** Seconds. */
  readonly step: number;
}

/** Kept as long as what they count. */
const COUNTERS: readonly Counters[] = [
  ...['skill_invocation_counts', 'skill_agent_counts'].flatMap((table) =>
    STEPS.map((step) => ({ table: plain(table), condition: sql`step = ${step}`, step })),
  ),
  ...LOAD_COUNTS.map(({ table, step }) => ({ table, condition: plain('1 = 1'), step })),
];

export interface Pruned {
  readonly invocations: number;
  readonly loads: number;
}

/** What still runs stays, whatever its age; so does what a key stands for, as long as the key is kept (J3). */
export async function prune(database: Sql, before: Date): Promise<Pruned> {
  const invocations = await repeat(BATCH, () => pruneInvocations(database, before));
  const loads = await repeat(BATCH, () => pruneLoads(database, before));
  for (const counters of COUNTERS) await repeat(STARTS, () => pruneCounts(database, counters, before));
  return { invocations, loads };
}

/** Until less than a full batch was left. */
async function repeat(batch: number, deleteSome: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await deleteSome();
    total += deleted;
    if (deleted < batch) return total;
    await nextTurn();
  }
}

const pruneInvocations = (database: Sql, before: Date): Promise<number> =>
  database.write(function* () {
    const rows = yield sql`SELECT id FROM skill_invocations
      WHERE created_at < ${before} AND status NOT IN ('pending', 'running')
        AND (created_at < ${database.dialect.secondsAgo(KEY_SECONDS)}
          OR id NOT IN (SELECT invocation_id FROM repertoire_keys)) ORDER BY created_at LIMIT ${BATCH}`;
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

/** Some minutes, hours or days at a time. One that is only partly older stays. */
const pruneCounts = (database: Sql, { table, condition, step }: Counters, before: Date): Promise<number> =>
  database.write(function* () {
    const isOld = sql`${condition} AND start <= ${new Date(before.getTime() - step * 1_000)}`;
    const rows = yield sql`SELECT DISTINCT start FROM ${table} WHERE ${isOld} ORDER BY start LIMIT ${STARTS}`;
    if (rows.length === 0) return 0;
    const starts = list(rows.map(({ start }) => new Date(Number(start))));
    yield sql`DELETE FROM ${table} WHERE ${condition} AND start IN ${starts}`;
    return rows.length;
  });
