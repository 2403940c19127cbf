// Agents on a database (H5). When each was last used is written behind the answer, for all agents at once.
import { askTogether } from '../async/ask-together.ts';
import { type Agent, type AgentStore, type NewAgent, toScopes } from '../identity/agents.ts';
import { AGENTS_TOPIC, type AgentChange } from '../identity/identity-news.ts';
import type { TrailNote } from '../identity/trail.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { announce } from './event-table.ts';
import { type Row, type Sql, type Statement, type Steps, sql } from './sql.ts';
import { RecordRefused } from './store-errors.ts';
import type { TrailWriter } from './trail-writer.ts';

const FLUSH_AFTER_MS = 1_000;
/** So many agents at a time; the use of further ones is not noted. */
const MOST_WAITING = 10_000;

/**
 * Anyone can send tokens that look like an agent's. However many come, one connection of PostgreSQL stays free for the rest
 * of the store; and a good one among them is in the next question, which begins soon enough to be answered within the 1.5 s
 * that a request waits, as long as the database answers within a second (F10).
 */
const LOOK_UPS = { most: 4_096, atOnce: 3, patienceMs: 400 } as const;

export interface ClosableAgentStore extends AgentStore {
  /** Writes what waits. */
  close(): Promise<void>;
}

/** `origin`: of this process, for what it tells the others. */
export function createAgentStore(database: Sql, trail: TrailWriter, origin: string): ClosableAgentStore {
  /** What other processes remember of an agent of that name holds no longer (N3). */
  const tellOf = (name: string, change: AgentChange) =>
    announce(database.dialect, AGENTS_TOPIC, { name, change }, origin);
  let waiting = new Map<string, Date>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const uses = waiting;
    waiting = new Map();
    // A fault of ours was thrown where it happened; later uses are still written.
    if (uses.size > 0) flushing = flushing.catch(() => undefined).then(() => writeUses(database, uses));
    return flushing;
  };
  const findByDigest = askTogether({
    ask: (tokenDigests: readonly string[]) => selectAgentsByDigest(database, tokenDigests),
    ...LOOK_UPS,
  });
  return {
    add: (agent, actor) => database.write(() => entered(insertAgent(agent, tellOf), trail, noteOfAdded(agent, actor))),
    findByDigest,
    // Not by SQL: each database has its own sorting rules.
    list: async () => [...(await selectAgents(database))].sort((a, b) => (a.name < b.name ? -1 : 1)),
    revoke: (name, at, actor) =>
      database.write(() =>
        entered(revokeAgent(name, at, tellOf), trail, { actor, action: 'agent.revoke', subject: name }),
      ),
    noteUse(tokenDigest, at) {
      if (waiting.size >= MOST_WAITING) return;
      waiting.set(tokenDigest, at);
      // It does not keep the process alive: closing the store flushes.
      timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
    close: flush,
  };
}

/** What changed nothing is not entered (L5). */
function* entered(change: Steps<boolean>, trail: TrailWriter, note: TrailNote): Steps<boolean> {
  const isChanged = yield* change;
  if (isChanged) yield* trail.append(note);
  return isChanged;
}

const noteOfAdded = ({ name, roles, scopes, expiresAt }: NewAgent, actor: string): TrailNote => ({
  actor,
  action: 'agent.add',
  subject: name,
  details: { roles, scopes, expires_at: expiresAt?.toISOString() ?? null },
});

/** What cannot be written is forgotten: the agent's next call notes a use again. */
async function writeUses(database: Sql, uses: ReadonlyMap<string, Date>): Promise<void> {
  try {
    await database.write(() => noteUses(uses));
  } catch (error) {
    if (!(error instanceof StoreUnavailable || error instanceof RecordRefused)) throw error;
  }
}

type TellOf = (name: string, change: AgentChange) => Steps<void>;

/** False: an agent that is not revoked has the name. */
function* insertAgent(agent: NewAgent, tellOf: TellOf): Steps<boolean> {
  const { name, tokenDigest, roles, scopes, createdAt, expiresAt } = agent;
  const rows = yield sql`INSERT INTO repertoire_agents (name, token_digest, roles, scopes, created_at, expires_at)
    VALUES (${name}, ${tokenDigest}, ${JSON.stringify(roles)}, ${JSON.stringify(scopes)},
      ${createdAt}, ${expiresAt ?? null})
    ON CONFLICT (name) DO UPDATE SET token_digest = excluded.token_digest, roles = excluded.roles,
      scopes = excluded.scopes, created_at = excluded.created_at, expires_at = excluded.expires_at,
      revoked_at = NULL, last_used_at = NULL
    WHERE repertoire_agents.revoked_at IS NOT NULL
    RETURNING name`;
  if (rows.length > 0) yield* tellOf(name, 'added');
  return rows.length > 0;
}

const selectAgents = async (database: Sql): Promise<readonly Agent[]> =>
  (await database.read(sql`SELECT ${COLUMNS} FROM repertoire_agents`)).map(toAgent);

async function selectAgentsByDigest(
  database: Sql,
  tokenDigests: readonly string[],
): Promise<ReadonlyMap<string, Agent>> {
  const rows = await database.read(sql`SELECT token_digest, ${COLUMNS} FROM repertoire_agents
    WHERE token_digest IN ${database.dialect.manyTexts(tokenDigests)}`);
  return new Map(rows.map((row) => [String(row.token_digest), toAgent(row)]));
}

function* revokeAgent(name: string, at: Date, tellOf: TellOf): Steps<boolean> {
  const rows = yield sql`UPDATE repertoire_agents SET revoked_at = ${at}
    WHERE name = ${name} AND revoked_at IS NULL RETURNING name`;
  if (rows.length > 0) yield* tellOf(name, 'revoked');
  return rows.length > 0;
}

/** Only forward in time: several servers note uses of the same agent. Sorted, so that two writers never deadlock. */
function* noteUses(uses: ReadonlyMap<string, Date>): Steps<void> {
  for (const [tokenDigest, at] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield sql`UPDATE repertoire_agents SET last_used_at = ${at}
      WHERE token_digest = ${tokenDigest} AND (last_used_at IS NULL OR last_used_at < ${at})`;
  }
}

const COLUMNS: Statement = sql`name, roles, scopes, created_at, expires_at, revoked_at, last_used_at`;

const toAgent = (row: Row): Agent => ({
  name: String(row.name),
  roles: textsOf(row.roles),
  scopes: toScopes(textsOf(row.scopes)),
  createdAt: new Date(Number(row.created_at)),
  expiresAt: dateOf(row.expires_at),
  revokedAt: dateOf(row.revoked_at),
  lastUsedAt: dateOf(row.last_used_at),
});

const dateOf = (value: unknown): Date | undefined => (value === null ? undefined : new Date(Number(value)));

/** `insertAgent` wrote it. */
const textsOf = (json: unknown): readonly string[] => (JSON.parse(String(json)) as readonly unknown[]).map(String);
