// The trail (L5): its entries, and one row about the newest, which every writer locks. What is hashed is kept as it was hashed:
// moments as milliseconds and JSON as text, because PostgreSQL would keep more of a moment than is compared, and rewrite JSON.
import type { Migration } from './migration.ts';

// `seal`: of the newest entry, and of no other. `previous`: the link to the entry before, a digest of the seal that it had.
const postgres = [
  `CREATE TABLE repertoire_trail (
  seq BIGINT PRIMARY KEY,
  time_ms BIGINT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  digest TEXT,
  details TEXT,
  key_id TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL
)`,
  `CREATE TABLE repertoire_trail_head (
  id INTEGER PRIMARY KEY,
  seq BIGINT NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  seal TEXT NOT NULL
)`,
  `INSERT INTO repertoire_trail_head (id, seq, hash, key_id, seal) VALUES (1, 0, '${'0'.repeat(64)}', '', '')`,
];

const sqlite = [
  `CREATE TABLE repertoire_trail (
  seq INTEGER PRIMARY KEY NOT NULL,
  time_ms INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  digest TEXT,
  details TEXT,
  key_id TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL
)`,
  `CREATE TABLE repertoire_trail_head (
  id INTEGER PRIMARY KEY NOT NULL,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  seal TEXT NOT NULL
)`,
  `INSERT INTO repertoire_trail_head (id, seq, hash, key_id, seal) VALUES (1, 0, '${'0'.repeat(64)}', '', '')`,
];

export const trail: Migration = { number: 22, name: 'trail', part: 'accounts', statements: { sqlite, postgres } };
