// The SQL of agents (H5).
import { type Agent, type NewAgent, toScopes } from '../identity/agents.ts';
import { type Row, type Sql, type Statement, type Steps, sql } from './sql.ts';

/** Answers whether it is there now: the name of one that is not revoked stays its own. */
export function* insertAgent(agent: NewAgent): Steps<boolean> {
  const { name, tokenDigest, roles, scopes, createdAt, expiresAt } = agent;
  const rows = yield sql`INSERT INTO repertoire_agents (name, token_digest, roles, scopes, created_at, expires_at)
    VALUES (${name}, ${tokenDigest}, ${JSON.stringify(roles)}, ${JSON.stringify(scopes)},
      ${createdAt}, ${expiresAt ?? null})
    ON CONFLICT (name) DO UPDATE SET token_digest = excluded.token_digest, roles = excluded.roles,
      scopes = excluded.scopes, created_at = excluded.created_at, expires_at = excluded.expires_at,
      revoked_at = NULL, last_used_at = NULL
    WHERE repertoire_agents.revoked_at IS NOT NULL
    RETURNING name`;
  return rows.length > 0;
}

export const selectAgents = async (database: Sql): Promise<readonly Agent[]> =>
  (await database.read(sql`SELECT ${COLUMNS} FROM repertoire_agents`)).map(toAgent);

export async function selectAgentByDigest(database: Sql, tokenDigest: string): Promise<Agent | undefined> {
  const [row] = await database.read(sql`SELECT ${COLUMNS} FROM repertoire_agents WHERE token_digest = ${tokenDigest}`);
  return row && toAgent(row);
}

export function* revokeAgent(name: string, at: Date): Steps<boolean> {
  const rows = yield sql`UPDATE repertoire_agents SET revoked_at = ${at}
    WHERE name = ${name} AND revoked_at IS NULL RETURNING name`;
  return rows.length > 0;
}

/** Never back: several servers note the use of one agent. Sorted, as in count-rows.ts: no deadlock. */
export function* noteUses(uses: ReadonlyMap<string, Date>): Steps<void> {
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
