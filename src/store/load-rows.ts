// The SQL of loads (D9). Counts per hour are added to in the same transaction, so they are exact.
import type { Load, LoadQuery } from '../load-log.ts';
import { readCursor } from './cursor.ts';
import {
  join,
  plain,
  type Row,
  type Sql,
  type SqlValue,
  type Statement,
  type Steps,
  type StoreKind,
  sql,
  tuples,
} from './sql.ts';
import { floorTo, HOUR } from './stats-window.ts';

export interface LoadRow {
  readonly id: string;
  readonly load: Load;
}

export function* insertLoads(kind: StoreKind, loads: readonly Load[]): Steps<void> {
  if (loads.length === 0) return;
  yield sql`INSERT INTO skill_loads (skill_name, digest, client, surface, loaded_at) ${rowsOf[kind](loads)}`;
  yield sql`INSERT INTO skill_load_counts (start, skill_name, loads) VALUES ${tuples(countsOf(loads))}
    ON CONFLICT (start, skill_name) DO UPDATE SET loads = skill_load_counts.loads + excluded.loads`;
}

const rowsOf = {
  // One value and one text for batches of every size: thousands of values and a text for each size cost as much as the rows.
  sqlite: (loads) => {
    const rows = loads.map((load) => [load.skillName, load.digest, load.client, load.surface, load.loadedAt.getTime()]);
    return sql`SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
      FROM json_each(${JSON.stringify(rows)})`;
  },
  postgres: (loads) => {
    const rows = loads.map((load) => [load.skillName, load.digest, load.client, load.surface, load.loadedAt]);
    return sql`VALUES ${tuples(rows)}`;
  },
} satisfies Record<StoreKind, (loads: readonly Load[]) => Statement>;

/** One more than the limit, if there is one. */
export async function selectLoads(database: Sql, query: LoadQuery): Promise<readonly LoadRow[]> {
  const rows = await database.read(
    sql`SELECT id, skill_name, digest, client, surface, loaded_at FROM skill_loads
      WHERE ${join(conditionsOf(query), ' AND ')} ORDER BY loaded_at DESC, id DESC LIMIT ${query.limit + 1}`,
  );
  return rows.map(toLoadRow);
}

/** The hour in which it begins by its rows, the hours after it by their counts. */
export async function countLoads(database: Sql, since: Date): Promise<ReadonlyMap<string, number>> {
  const nextHour = new Date(floorTo(since.getTime(), HOUR) + HOUR * 1_000);
  const rows = await database.read(
    sql`SELECT skill_name, sum(loads) AS loads FROM skill_load_counts WHERE start >= ${nextHour} GROUP BY skill_name
      UNION ALL SELECT skill_name, count(*) AS loads FROM skill_loads
      WHERE loaded_at >= ${since} AND loaded_at < ${nextHour} GROUP BY skill_name`,
  );
  const counts = new Map<string, number>();
  for (const row of rows) {
    const name = String(row.skill_name);
    counts.set(name, (counts.get(name) ?? 0) + Number(row.loads));
  }
  return counts;
}

function conditionsOf({ skill, client, since, cursor }: LoadQuery): readonly Statement[] {
  const conditions = [plain('1 = 1')];
  if (skill !== undefined) conditions.push(sql`skill_name = ${skill}`);
  if (client !== undefined) conditions.push(sql`client = ${client}`);
  if (since !== undefined) conditions.push(sql`loaded_at >= ${since}`);
  if (cursor !== undefined) {
    const { at, id } = readCursor(cursor, /^\d{1,18}$/);
    conditions.push(sql`(loaded_at, id) < (${at}, ${Number(id)})`);
  }
  return conditions;
}

/** Sorted, as in count-rows.ts: no deadlock. */
function countsOf(loads: readonly Load[]): readonly (readonly SqlValue[])[] {
  const hours = new Map<number, Map<string, number>>();
  for (const { skillName, loadedAt } of loads) {
    const start = floorTo(loadedAt.getTime(), HOUR);
    const counts = hours.get(start) ?? new Map<string, number>();
    hours.set(start, counts.set(skillName, (counts.get(skillName) ?? 0) + 1));
  }
  const sorted = [...hours].sort(([a], [b]) => a - b);
  return sorted.flatMap(([start, counts]) => {
    const byName = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return byName.map(([skillName, count]) => [new Date(start), skillName, count]);
  });
}

const toLoadRow = (row: Row): LoadRow => ({
  id: String(row.id),
  load: {
    skillName: String(row.skill_name),
    digest: String(row.digest),
    client: String(row.client),
    surface: String(row.surface),
    loadedAt: new Date(Number(row.loaded_at)),
  },
});
