// The code that an invocation failed with, beside its status (X8). Only the column: on PostgreSQL that takes the whole table
// for itself until the transaction ends, so nothing that takes long stands with it. 0013 fills it.
import type { Migration } from './migration.ts';

const postgres = ['ALTER TABLE skill_invocations ADD COLUMN IF NOT EXISTS failure_code VARCHAR(50)'];

const sqlite = ['ALTER TABLE skill_invocations ADD COLUMN failure_code TEXT'];

export const failureCodes: Migration = {
  number: 12,
  name: 'failure-codes',
  part: 'log',
  statements: { sqlite, postgres },
};
