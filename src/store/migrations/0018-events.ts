// What the processes of one store tell each other (N3): read for some minutes, then deleted.
import type { Migration } from './migration.ts';

// `is_told`: the listeners of the process that wrote it have heard it already.
const postgres = [
  `CREATE TABLE repertoire_events (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic VARCHAR(64) NOT NULL,
  body TEXT NOT NULL,
  origin VARCHAR(64) NOT NULL,
  is_told BOOLEAN NOT NULL,
  at TIMESTAMPTZ NOT NULL
)`,
  'CREATE INDEX idx_repertoire_events_at ON repertoire_events (at)',
];

const sqlite = [
  `CREATE TABLE repertoire_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  topic TEXT NOT NULL,
  body TEXT NOT NULL,
  origin TEXT NOT NULL,
  is_told INTEGER NOT NULL,
  at INTEGER NOT NULL
)`,
  'CREATE INDEX idx_repertoire_events_at ON repertoire_events (at)',
];

export const events: Migration = { number: 18, name: 'events', part: 'accounts', statements: { sqlite, postgres } };
