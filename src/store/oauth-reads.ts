// Looking up clients, grants, codes and tokens by what names them: what anyone may send, many at once in one statement.
import type { Grant, OAuthClient, StoredCode, StoredToken } from '../identity/oauth.ts';
import { CLIENT_COLUMNS, dateOf, GRANT_COLUMNS, scopesOf, toClient, toGrant, WITH_GRANT } from './oauth-rows.ts';
import { type Row, type Sql, sql } from './sql.ts';

export interface KeptClient {
  readonly client: OAuthClient;
  readonly createdAt: Date;
  readonly isAllowed: boolean;
}

export async function selectClients(database: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, KeptClient>> {
  const rows = await database.read(sql`SELECT ${CLIENT_COLUMNS}, c.created_at, c.consented_at
    FROM repertoire_oauth_clients c WHERE c.id IN ${database.dialect.manyTexts(ids)}`);
  return new Map(rows.map((row) => [String(row.client_id), toKept(row)]));
}

const toKept = (row: Row): KeptClient => ({
  client: toClient(row),
  createdAt: dateOf(row.created_at),
  isAllowed: row.consented_at !== null,
});

export async function selectCodes(database: Sql, digests: readonly string[]): Promise<ReadonlyMap<string, StoredCode>> {
  const rows =
    await database.read(sql`SELECT t.digest, ${GRANT_COLUMNS}, ${CLIENT_COLUMNS}, t.redirect_uri, t.challenge,
      t.expires_at, t.used_at FROM repertoire_oauth_codes t ${WITH_GRANT}
    WHERE t.digest IN ${database.dialect.manyTexts(digests)}`);
  return new Map(rows.map((row) => [String(row.digest), toCode(row)]));
}

const toCode = (row: Row): StoredCode => ({
  grant: toGrant(row),
  redirectUri: String(row.redirect_uri),
  challenge: String(row.challenge),
  expiresAt: dateOf(row.expires_at),
  isUsed: row.used_at !== null,
});

export async function selectTokens(
  database: Sql,
  kind: 'access' | 'refresh',
  digests: readonly string[],
): Promise<ReadonlyMap<string, StoredToken>> {
  const rows = await database.read(sql`SELECT t.digest, ${GRANT_COLUMNS}, ${CLIENT_COLUMNS}, t.scopes, t.expires_at,
      t.used_at FROM repertoire_oauth_tokens t ${WITH_GRANT}
    WHERE t.kind = ${kind} AND t.digest IN ${database.dialect.manyTexts(digests)}`);
  return new Map(rows.map((row) => [String(row.digest), toToken(row)]));
}

const toToken = (row: Row): StoredToken => ({
  grant: toGrant(row),
  scopes: scopesOf(row.scopes),
  expiresAt: dateOf(row.expires_at),
  isUsed: row.used_at !== null,
});

export async function selectGrant(database: Sql, id: string): Promise<Grant | undefined> {
  const [row] = await database.read(sql`SELECT ${GRANT_COLUMNS}, ${CLIENT_COLUMNS} FROM repertoire_oauth_grants g
    JOIN repertoire_oauth_clients c ON c.id = g.client_id WHERE g.id = ${id}`);
  return row && toGrant(row);
}
