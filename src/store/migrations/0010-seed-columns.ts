// What SQLite's results lacked of the seed's (X7): an id of their own and two indexes. PostgreSQL has them from 0001 on.
// To give every row of a long log an id would rewrite it: 8 s for a million results, in which nothing else is done. So the
// newest hundred thousand get one; what is older goes with --keep. With the indexes that takes 2 to 5 s for a million.
import type { Migration } from './migration.ts';

/** A random UUID, version 4. */
const newId = `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||
    substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;

const sqlite = [
  'ALTER TABLE skill_results ADD COLUMN id TEXT',
  `UPDATE skill_results SET id = ${newId}
  WHERE rowid > (SELECT max(rowid) FROM skill_results) - 100000`,
  'CREATE UNIQUE INDEX idx_skill_results_id ON skill_results (id)',
  'CREATE INDEX idx_skill_results_success ON skill_results (success)',
  'CREATE INDEX idx_skill_results_failure_code ON skill_results (failure_code)',
];

export const seedColumns: Migration = {
  number: 10,
  name: 'seed-columns',
  part: 'log',
  statements: { sqlite, postgres: [] },
};
