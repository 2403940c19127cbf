// The processes that run skills, and when each was last seen: whose is gone, its running invocations are closed.
import type { Migration } from './migration.ts';

const postgres = [
  `CREATE TABLE repertoire_processes (
  id UUID PRIMARY KEY,
  pid INTEGER NOT NULL,
  machine VARCHAR(200),
  started VARCHAR(40),
  last_seen TIMESTAMPTZ NOT NULL
)`,
  "CREATE INDEX idx_skill_invocations_running ON skill_invocations (owner) WHERE status = 'running'",
];

const sqlite = [
  `CREATE TABLE repertoire_processes (
  id TEXT PRIMARY KEY NOT NULL,
  pid INTEGER NOT NULL,
  machine TEXT,
  started TEXT,
  last_seen INTEGER NOT NULL
)`,
  "CREATE INDEX idx_skill_invocations_running ON skill_invocations (owner) WHERE status = 'running'",
];

export const processes: Migration = { number: 2, name: 'processes', part: 'log', statements: { sqlite, postgres } };
