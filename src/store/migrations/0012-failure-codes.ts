// The code that an invocation failed with, beside its status: the log is filtered by it, newest first, without reading every
// failure (X8). Of a long log the newest hundred thousand failures get theirs: to look at all would take seconds, in which
// nothing else is done; what is older goes with --keep.
import type { Migration } from './migration.ts';

const newest = 'SELECT invocation_id FROM skill_results WHERE failure_code IS NOT NULL ORDER BY';

const codeOfResult = 'SELECT r.failure_code FROM skill_results r WHERE r.invocation_id = skill_invocations.id';

const postgres = [
  'ALTER TABLE skill_invocations ADD COLUMN IF NOT EXISTS failure_code VARCHAR(50)',
  `UPDATE skill_invocations SET failure_code = (${codeOfResult})
  WHERE id IN (${newest} created_at DESC LIMIT 100000)`,
  `CREATE INDEX IF NOT EXISTS idx_skill_invocations_failure_code
  ON skill_invocations (failure_code, created_at) WHERE failure_code IS NOT NULL`,
];

const sqlite = [
  'ALTER TABLE skill_invocations ADD COLUMN failure_code TEXT',
  `UPDATE skill_invocations SET failure_code = (${codeOfResult})
  WHERE id IN (${newest} rowid DESC LIMIT 100000)`,
  `CREATE INDEX idx_skill_invocations_failure_code
  ON skill_invocations (failure_code, created_at, id) WHERE failure_code IS NOT NULL`,
];

export const failureCodes: Migration = {
  number: 12,
  name: 'failure-codes',
  part: 'log',
  statements: { sqlite, postgres },
};
