// Beside each input and each result that is too long for a list: its size, its beginning, and what else a list shows of it.
// Rows that are there already get none: to read them all would take minutes.
import type { Migration } from './migration.ts';

const postgres = [
  `CREATE TABLE skill_long_inputs (
  invocation_id UUID PRIMARY KEY REFERENCES skill_invocations(id) ON DELETE CASCADE,
  bytes INTEGER NOT NULL,
  begins TEXT NOT NULL
)`,
  `CREATE TABLE skill_long_results (
  invocation_id UUID PRIMARY KEY REFERENCES skill_invocations(id) ON DELETE CASCADE,
  success BOOLEAN NOT NULL,
  bytes INTEGER NOT NULL,
  begins TEXT NOT NULL,
  failure_code VARCHAR(50),
  failure_message TEXT,
  duration_ms INTEGER NOT NULL,
  created_at TIMESTAMPTZ NOT NULL
)`,
];

const sqlite = [
  `CREATE TABLE skill_long_inputs (
  invocation_id TEXT PRIMARY KEY NOT NULL REFERENCES skill_invocations(id) ON DELETE CASCADE,
  bytes INTEGER NOT NULL,
  begins TEXT NOT NULL
)`,
  `CREATE TABLE skill_long_results (
  invocation_id TEXT PRIMARY KEY NOT NULL REFERENCES skill_invocations(id) ON DELETE CASCADE,
  success INTEGER NOT NULL CHECK (success IN (0, 1)),
  bytes INTEGER NOT NULL,
  begins TEXT NOT NULL,
  failure_code TEXT,
  failure_message TEXT,
  duration_ms INTEGER NOT NULL,
  created_at INTEGER NOT NULL
)`,
];

export const longPayloads: Migration = {
  number: 9,
  name: 'long-payloads',
  part: 'log',
  statements: { sqlite, postgres },
};
