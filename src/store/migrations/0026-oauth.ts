// Sign-in by OAuth (O4, O8): clients, what people allowed them, and codes and tokens, of which only digests are kept.
import type { Migration } from './migration.ts';

// `redirect_uris`, `scopes`: arrays of texts, as JSON. A client without a consent goes after an hour, and a person takes what
// they allowed along. `operator_key`: made of the operator's token of then; with another token the grant is none.
const postgres = [
  `CREATE TABLE repertoire_oauth_clients (
  id TEXT PRIMARY KEY,
  ref VARCHAR(36) NOT NULL UNIQUE,
  kind VARCHAR(8) NOT NULL CHECK (kind IN ('dynamic', 'document')),
  name TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  peer TEXT,
  created_at TIMESTAMPTZ NOT NULL,
  consented_at TIMESTAMPTZ
)`,
  'CREATE INDEX repertoire_oauth_clients_peer ON repertoire_oauth_clients (peer, created_at)',
  `CREATE TABLE repertoire_oauth_peers (
  peer TEXT PRIMARY KEY,
  at TIMESTAMPTZ NOT NULL
)`,
  `CREATE TABLE repertoire_oauth_grants (
  id VARCHAR(36) PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES repertoire_oauth_clients(id) ON DELETE CASCADE,
  user_id UUID REFERENCES repertoire_users(id) ON DELETE CASCADE,
  operator_key VARCHAR(64),
  scopes TEXT NOT NULL,
  resource TEXT NOT NULL,
  created_at TIMESTAMPTZ NOT NULL,
  expires_at TIMESTAMPTZ NOT NULL,
  last_used_at TIMESTAMPTZ,
  revoked_at TIMESTAMPTZ,
  CHECK ((user_id IS NULL) <> (operator_key IS NULL))
)`,
  'CREATE INDEX repertoire_oauth_grants_client ON repertoire_oauth_grants (client_id)',
  'CREATE INDEX repertoire_oauth_grants_user ON repertoire_oauth_grants (user_id)',
  `CREATE TABLE repertoire_oauth_codes (
  digest VARCHAR(64) PRIMARY KEY,
  grant_id VARCHAR(36) NOT NULL REFERENCES repertoire_oauth_grants(id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  challenge VARCHAR(64) NOT NULL,
  expires_at TIMESTAMPTZ NOT NULL,
  used_at TIMESTAMPTZ
)`,
  'CREATE INDEX repertoire_oauth_codes_grant ON repertoire_oauth_codes (grant_id)',
  `CREATE TABLE repertoire_oauth_tokens (
  digest VARCHAR(64) PRIMARY KEY,
  grant_id VARCHAR(36) NOT NULL REFERENCES repertoire_oauth_grants(id) ON DELETE CASCADE,
  kind VARCHAR(8) NOT NULL CHECK (kind IN ('access', 'refresh')),
  scopes TEXT NOT NULL,
  expires_at TIMESTAMPTZ NOT NULL,
  used_at TIMESTAMPTZ
)`,
  'CREATE INDEX repertoire_oauth_tokens_grant ON repertoire_oauth_tokens (grant_id)',
  'CREATE INDEX repertoire_oauth_tokens_end ON repertoire_oauth_tokens (expires_at)',
];

const sqlite = postgres.map((statement) =>
  statement
    .replaceAll(/VARCHAR\(\d+\)/g, 'TEXT')
    .replaceAll('UUID', 'TEXT')
    .replaceAll('TIMESTAMPTZ', 'INTEGER')
    .replaceAll('TEXT PRIMARY KEY', 'TEXT PRIMARY KEY NOT NULL'),
);

export const oauth: Migration = { number: 26, name: 'oauth', part: 'accounts', statements: { sqlite, postgres } };
