// Whose an invocation is, beside how the log calls them (J2): `ownerKey`. NULL in rows from before, and in those of older processes
// that use the database, too.
import type { Migration } from './migration.ts';

const postgres = ['ALTER TABLE skill_invocations ADD COLUMN IF NOT EXISTS owner_key TEXT'];

const sqlite = ['ALTER TABLE skill_invocations ADD COLUMN owner_key TEXT'];

export const invocationOwners: Migration = {
  number: 27,
  name: 'invocation-owners',
  part: 'log',
  statements: { sqlite, postgres },
};
