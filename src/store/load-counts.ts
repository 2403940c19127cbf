// The SQL of counted loads (D9), per minute and per hour. Added to in the transaction of the loads, so they are exact.
import type { Load } from '../repertoire/load-log.ts';
import type { StoreKind } from '../settings/store-place.ts';
import { keptName } from './kept-load.ts';
import { join, plain, type Sql, type Statement, type Steps, sql, unread } from './sql.ts';
import { ceilTo, floorTo, HOUR, MINUTE, type Range, rangesOf } from './stats-window.ts';

export interface StepLoads {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly loads: number;
}

interface LoadCount extends StepLoads {
  readonly skillName: string;
}

/** From a moment up to before another, in milliseconds since 1970: whole minutes. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const MINUTES = plain('skill_load_minutes');
const HOURS = plain('skill_load_counts');

/** The tables with the length of their steps in seconds. Every writer takes them in this order. */
export const LOAD_COUNTS = [
  { table: MINUTES, step: MINUTE },
  { table: HOURS, step: HOUR },
] as const;

export function* addLoadCounts(kind: StoreKind, loads: readonly Load[]): Steps<void> {
  if (loads.length === 0) return;
  let counts = loads.map(({ skillName, loadedAt }): LoadCount => ({ start: loadedAt.getTime(), skillName, loads: 1 }));
  for (const { step, table } of LOAD_COUNTS) {
    // Hours from the minutes, which are fewer than the loads.
    counts = sumBy(step, counts);
    yield unread(sql`INSERT INTO ${table} AS counted (start, skill_name, loads) ${rowsOf[kind](counts)}
      ON CONFLICT (start, skill_name) DO UPDATE SET loads = counted.loads + excluded.loads`);
  }
}

/** One per start and skill, sorted: writers that take the same rows in the same order never deadlock. */
function sumBy(step: number, counts: readonly LoadCount[]): LoadCount[] {
  const starts = new Map<number, Map<string, number>>();
  for (const { start, skillName, loads } of counts) {
    const at = floorTo(start, step);
    const sums = starts.get(at) ?? new Map<string, number>();
    starts.set(at, sums.set(skillName, (sums.get(skillName) ?? 0) + loads));
  }
  const sorted = [...starts].sort(([a], [b]) => a - b);
  return sorted.flatMap(([start, sums]) => {
    const byName = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
    return byName.map(([skillName, loads]) => ({ start, skillName, loads }));
  });
}

// As one value, like the loads themselves. Without WHERE, SQLite would take ON for that of a join.
const rowsOf = {
  sqlite: (counts) => {
    const rows = counts.map(({ start, skillName, loads }) => [start, skillName, loads]);
    return sql`SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${JSON.stringify(rows)}) WHERE true`;
  },
  postgres: (counts) => sql`SELECT to_timestamp(start / 1000), "skillName", loads
    FROM json_to_recordset(${JSON.stringify(counts)}) AS row(start FLOAT8, "skillName" TEXT, loads BIGINT)`,
} satisfies Record<StoreKind, (counts: readonly LoadCount[]) => Statement>;

/** By minute or by hour; by hour with minutes at the edges. */
export async function readLoadsByStep(
  database: Sql,
  { from, to }: Span,
  step: number,
  documents?: readonly string[],
): Promise<readonly StepLoads[]> {
  const ranges = rangesOf(from, to, step);
  if (ranges.length === 0) return [];
  // Each summed apart, along its key: summed together, SQLite would sort all of them first.
  const counters = ranges.map((range) => countersOf(range, documents, database));
  const parts = counters.map((each) => sql`SELECT start, sum(loads) AS loads FROM ${each} GROUP BY start`);
  const rows = await database.read(join(parts, ' UNION ALL '));
  return rows.map((row) => ({ start: Number(row.start), loads: Number(row.loads) }));
}

/** Of one skill, by hour with minutes at the edges. */
export async function readLoadsOf(database: Sql, { from, to }: Span, skill: string): Promise<readonly StepLoads[]> {
  const ranges = rangesOf(from, to, HOUR);
  if (ranges.length === 0) return [];
  const parts = ranges.map((range) => sql`SELECT start, loads FROM ${countersIn(range)} AND skill_name = ${skill}`);
  const rows = await database.read(join(parts, ' UNION ALL '));
  return rows.map((row) => ({ start: Number(row.start), loads: Number(row.loads) }));
}

export async function readMostLoaded(database: Sql, { from, to }: Span, most: number, documents?: readonly string[]) {
  const ranges = rangesOf(from, to, HOUR);
  if (ranges.length === 0) return [];
  const counters = ranges.map((range) => countersOf(range, documents, database));
  const parts = counters.map((each) => sql`SELECT skill_name, loads FROM ${each}`);
  const rows = await database.read(
    sql`SELECT skill_name, sum(loads) AS loads FROM (${join(parts, ' UNION ALL ')}) AS counted
      GROUP BY skill_name ORDER BY sum(loads) DESC, skill_name LIMIT ${most}`,
  );
  return rows.map(({ skill_name, loads }) => ({ skillName: String(skill_name), loadCount: Number(loads) }));
}

/** The minute in which it begins by its rows, what follows by counts. */
export async function countLoads(database: Sql, since: Date): Promise<ReadonlyMap<string, number>> {
  const [minute, hour] = [MINUTE, HOUR].map((step) => new Date(ceilTo(since.getTime(), step))) as [Date, Date];
  const rows = await database.read(
    sql`SELECT skill_name, sum(loads) AS loads FROM (
        SELECT skill_name, loads FROM skill_load_counts WHERE start >= ${hour}
        UNION ALL SELECT skill_name, loads FROM skill_load_minutes WHERE start >= ${minute} AND start < ${hour}
        UNION ALL SELECT skill_name, 1 AS loads FROM skill_loads WHERE loaded_at >= ${since} AND loaded_at < ${minute}
          AND path IS NULL
      ) AS counted GROUP BY skill_name`,
  );
  return new Map(rows.map(({ skill_name, loads }) => [String(skill_name), Number(loads)]));
}

/** `documents`: of no other than these. */
const countersOf = (range: Range, documents: readonly string[] | undefined, { dialect }: Sql): Statement =>
  documents === undefined
    ? countersIn(range)
    : sql`${countersIn(range)} AND skill_name IN ${dialect.manyTexts(documents.map(keptName))}`;

const countersIn = ({ step, from, to }: Range): Statement =>
  sql`${step === HOUR ? HOURS : MINUTES} WHERE start >= ${new Date(from)} AND start < ${new Date(to)}`;
