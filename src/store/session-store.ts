// Sessions of 2025-era MCP clients on a database (N2). All times are the database's: replicas need not agree on theirs.
import { askTogether } from '../async/ask-together.ts';
import type { ClientInfo } from '../identity/client-info.ts';
import type { KeptLimits, KeptSession, KeptSessions, NewSession } from '../identity/kept-sessions.ts';
import { createRoomMaking, type Room } from './session-room.ts';
import { type Dialect, type Row, type Sql, type Statement, type Steps, sql } from './sql.ts';

/** Anyone with a credential can ask for sessions that are none: one connection stays free for the rest of the store. */
const LOOK_UPS = { most: 1_000, atOnce: 2, patienceMs: 400 } as const;

/** A stream that was not heard of for so long is gone with its replica. Those that are open are noted every minute. */
const LISTENED_SECONDS = 180;

/** So much a client may make us keep of what it says of itself, as JSON. */
const MOST_CLIENT = 16 * 1024;

export function createSessionStore(database: Sql): KeptSessions {
  const { dialect } = database;
  const find = askTogether({
    ask: (digests: readonly string[]) => selectSessions(database, digests),
    ...LOOK_UPS,
  });
  return {
    makeRoom: createRoomMaking((owner, most, wanted) => makeRoom(database, owner, most, wanted)),
    add: (session) => database.write(() => insertSession(dialect, session)),
    async find(digest, idleMs) {
      const found = await find(digest);
      return found !== undefined && found.idleMs <= idleMs ? found.session : undefined;
    },
    look: (digests) => selectResources(database, digests),
    subscribe: (digest, uri, isWanted) => database.write(() => changeResources(dialect, digest, uri, isWanted)),
    touch: (used, listening) => database.write(() => touchSessions(dialect, used, listening)),
    openStream: (digest) => database.write(() => openStream(dialect, digest)),
    closeStream: (digest) => database.write(() => closeStream(dialect, digest)),
    changeCredential: (digest, credential) => database.write(() => updateCredential(digest, credential)),
    end: (digest, credential) => database.write(() => deleteSession(digest, credential)),
    endIdle: (idleMs) => database.write(() => deleteIdle(dialect, idleMs)),
  };
}

const COUNT = sql`SELECT COUNT(*) AS sessions FROM repertoire_mcp_sessions`;

async function countSessions({ read }: Sql, owner: string): Promise<{ readonly own: number; readonly all: number }> {
  const [row] = await read(sql`SELECT (${COUNT} WHERE owner = ${owner}) AS own, (${COUNT}) AS everyone`);
  return { own: Number(row?.own), all: Number(row?.everyone) };
}

/** The count is no part of a transaction: the usual case, that there is room, is one question. */
async function makeRoom(database: Sql, owner: string, { perCaller, inAll }: KeptLimits, wanted: number): Promise<Room> {
  const { skipLocked, waitLocked } = database.dialect;
  const ended: string[] = [];
  let places = 0;
  // Where too few are free to go, another replica may be ending the rest: from the second time on it is waited for.
  for (const locking of [skipLocked, waitLocked, waitLocked]) {
    const { own, all } = await countSessions(database, owner);
    places = Math.min(perCaller - own, inAll - all);
    if (places >= wanted) break;
    const excess = { own: own - perCaller + wanted, all: all - inAll + wanted };
    const gone = await database.write(() => deleteExcess(database.dialect, { owner, excess, locking }));
    ended.push(...gone.own, ...gone.others);
    // Not counted again: those who began since then are not in the way of these.
    places = Math.min(perCaller - own + gone.own.length, inAll - all + gone.own.length + gone.others.length);
    if (places >= wanted) break;
  }
  return { places: Math.max(0, Math.min(wanted, places)), ended };
}

interface Excess {
  readonly owner: string;
  readonly excess: { readonly own: number; readonly all: number };
  readonly locking: Statement;
}

