// The log of loads on a database (D9). Their counts are added to in the same transaction. Keeps no queue: see
// repertoire/load-recorder.ts.
import type { Load, LoadLog, LoadPage, LoadQuery } from '../repertoire/load-log.ts';
import type { StoreKind } from '../settings/store-place.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { readCursor } from '../skills/record/log-cursor.ts';
import { fail, ok } from '../values/result.ts';
import { keptLoad, keptName } from './kept-load.ts';
import { addLoadCounts, countLoads } from './load-counts.ts';
import { pageLimit, pageOf } from './page.ts';
import { join, plain, type Row, type Sql, type Statement, type Steps, sql, unread } from './sql.ts';

export const createLoadStore = (database: Sql): LoadLog => ({
  async record(loads) {
    const outcome = await writeLoads(database, loads.map(keptLoad));
    return outcome instanceof StoreUnavailable ? fail(outcome) : ok(outcome);
  },
  async list(query) {
    const checked = checkedLoadQuery(query);
    return loadPageOf(await selectLoads(database, checked), checked.limit);
  },
  counts: (since) => countLoads(database, since),
});

/** How many were refused; StoreUnavailable: none is written, try later. One bad load costs no other. */
async function writeLoads(database: Sql, loads: readonly Load[]): Promise<number | StoreUnavailable> {
  try {
    await database.write(() => insertLoads(database.dialect.kind, loads));
    return 0;
  } catch (error) {
    if (error instanceof StoreUnavailable) return error;
    // Any other error lies in the loads themselves, and no caller waits who could be told.
  }
  if (loads.length === 1) return 1;
  const middle = loads.length >> 1;
  const first = await writeLoads(database, loads.slice(0, middle));
  const second = await writeLoads(database, loads.slice(middle));
  // Away in between: counted as refused, because the other half may be written and must not be written again.
  const refused = (outcome: number | StoreUnavailable, count: number) =>
    typeof outcome === 'number' ? outcome : count;
  return refused(first, middle) + refused(second, loads.length - middle);
}

export const checkedLoadQuery = (query: LoadQuery): LoadQuery => ({
  ...query,
  ...(query.skill !== undefined && { skill: keptName(query.skill) }),
  ...(query.client !== undefined && { client: keptName(query.client) }),
  limit: pageLimit(query.limit),
});

/** `found`: one more than the limit if there are more. */
export function loadPageOf(found: readonly LoadRow[], limit: number): LoadPage {
  const { rows, nextCursor } = pageOf(found, limit, ({ load, id }) => ({ at: load.loadedAt, id }));
  return { loads: rows.map(({ load }) => load), nextCursor };
}

export interface LoadRow {
  readonly id: string;
  readonly load: Load;
}

export function* insertLoads(kind: StoreKind, loads: readonly Load[]): Steps<void> {
  if (loads.length === 0) return;
  yield unread(
    sql`INSERT INTO skill_loads (skill_name, digest, client, surface, loaded_at, path) ${rowsOf[kind](loads)}`,
  );
  yield* addLoadCounts(
    kind,
    loads.filter(({ path }) => path === undefined),
  );
}

// One value and one text for batches of every size: thousands of values and a text for each size cost as much as the rows.
const rowsOf = {
  sqlite: (loads) => {
    const rows = loads.map(({ skillName, digest, client, surface, loadedAt, path }) => [
      ...[skillName, digest, client, surface],
      ...[loadedAt.getTime(), path ?? null],
    ]);
    return sql`SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
      FROM json_each(${JSON.stringify(rows)})`;
  },
  postgres: (loads) => sql`SELECT "skillName", digest, client, surface, "loadedAt", path FROM json_to_recordset(
    ${JSON.stringify(loads)})
    AS row("skillName" TEXT, digest TEXT, client TEXT, surface TEXT, "loadedAt" TIMESTAMPTZ, path TEXT)`,
} satisfies Record<StoreKind, (loads: readonly Load[]) => Statement>;

/** One more than the limit, if there is one. */
async function selectLoads(database: Sql, query: LoadQuery): Promise<readonly LoadRow[]> {
  const rows = await database.read(
    sql`SELECT id, skill_name, digest, client, surface, loaded_at FROM skill_loads
      WHERE ${join(conditionsOf(query, database), ' AND ')} ORDER BY loaded_at DESC, id DESC LIMIT ${query.limit + 1}`,
  );
  return rows.map(toLoadRow);
}

function conditionsOf(query: LoadQuery, database: Sql): readonly Statement[] {
  const { skill, client, since, cursor } = query;
  const conditions = [plain('path IS NULL'), ...ofDocuments(query, database)];
  if (skill !== undefined) conditions.push(sql`skill_name = ${skill}`);
  if (client !== undefined) conditions.push(sql`client = ${client}`);
  if (since !== undefined) conditions.push(sql`loaded_at >= ${since}`);
  if (cursor !== undefined) {
    const { at, id } = readCursor(cursor, /^\d{1,18}$/);
    conditions.push(sql`(loaded_at, id) < (${at}, ${Number(id)})`);
  }
  return conditions;
}

/** Whose rows are meant, by names as they are kept, and which are not. */
export const ofDocuments = (
  { documents, notDigests = [] }: Pick<LoadQuery, 'documents' | 'notDigests'>,
  { dialect }: Sql,
): readonly Statement[] => [
  ...(documents === undefined ? [] : [sql`skill_name IN ${dialect.manyTexts(documents.map(keptName))}`]),
  ...(notDigests.length === 0 ? [] : [sql`digest NOT IN ${dialect.manyTexts(notDigests)}`]),
];

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
