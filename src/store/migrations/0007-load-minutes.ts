// How many loads there were per minute and skill (D9), so that an overview never counts rows. Filled from the loads that are
// there: a million of them take about a second, in which no other process can write to SQLite.
import type { Migration } from './migration.ts';

// Counts go with their loads: prune.ts deletes each minute that is wholly older than what is kept.
const postgres = [
  `CREATE TABLE skill_load_minutes (
  start TIMESTAMPTZ NOT NULL,
  skill_name TEXT NOT NULL,
  loads BIGINT NOT NULL,
  PRIMARY KEY (start, skill_name)
)`,
  `INSERT INTO skill_load_minutes (start, skill_name, loads)
  SELECT date_trunc('minute', loaded_at), skill_name, count(*) FROM skill_loads GROUP BY 1, 2`,
];

const sqlite = [
  `CREATE TABLE skill_load_minutes (
  start INTEGER NOT NULL,
  skill_name TEXT NOT NULL,
  loads INTEGER NOT NULL,
  PRIMARY KEY (start, skill_name)
) WITHOUT ROWID`,
  `INSERT INTO skill_load_minutes (start, skill_name, loads)
  SELECT loaded_at / 60000 * 60000, skill_name, count(*) FROM skill_loads GROUP BY 1, 2`,
];

export const loadMinutes: Migration = {
  number: 7,
  name: 'load-minutes',
  part: 'log',
  statements: { sqlite, postgres },
};
