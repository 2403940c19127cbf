// Schedules (J7): up to which moment each has made its runs. `definition`: of its times, so that new ones begin anew.
import type { Migration } from './migration.ts';

const postgres = [
  `CREATE TABLE repertoire_schedules (
  name VARCHAR(64) PRIMARY KEY,
  definition TEXT NOT NULL,
  last_tick TIMESTAMPTZ NOT NULL,
  last_invocation_id UUID
)`,
];

const sqlite = [
  `CREATE TABLE repertoire_schedules (
  name TEXT PRIMARY KEY NOT NULL,
  definition TEXT NOT NULL,
  last_tick INTEGER NOT NULL,
  last_invocation_id TEXT
)`,
];

export const schedules: Migration = { number: 24, name: 'schedules', part: 'log', statements: { sqlite, postgres } };
