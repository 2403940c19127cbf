// Which time is believed when old records are deleted. A clock that is far ahead deletes nothing: it is believed when it has
// stood by its word for a day (F12). One that goes back is believed at once, for it makes records younger.
import { type Row, type Sql, type Steps, sql } from './sql.ts';

const HOUR_MS = 3_600_000;
/** How long a clock that leapt has to stay there. */
const PROOF_MS = 24 * HOUR_MS;

/**
 * How far the clock may go ahead between two looks: half of the time that records are kept, so that none of the fresh half
 * is deleted. At most a week, and more than the hour between two looks. Who was off for longer waits a day.
 */
const leapOf = (keepMs: number): number => Math.max(2 * HOUR_MS, Math.min(7 * 24 * HOUR_MS, keepMs / 2));

/** Milliseconds since 1970. */
interface ClockState {
  /** Undefined: there were no records yet that it could delete. */
  readonly believed: number | undefined;
  /** When the clock first said what is not believed yet, by that clock. */
  readonly claimed: number | undefined;
}

export interface BelievedTime {
  readonly time: Date;
  /** How far the clock is ahead of it, from the look on that found it so. */
  readonly newDoubtMs: number | undefined;
}

/** `now`: of this process. PostgreSQL has a clock of its own, the same for all that use it, which counts instead. */
export const believeClock = (database: Sql, now: Date, keepMs: number): Promise<BelievedTime> =>
  database.write(function* (): Steps<BelievedTime> {
    const { dialect } = database;
    const [row] = yield sql`SELECT believed, claimed, ${dialect.now} AS now FROM repertoire_clock WHERE id = 1`;
    const nowMs = dialect.kind === 'postgres' && row !== undefined ? Number(row.now) : now.getTime();
    const before = withNewest(stateOf(row), row?.believed == null ? yield* newestRecord() : undefined);
    const after = judgeClock(before, nowMs, leapOf(keepMs));
    yield sql`INSERT INTO repertoire_clock (id, believed, claimed) VALUES (1, ${dateOf(after.believed)}, ${dateOf(after.claimed)})
      ON CONFLICT (id) DO UPDATE SET believed = excluded.believed, claimed = excluded.claimed`;
    const isNews = after.claimed !== undefined && after.claimed !== before.claimed;
    return { time: new Date(after.believed), newDoubtMs: isNews ? nowMs - after.believed : undefined };
  });

/** A log that was never looked at, of commands alone: its own newest record is the time that is believed. */
const withNewest = (state: ClockState, newest: number | undefined): ClockState =>
  state.believed === undefined && newest !== undefined ? { ...state, believed: newest } : state;

function* newestRecord(): Steps<number | undefined> {
  const [ran] = yield sql`SELECT MAX(created_at) AS at FROM skill_invocations`;
  const [read] = yield sql`SELECT MAX(loaded_at) AS at FROM skill_loads`;
  const times = [timeOf(ran?.at), timeOf(read?.at)].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}

export function judgeClock(
  { believed, claimed }: ClockState,
  nowMs: number,
  leapMs: number,
): ClockState & { readonly believed: number } {
  if (believed === undefined || nowMs <= believed + leapMs) return { believed: nowMs, claimed: undefined };
  // Leapt again since: what it says now has to stay itself.
  if (claimed !== undefined && nowMs > claimed + PROOF_MS + leapMs) return { believed, claimed: nowMs };
  if (claimed !== undefined && nowMs >= claimed + PROOF_MS) return { believed: nowMs, claimed: undefined };
  // Another process, or a corrected clock, that says less than the claim: its own word counts from now on.
  return { believed, claimed: Math.min(claimed ?? nowMs, nowMs) };
}

const stateOf = (row: Row | undefined): ClockState => ({
  believed: timeOf(row?.believed),
  claimed: timeOf(row?.claimed),
});

const timeOf = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);

const dateOf = (milliseconds: number | undefined): Date | null =>
  milliseconds === undefined ? null : new Date(milliseconds);
