// Loads of document skills (D9), and how many there were per hour.
import type { Migration } from './migration.ts';

const postgres = [
  `CREATE TABLE skill_loads (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  skill_name TEXT NOT NULL,
  digest TEXT NOT NULL,
  client TEXT NOT NULL,
  surface TEXT NOT NULL,
  loaded_at TIMESTAMPTZ NOT NULL
)`,
  'CREATE INDEX idx_skill_loads_loaded_at ON skill_loads (loaded_at, id)',
  'CREATE INDEX idx_skill_loads_skill_name ON skill_loads (skill_name, loaded_at, id)',
  'CREATE INDEX idx_skill_loads_client ON skill_loads (client, loaded_at, id)',
  `CREATE TABLE skill_load_counts (
  start TIMESTAMPTZ NOT NULL,
  skill_name TEXT NOT NULL,
  loads BIGINT NOT NULL,
  PRIMARY KEY (start, skill_name)
)`,
];

const sqlite = [
  `CREATE TABLE skill_loads (
  id INTEGER PRIMARY KEY,
  skill_name TEXT NOT NULL,
  digest TEXT NOT NULL,
  client TEXT NOT NULL,
  surface TEXT NOT NULL,
  loaded_at INTEGER NOT NULL
)`,
  'CREATE INDEX idx_skill_loads_loaded_at ON skill_loads (loaded_at, id)',
  'CREATE INDEX idx_skill_loads_skill_name ON skill_loads (skill_name, loaded_at, id)',
  'CREATE INDEX idx_skill_loads_client ON skill_loads (client, loaded_at, id)',
  `CREATE TABLE skill_load_counts (
  start INTEGER NOT NULL,
  skill_name TEXT NOT NULL,
  loads INTEGER NOT NULL,
  PRIMARY KEY (start, skill_name)
) WITHOUT ROWID`,
];

export const loads: Migration = { number: 4, name: 'loads', part: 'log', statements: { sqlite, postgres } };
