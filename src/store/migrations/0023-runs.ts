// Durable runs (J): what is known of them beside the columns of the log, their attempts, what a workflow has to go on with, and
// the keys that callers gave.
import type { Migration } from './migration.ts';

// `caller`: with roles and scopes, as JSON: a run has the authority that was checked. `sealed`: the input, encrypted; gone at the
// end. `taken_by`, `lease_until`: the process that runs it, until when it counts as alive.
const postgres = [
  `CREATE TABLE repertoire_runs (
  id UUID PRIMARY KEY REFERENCES skill_invocations(id) ON DELETE CASCADE,
  skill_name VARCHAR(64) NOT NULL,
  owner_key TEXT NOT NULL,
  caller JSONB NOT NULL,
  sealed TEXT,
  is_idempotent BOOLEAN NOT NULL,
  most_attempts INTEGER NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 0,
  not_before TIMESTAMPTZ NOT NULL,
  taken_by UUID,
  lease_until TIMESTAMPTZ,
  is_cancelled BOOLEAN NOT NULL DEFAULT FALSE,
  progress TEXT,
  approval VARCHAR(10),
  approval_expires_at TIMESTAMPTZ,
  decided_by TEXT,
  decided_at TIMESTAMPTZ,
  decision TEXT,
  created_at TIMESTAMPTZ NOT NULL,
  updated_at TIMESTAMPTZ NOT NULL,
  is_over BOOLEAN NOT NULL DEFAULT FALSE
)`,
  'CREATE INDEX idx_repertoire_runs_due ON repertoire_runs (not_before, id) WHERE NOT is_over',
  'CREATE INDEX idx_repertoire_runs_created ON repertoire_runs (created_at, id)',
  `CREATE TABLE repertoire_attempts (
  invocation_id UUID NOT NULL REFERENCES repertoire_runs(id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  started_at TIMESTAMPTZ NOT NULL,
  ended_at TIMESTAMPTZ,
  failure_code VARCHAR(50),
  PRIMARY KEY (invocation_id, attempt)
)`,
  `CREATE TABLE repertoire_run_steps (
  invocation_id UUID NOT NULL REFERENCES repertoire_runs(id) ON DELETE CASCADE,
  step TEXT NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (invocation_id, step)
)`,
  `CREATE TABLE repertoire_keys (
  key_hash VARCHAR(64) PRIMARY KEY,
  input_hash VARCHAR(64) NOT NULL,
  invocation_id UUID NOT NULL,
  created_at TIMESTAMPTZ NOT NULL
)`,
  'CREATE INDEX idx_repertoire_keys_created ON repertoire_keys (created_at)',
];

const sqlite = [
  `CREATE TABLE repertoire_runs (
  id TEXT PRIMARY KEY NOT NULL REFERENCES skill_invocations(id) ON DELETE CASCADE,
  skill_name TEXT NOT NULL,
  owner_key TEXT NOT NULL,
  caller TEXT NOT NULL,
  sealed TEXT,
  is_idempotent INTEGER NOT NULL,
  most_attempts INTEGER NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL,
  taken_by TEXT,
  lease_until INTEGER,
  is_cancelled INTEGER NOT NULL DEFAULT 0,
  progress TEXT,
  approval TEXT,
  approval_expires_at INTEGER,
  decided_by TEXT,
  decided_at INTEGER,
  decision TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  is_over INTEGER NOT NULL DEFAULT 0
)`,
  'CREATE INDEX idx_repertoire_runs_due ON repertoire_runs (not_before, id) WHERE NOT is_over',
  'CREATE INDEX idx_repertoire_runs_created ON repertoire_runs (created_at, id)',
  `CREATE TABLE repertoire_attempts (
  invocation_id TEXT NOT NULL REFERENCES repertoire_runs(id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  failure_code TEXT,
  PRIMARY KEY (invocation_id, attempt)
)`,
  `CREATE TABLE repertoire_run_steps (
  invocation_id TEXT NOT NULL REFERENCES repertoire_runs(id) ON DELETE CASCADE,
  step TEXT NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (invocation_id, step)
)`,
  `CREATE TABLE repertoire_keys (
  key_hash TEXT PRIMARY KEY NOT NULL,
  input_hash TEXT NOT NULL,
  invocation_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
)`,
  'CREATE INDEX idx_repertoire_keys_created ON repertoire_keys (created_at)',
];

export const runs: Migration = { number: 23, name: 'runs', part: 'log', statements: { sqlite, postgres } };
