// Failures whose code is missing: the sweep finds them without looking at others (X8). Usually there are none.
import type { Migration } from './migration.ts';

const index = (columns: string): string =>
  `CREATE INDEX idx_skill_invocations_missing_code
  ON skill_invocations (${columns}) WHERE failure_code IS NULL AND status IN ('failed', 'timeout')`;

export const missingFailureCodes: Migration = {
  number: 15,
  name: 'missing-failure-codes',
  part: 'log',
  statements: { sqlite: [index('created_at, id')], postgres: [index('created_at')] },
};
