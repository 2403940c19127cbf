// Sessions of 2025-era MCP clients that all replicas serve (N2). Of a session's id only its digest is kept.
import type { Migration } from './migration.ts';

// `client`: an object, `resources`: an array of URIs, both as JSON. Clients write them: JSONB refuses what text takes.
const postgres = [
  `CREATE TABLE repertoire_mcp_sessions (
  digest VARCHAR(64) PRIMARY KEY,
  owner TEXT NOT NULL,
  version VARCHAR(16) NOT NULL,
  client TEXT NOT NULL,
  resources TEXT NOT NULL,
  rights TEXT NOT NULL,
  credential VARCHAR(64),
  created_at TIMESTAMPTZ NOT NULL,
  last_used_at TIMESTAMPTZ NOT NULL,
  listened_at TIMESTAMPTZ
)`,
  'CREATE INDEX repertoire_mcp_sessions_owner ON repertoire_mcp_sessions (owner, last_used_at)',
  'CREATE INDEX repertoire_mcp_sessions_use ON repertoire_mcp_sessions (last_used_at)',
];

const sqlite = [
  `CREATE TABLE repertoire_mcp_sessions (
  digest TEXT PRIMARY KEY NOT NULL,
  owner TEXT NOT NULL,
  version TEXT NOT NULL,
  client TEXT NOT NULL,
  resources TEXT NOT NULL,
  rights TEXT NOT NULL,
  credential TEXT,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  listened_at INTEGER
)`,
  'CREATE INDEX repertoire_mcp_sessions_owner ON repertoire_mcp_sessions (owner, last_used_at)',
  'CREATE INDEX repertoire_mcp_sessions_use ON repertoire_mcp_sessions (last_used_at)',
];

export const mcpSessions: Migration = {
  number: 20,
  name: 'mcp-sessions',
  part: 'accounts',
  statements: { sqlite, postgres },
};
