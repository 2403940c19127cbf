// What people were granted: roles and scopes, a row for each (N6). A user who goes takes them along.
import type { Migration } from './migration.ts';

const postgres = [
  `CREATE TABLE repertoire_grants (
  user_id UUID NOT NULL REFERENCES repertoire_users(id) ON DELETE CASCADE,
  kind VARCHAR(8) NOT NULL CHECK (kind IN ('role', 'scope')),
  name VARCHAR(64) NOT NULL,
  granted_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (user_id, kind, name)
)`,
];

const sqlite = [
  `CREATE TABLE repertoire_grants (
  user_id TEXT NOT NULL REFERENCES repertoire_users(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('role', 'scope')),
  name TEXT NOT NULL CHECK (length(name) <= 64),
  granted_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, kind, name)
)`,
];

export const grants: Migration = { number: 21, name: 'grants', part: 'accounts', statements: { sqlite, postgres } };
