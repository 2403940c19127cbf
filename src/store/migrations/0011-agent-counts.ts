// Roll-ups for statistics by agent (X8): as those of 0003, with who invoked. What ended before has none: to make them of a
// long log would take minutes.
import type { Migration } from './migration.ts';

const postgres = [
  `CREATE TABLE skill_agent_counts (
  step INTEGER NOT NULL,
  start TIMESTAMPTZ NOT NULL,
  invoking_agent VARCHAR(64) NOT NULL,
  skill_name VARCHAR(64) NOT NULL,
  outcome VARCHAR(50) NOT NULL,
  bucket INTEGER NOT NULL,
  invocations BIGINT NOT NULL,
  PRIMARY KEY (step, start, invoking_agent, skill_name, outcome, bucket)
)`,
];

const sqlite = [
  `CREATE TABLE skill_agent_counts (
  step INTEGER NOT NULL,
  start INTEGER NOT NULL,
  invoking_agent TEXT NOT NULL,
  skill_name TEXT NOT NULL,
  outcome TEXT NOT NULL,
  bucket INTEGER NOT NULL,
  invocations INTEGER NOT NULL,
  PRIMARY KEY (step, start, invoking_agent, skill_name, outcome, bucket)
) WITHOUT ROWID`,
];

export const agentCounts: Migration = {
  number: 11,
  name: 'agent-counts',
  part: 'log',
  statements: { sqlite, postgres },
};
