// What all processes on one PostgreSQL count together (N1): the bursts of the last minute of a key, who holds places of a skill,
// and which processes count. None of it outlives a minute, so nothing of it is logged by the database or flushed to its disk.
// A file of SQLite has one process that counts: it counts by itself.
import type { Migration } from './migration.ts';

// `told` to `most`, and `mine` to `most`: what a question brings. They are columns so that one statement can ask and decide.
// `ends`: milliseconds since 1970, the newest first, as are their `counts`. `started`: when the newest burst began.
const postgres = [
  `CREATE UNLOGGED TABLE repertoire_minutes (
  key VARCHAR(64) PRIMARY KEY,
  started BIGINT NOT NULL,
  ends BIGINT[] NOT NULL,
  counts INTEGER[] NOT NULL,
  told INTEGER NOT NULL,
  asked INTEGER NOT NULL,
  unit INTEGER NOT NULL,
  most INTEGER NOT NULL,
  granted INTEGER NOT NULL
) WITH (fillfactor = 50)`,
  `CREATE UNLOGGED TABLE repertoire_places (
  name VARCHAR(64) PRIMARY KEY,
  holders VARCHAR(64)[] NOT NULL,
  held INTEGER[] NOT NULL,
  untils BIGINT[] NOT NULL,
  mine INTEGER NOT NULL,
  asked INTEGER NOT NULL,
  most INTEGER NOT NULL,
  granted INTEGER NOT NULL
) WITH (fillfactor = 50)`,
  `CREATE UNLOGGED TABLE repertoire_replicas (
  id VARCHAR(64) PRIMARY KEY,
  seen_at TIMESTAMPTZ NOT NULL
)`,
];

export const sharedLimits: Migration = {
  number: 19,
  name: 'shared-limits',
  part: 'accounts',
  statements: { sqlite: [], postgres },
};
