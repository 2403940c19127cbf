// By the code, newest first, without reading every failure (X8). On PostgreSQL writers wait while an index is built, so it is
// built alone: it reads the invocations once.
import type { Migration } from './migration.ts';

const postgres = [
  `CREATE INDEX IF NOT EXISTS idx_skill_invocations_failure_code
  ON skill_invocations (failure_code, created_at) WHERE failure_code IS NOT NULL`,
];

const sqlite = [
  `CREATE INDEX idx_skill_invocations_failure_code
  ON skill_invocations (failure_code, created_at, id) WHERE failure_code IS NOT NULL`,
];

export const failureCodeIndex: Migration = {
  number: 14,
  name: 'failure-code-index',
  part: 'log',
  statements: { sqlite, postgres },
};
