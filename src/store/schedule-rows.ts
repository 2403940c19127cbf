// The rows of schedules (J7): whichever process moves one on makes the run of that time, in the same transaction.
import type { FailureCode } from '../skills/define/failure.ts';
import type { InvocationStatus } from '../skills/define/invocation.ts';
import type { KnownTick, NewRun, ScheduleRow } from '../skills/durable/run-store.ts';
import type { ScheduleTick } from '../skills/durable/scheduler.ts';
import { addRun } from './run-writes.ts';
import { type Dialect, type Row, type Sql, type Steps, sql } from './sql.ts';

/** No clock is set back by more than that, unless it was wrong: a time that is later was never reached (F12). */
const WRONG_SECONDS = 86_400;

/**
 * A new one, and one with other times, begins now: what would have been before is not made up. So does one that a wrong clock
 * has moved far ahead, by this process's clock and by the database's: one process with a wrong clock decides nothing.
 */
export function* knowSchedules(
  dialect: Dialect,
  schedules: readonly ScheduleRow[],
  at: Date,
): Steps<ReadonlyMap<string, KnownTick>> {
  const wrong = new Date(at.getTime() + WRONG_SECONDS * 1_000);
  const known = new Map<string, KnownTick>();
  for (const { name, definition } of schedules) {
    yield sql`INSERT INTO repertoire_schedules (name, definition, last_tick) VALUES (${name}, ${definition}, ${at})
      ON CONFLICT (name) DO UPDATE SET definition = excluded.definition, last_tick = excluded.last_tick
      WHERE repertoire_schedules.definition <> excluded.definition OR (repertoire_schedules.last_tick > ${wrong}
        AND repertoire_schedules.last_tick > ${dialect.secondsAgo(-WRONG_SECONDS)})`;
    const [row] = yield sql`SELECT last_tick, last_invocation_id FROM repertoire_schedules WHERE name = ${name}`;
    if (row !== undefined) known.set(name, toTick(row));
  }
  return known;
}

/** `run`: absent where it was refused; the time is used up even so. False: another process moved the row on. */
export function* tickSchedule(
  dialect: Dialect,
  { name, from, to }: ScheduleTick,
  run: NewRun | undefined,
): Steps<boolean> {
  const moved = yield sql`UPDATE repertoire_schedules SET last_tick = ${to},
      last_invocation_id = COALESCE(${run?.invocation.id ?? null}, last_invocation_id)
    WHERE name = ${name} AND last_tick = ${from} RETURNING name`;
  if (moved.length === 0) return false;
  if (run !== undefined) yield* addRun(dialect, run);
  return true;
}

export async function readTicks(database: Sql): Promise<ReadonlyMap<string, KnownTick>> {
  const rows = await database.read(sql`SELECT s.name, s.last_tick, s.last_invocation_id, i.status, i.failure_code
    FROM repertoire_schedules s LEFT JOIN skill_invocations i ON i.id = s.last_invocation_id`);
  return new Map(rows.map((row) => [String(row.name), { ...toTick(row), ...endOf(row) }]));
}

const toTick = (row: Readonly<Record<string, unknown>>): KnownTick => ({
  at: new Date(Number(row.last_tick)),
  invocationId: row.last_invocation_id === null ? undefined : String(row.last_invocation_id),
});

/** Only statuses and codes are ever written; NULL where the log was pruned. */
const endOf = ({ status, failure_code }: Row): Pick<KnownTick, 'status' | 'failureCode'> => ({
  status: status === null ? undefined : (status as InvocationStatus),
  failureCode: failure_code === null ? undefined : (failure_code as FailureCode),
});