interface Gone {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

function* deleteExcess(dialect: Dialect, { owner, excess, locking }: Excess): Steps<Gone> {
  const own = yield* deleteIdlest(dialect, sql`owner = ${owner}`, excess.own, locking);
  return { own, others: yield* deleteIdlest(dialect, sql`1 = 1`, excess.all - own.length, locking) };
}

/** One with a stream is in use. */
function* deleteIdlest(
  dialect: Dialect,
  among: Statement,
  count: number,
  locking: Statement,
): Steps<readonly string[]> {
  if (count <= 0) return [];
  return digestsOf(
    yield sql`DELETE FROM repertoire_mcp_sessions WHERE digest IN
      (SELECT digest FROM repertoire_mcp_sessions
        WHERE ${among} AND (listened_at IS NULL OR listened_at < ${dialect.secondsAgo(LISTENED_SECONDS)})
        ORDER BY last_used_at LIMIT ${count} ${locking})
      RETURNING digest`,
  );
}

function* insertSession(dialect: Dialect, session: NewSession): Steps<void> {
  const { digest, owner, version, client, resources, rights, credential } = session;
  yield sql`INSERT INTO repertoire_mcp_sessions
      (digest, owner, version, client, resources, rights, credential, created_at, last_used_at)
    VALUES (${digest}, ${owner}, ${version}, ${clientText(client)}, ${JSON.stringify(resources)}, ${rights},
      ${credential ?? null}, ${dialect.now}, ${dialect.now})
    ON CONFLICT (digest) DO NOTHING`;
}

async function selectSessions(
  { dialect, read }: Sql,
  digests: readonly string[],
): Promise<ReadonlyMap<string, { readonly session: KeptSession; readonly idleMs: number }>> {
  const rows = await read(sql`SELECT digest, owner, version, client, resources, rights, credential, created_at,
      last_used_at, ${dialect.now} AS asked_at
    FROM repertoire_mcp_sessions WHERE digest IN ${dialect.manyTexts(digests)}`);
  return new Map(
    rows.map((row) => {
      const idleMs = Number(row.asked_at) - Number(row.last_used_at);
      return [String(row.digest), { session: toSession(row), idleMs }];
    }),
  );
}

async function selectResources(
  { dialect, read }: Sql,
  digests: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await read(
    sql`SELECT digest, resources FROM repertoire_mcp_sessions WHERE digest IN ${dialect.manyTexts(digests)}`,
  );
  return new Map(rows.map(({ digest, resources }) => [String(digest), urisIn(resources)]));
}

/** The first statement takes the row: of two replicas that change it at once, the second sees what the first did. */
function* changeResources(dialect: Dialect, digest: string, uri: string, isWanted: boolean): Steps<void> {
  const [row] = yield sql`UPDATE repertoire_mcp_sessions SET last_used_at = ${dialect.now}
    WHERE digest = ${digest} RETURNING resources`;
  if (row === undefined) return;
  const uris = new Set(urisIn(row.resources));
  if (isWanted) uris.add(uri);
  else uris.delete(uri);
  yield sql`UPDATE repertoire_mcp_sessions SET resources = ${JSON.stringify([...uris])} WHERE digest = ${digest}`;
}

function* touchSessions(dialect: Dialect, used: readonly string[], listening: readonly string[]): Steps<void> {
  const { now } = dialect;
  yield sql`UPDATE repertoire_mcp_sessions SET last_used_at = ${now} WHERE digest IN ${dialect.manyTexts(used)}`;
  if (listening.length === 0) return;
  yield sql`UPDATE repertoire_mcp_sessions SET listened_at = ${now} WHERE digest IN ${dialect.manyTexts(listening)}`;
}

function* openStream({ now }: Dialect, digest: string): Steps<number | undefined> {
  const [row] = yield sql`UPDATE repertoire_mcp_sessions SET last_used_at = ${now}, listened_at = ${now}
    WHERE digest = ${digest} RETURNING listened_at`;
  return row && Number(row.listened_at);
}

function* closeStream({ now }: Dialect, digest: string): Steps<void> {
  yield sql`UPDATE repertoire_mcp_sessions SET last_used_at = ${now}, listened_at = NULL WHERE digest = ${digest}`;
}

function* updateCredential(digest: string, credential: string): Steps<void> {
  yield sql`UPDATE repertoire_mcp_sessions SET credential = ${credential} WHERE digest = ${digest}`;
}

function* deleteSession(digest: string, credential: string | undefined): Steps<boolean> {
  const isLast = credential === undefined ? sql`1 = 1` : sql`credential = ${credential}`;
  const rows = yield sql`DELETE FROM repertoire_mcp_sessions WHERE digest = ${digest} AND ${isLast} RETURNING digest`;
  return rows.length > 0;
}

function* deleteIdle(dialect: Dialect, idleMs: number): Steps<readonly string[]> {
  return digestsOf(
    yield sql`DELETE FROM repertoire_mcp_sessions
      WHERE last_used_at < ${dialect.secondsAgo(idleMs / 1_000)} RETURNING digest`,
  );
}

const digestsOf = (rows: readonly Row[]): readonly string[] => rows.map(({ digest }) => String(digest));

const toSession = (row: Row): KeptSession => ({
  owner: String(row.owner),
  version: String(row.version),
  client: JSON.parse(String(row.client)) as ClientInfo, // `clientText` wrote it
  resources: urisIn(row.resources),
  rights: String(row.rights),
  credential: row.credential === null ? undefined : String(row.credential),
  ageMs: Number(row.asked_at) - Number(row.created_at),
});

/** As JSON, NUL and halves of characters are escaped: PostgreSQL takes every text that a client can send. */
function clientText({ name, version, capabilities }: ClientInfo): string {
  const whole = JSON.stringify({ name, version, capabilities });
  if (whole.length <= MOST_CLIENT) return whole;
  return JSON.stringify({ name: name.slice(0, 256), version: version.slice(0, 256), capabilities: {} });
}

/** A session has no more than `legacy-era.ts` lets it have. */
const urisIn = (json: unknown): readonly string[] => JSON.parse(String(json)) as readonly string[];
