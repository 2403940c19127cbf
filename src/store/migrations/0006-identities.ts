// Agents with a token (H5), and secrets that all processes share (B2). Of a token only its digest is kept.
import type { Migration } from './migration.ts';

// `roles` and `scopes`: arrays of texts, as JSON.
const postgres = [
  `CREATE TABLE repertoire_agents (
  name VARCHAR(64) PRIMARY KEY,
  token_digest VARCHAR(64) NOT NULL UNIQUE,
  roles JSONB NOT NULL,
  scopes JSONB NOT NULL,
  created_at TIMESTAMPTZ NOT NULL,
  expires_at TIMESTAMPTZ,
  revoked_at TIMESTAMPTZ,
  last_used_at TIMESTAMPTZ
)`,
  `CREATE TABLE repertoire_secrets (
  name VARCHAR(64) PRIMARY KEY,
  value TEXT NOT NULL,
  created_at TIMESTAMPTZ NOT NULL
)`,
];

const sqlite = [
  `CREATE TABLE repertoire_agents (
  name TEXT PRIMARY KEY NOT NULL,
  token_digest TEXT NOT NULL UNIQUE,
  roles TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
)`,
  `CREATE TABLE repertoire_secrets (
  name TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL,
  created_at INTEGER NOT NULL
)`,
];

export const identities: Migration = {
  number: 6,
  name: 'identities',
  part: 'accounts',
  statements: { sqlite, postgres },
};
