// Roll-ups for statistics (X8): how many invocations ended per minute, hour and day, by skill, outcome and duration.
import type { Migration } from './migration.ts';

// `step`: seconds. `outcome`: a failure code, or '' for success. `bucket`: see duration-buckets.ts.
const postgres = [
  `CREATE TABLE skill_invocation_counts (
  step INTEGER NOT NULL,
  start TIMESTAMPTZ NOT NULL,
  skill_name VARCHAR(64) NOT NULL,
  outcome VARCHAR(50) NOT NULL,
  bucket INTEGER NOT NULL,
  invocations BIGINT NOT NULL,
  PRIMARY KEY (step, start, skill_name, outcome, bucket)
)`,
];

const sqlite = [
  `CREATE TABLE skill_invocation_counts (
  step INTEGER NOT NULL,
  start INTEGER NOT NULL,
  skill_name TEXT NOT NULL,
  outcome TEXT NOT NULL,
  bucket INTEGER NOT NULL,
  invocations INTEGER NOT NULL,
  PRIMARY KEY (step, start, skill_name, outcome, bucket)
) WITHOUT ROWID`,
];

export const counts: Migration = { number: 3, name: 'counts', part: 'log', statements: { sqlite, postgres } };
