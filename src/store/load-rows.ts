// The SQL of loads (D9). Their counts are added to in the same transaction: see load-count-rows.ts.
import type { Load, LoadQuery } from '../repertoire/load-log.ts';
import { readCursor } from './cursor.ts';
import { addLoadCounts } from './load-count-rows.ts';
import { join, plain, type Row, type Sql, type Statement, type Steps, type StoreKind, sql } from './sql.ts';

export interface LoadRow {
  readonly id: string;
  readonly load: Load;
}

export function* insertLoads(kind: StoreKind, loads: readonly Load[]): Steps<void> {
  if (loads.length === 0) return;
  yield sql`INSERT INTO skill_loads (skill_name, digest, client, surface, loaded_at) ${rowsOf[kind](loads)}`;
  yield* addLoadCounts(kind, loads);
}

// One value and one text for batches of every size: thousands of values and a text for each size cost as much as the rows.
const rowsOf = {
  sqlite: (loads) => {
    const rows = loads.map((load) => [load.skillName, load.digest, load.client, load.surface, load.loadedAt.getTime()]);
    return sql`SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
      FROM json_each(${JSON.stringify(rows)})`;
  },
  postgres: (loads) => sql`SELECT "skillName", digest, client, surface, "loadedAt" FROM json_to_recordset(
    ${JSON.stringify(loads)}) AS row("skillName" TEXT, digest TEXT, client TEXT, surface TEXT, "loadedAt" TIMESTAMPTZ)`,
} satisfies Record<StoreKind, (loads: readonly Load[]) => Statement>;

/** One more than the limit, if there is one. */
export async function selectLoads(database: Sql, query: LoadQuery): Promise<readonly LoadRow[]> {
  const rows = await database.read(
    sql`SELECT id, skill_name, digest, client, surface, loaded_at FROM skill_loads
      WHERE ${join(conditionsOf(query), ' AND ')} ORDER BY loaded_at DESC, id DESC LIMIT ${query.limit + 1}`,
  );
  return rows.map(toLoadRow);
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
