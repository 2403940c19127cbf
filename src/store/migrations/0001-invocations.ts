// Invocations and their results (X7): the seed's tables on PostgreSQL, which may be there already; the same in SQLite.
import type { Migration } from './migration.ts';

// `owner` is the process that runs it: see 0002.
const postgres = [
  `CREATE TABLE IF NOT EXISTS skill_invocations (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  skill_name VARCHAR(64) NOT NULL,
  invoking_agent VARCHAR(64) NOT NULL,
  correlation_id UUID NOT NULL,
  input_payload JSONB NOT NULL,
  status VARCHAR(20) NOT NULL DEFAULT 'pending',
  created_at TIMESTAMPTZ NOT NULL DEFAULT NOW()
)`,
  'ALTER TABLE skill_invocations ADD COLUMN IF NOT EXISTS owner UUID',
  'CREATE INDEX IF NOT EXISTS idx_skill_invocations_skill_name ON skill_invocations (skill_name)',
  'CREATE INDEX IF NOT EXISTS idx_skill_invocations_correlation_id ON skill_invocations (correlation_id)',
  'CREATE INDEX IF NOT EXISTS idx_skill_invocations_created_at ON skill_invocations (created_at)',
  `CREATE INDEX IF NOT EXISTS idx_skill_invocations_invoking_agent
  ON skill_invocations (invoking_agent, created_at)`,
  `CREATE INDEX IF NOT EXISTS idx_skill_invocations_uncompleted
  ON skill_invocations (status, created_at) WHERE status <> 'completed'`,
  `CREATE TABLE IF NOT EXISTS skill_results (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  invocation_id UUID NOT NULL REFERENCES skill_invocations(id),
  success BOOLEAN NOT NULL,
  output_payload JSONB,
  failure_code VARCHAR(50),
  failure_message TEXT,
  failure_details JSONB,
  duration_ms INTEGER NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
  CONSTRAINT unique_invocation_result UNIQUE (invocation_id)
)`,
  'CREATE INDEX IF NOT EXISTS idx_skill_results_success ON skill_results (success)',
  'CREATE INDEX IF NOT EXISTS idx_skill_results_failure_code ON skill_results (failure_code)',
];

// Moments are milliseconds since 1970, JSON is text. Results have no id of their own: one index less to write.
const sqlite = [
  `CREATE TABLE skill_invocations (
  id TEXT PRIMARY KEY NOT NULL,
  skill_name TEXT NOT NULL CHECK (length(skill_name) <= 64),
  invoking_agent TEXT NOT NULL CHECK (length(invoking_agent) <= 64),
  correlation_id TEXT NOT NULL,
  input_payload TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed', 'timeout')),
  created_at INTEGER NOT NULL,
  owner TEXT
)`,
  'CREATE INDEX idx_skill_invocations_skill_name ON skill_invocations (skill_name, created_at, id)',
  'CREATE INDEX idx_skill_invocations_correlation_id ON skill_invocations (correlation_id)',
  'CREATE INDEX idx_skill_invocations_created_at ON skill_invocations (created_at, id)',
  'CREATE INDEX idx_skill_invocations_invoking_agent ON skill_invocations (invoking_agent, created_at, id)',
  `CREATE INDEX idx_skill_invocations_uncompleted
  ON skill_invocations (status, created_at, id) WHERE status <> 'completed'`,
  `CREATE TABLE skill_results (
  invocation_id TEXT PRIMARY KEY NOT NULL REFERENCES skill_invocations(id),
  success INTEGER NOT NULL CHECK (success IN (0, 1)),
  output_payload TEXT,
  failure_code TEXT,
  failure_message TEXT,
  failure_details TEXT,
  duration_ms INTEGER NOT NULL CHECK (duration_ms >= 0),
  created_at INTEGER NOT NULL
)`,
];

export const invocations: Migration = { number: 1, name: 'invocations', part: 'log', statements: { sqlite, postgres } };
