// Rows of clients, grants, codes and tokens as values, and what is selected of them (O4).
import { type Grant, type OAuthClient, toOAuthScopes } from '../identity/oauth.ts';
import { plain, type Row, type Statement } from './sql.ts';

export const CLIENT_COLUMNS: Statement = plain('c.id AS client_id, c.kind AS client_kind, c.name, c.redirect_uris');

export const GRANT_COLUMNS: Statement = plain(
  'g.id AS grant_id, g.user_id, g.operator_key, g.scopes AS grant_scopes, g.resource, g.revoked_at',
);

/** Of a table `t` of codes or tokens. */
export const WITH_GRANT: Statement = plain(
  'JOIN repertoire_oauth_grants g ON g.id = t.grant_id JOIN repertoire_oauth_clients c ON c.id = g.client_id',
);

export const toClient = (row: Row): OAuthClient => ({
  id: String(row.client_id),
  kind: row.client_kind === 'document' ? 'document' : 'dynamic',
  name: String(row.name),
  redirectUris: textsOf(row.redirect_uris),
});

export const toGrant = (row: Row): Grant => ({
  id: String(row.grant_id),
  client: toClient(row),
  grantor:
    row.user_id === null
      ? { kind: 'operator', key: String(row.operator_key) }
      : { kind: 'user', userId: String(row.user_id) },
  scopes: scopesOf(row.grant_scopes),
  resource: String(row.resource),
  isRevoked: row.revoked_at !== null,
});

export const scopesOf = (json: unknown) => toOAuthScopes(textsOf(json));

/** We wrote it. */
const textsOf = (json: unknown): readonly string[] => (JSON.parse(String(json)) as readonly unknown[]).map(String);

export const dateOf = (value: unknown): Date => new Date(Number(value));
