// The log of loads on a database (D9): written behind the answer, in the background, and never in anybody's way.
import type { Load, LoadLog, LoadPage, LoadQuery } from '../repertoire/load-log.ts';
import type { StoreKind } from '../settings/store-place.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { LONGEST_PAGE } from './invocation-store.ts';
import { addLoadCounts, countLoads } from './load-counts.ts';
import { createCursor, readCursor } from './page.ts';
import { join, plain, type Row, type Sql, type Statement, type Steps, sql } from './sql.ts';

const FLUSH_AFTER_MS = 200;
const RETRY_AFTER_MS = 1_000;
const FLUSH_AT = 100;
/**
 * SQLite writes on this thread: so many take about two milliseconds, and answers go out between two batches. In batches of
 * a hundred each load costs twice as much, because most of it is the commit.
 */
const BATCH = 400;
const MOST_WAITING = 10_000;

export interface LoadStore extends LoadLog {
  /** Writes what waits; what cannot be written now is lost and counted. */
  close(): Promise<void>;
}

export function createLoadStore(database: Sql): LoadStore {
  const backlog = createBacklog(database);
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;

  /** Not before this turn has ended: the answer goes first. */
  const flushIn = (ms: number) => {
    clearTimeout(timer);
    // It does not hold the process: whoever ends it closes the store, which flushes.
    timer = setTimeout(() => flush(), ms).unref();
  };
  const flush = async (): Promise<void> => {
    if (flushing !== undefined) return;
    flushing = backlog.write();
    await flushing;
    flushing = undefined;
    timer = undefined;
    if (backlog.size() > 0) flushIn(RETRY_AFTER_MS);
  };
  return {
    record(load) {
      if (!backlog.add(load)) return;
      if (backlog.size() === FLUSH_AT && flushing === undefined) flushIn(0);
      else if (timer === undefined) flushIn(FLUSH_AFTER_MS);
    },
    list: (query) => listLoads(database, query),
    counts: (since) => countLoads(database, since),
    get lost() {
      return backlog.lost();
    },
    async close() {
      clearTimeout(timer);
      await flushing;
      clearTimeout(timer);
      await backlog.write();
      backlog.giveUp();
    },
  };
}

/** What waits to be written, within bounds. */
function createBacklog(database: Sql) {
  let waiting: Load[] = [];
  let lost = 0;
  return {
    size: () => waiting.length,
    lost: () => lost,
    /** False: there are too many already, and this one is lost. */
    add(load: Load): boolean {
      const fits = waiting.length < MOST_WAITING;
      if (fits) waiting.push(keptLoad(load));
      else lost += 1;
      return fits;
    },
    /** Until nothing waits or the store is away. */
    async write(): Promise<void> {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH);
        const refused = await writeBatch(database, batch);
        if (refused === undefined) return;
        lost += refused;
        waiting = waiting.slice(batch.length);
        if (waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
      }
    },
    giveUp(): void {
      lost += waiting.length;
      waiting = [];
    },
  };
}

/** How many were refused; undefined: the store is away, try later. One bad load costs no other. */
async function writeBatch(database: Sql, loads: readonly Load[]): Promise<number | undefined> {
  try {
    await database.write(() => insertLoads(database.dialect.kind, loads));
    return 0;
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    // Whatever else it is lies in the loads themselves, and nobody waits who could be told.
  }
  if (loads.length === 1) return 1;
  const middle = loads.length >> 1;
  const first = await writeBatch(database, loads.slice(0, middle));
  const second = await writeBatch(database, loads.slice(middle));
  // Away in between: counted as lost, because the other half is written and must not be written again.
  return (first ?? middle) + (second ?? loads.length - middle);
}

async function listLoads(database: Sql, query: LoadQuery): Promise<LoadPage> {
  const checked = checkedLoadQuery(query);
  return loadPageOf(await selectLoads(database, checked), checked.limit);
}

const LONGEST_TEXT = 256;

/** Clients name themselves: neither the length nor the characters can be trusted. */
export function keptLoad({ skillName, digest, client, surface, loadedAt }: Load): Load {
  return { skillName: kept(skillName), digest: kept(digest), client: kept(client), surface: kept(surface), loadedAt };
}

export const checkedLoadQuery = (query: LoadQuery): LoadQuery => ({
  ...query,
  ...(query.skill !== undefined && { skill: kept(query.skill) }),
  ...(query.client !== undefined && { client: kept(query.client) }),
  limit: Math.min(Math.max(1, Math.trunc(query.limit)), LONGEST_PAGE),
});

/** `found`: one more than the limit if there are more. */
export function loadPageOf(found: readonly LoadRow[], limit: number): LoadPage {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const isLastPage = found.length <= limit || last === undefined;
  return {
    loads: rows.map(({ load }) => load),
    nextCursor: isLastPage ? undefined : createCursor({ at: last.load.loadedAt, id: last.id }),
  };
}

const kept = (text: string): string => text.slice(0, LONGEST_TEXT).replace(/[\p{Surrogate}\0]/gu, '\ufffd');

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
