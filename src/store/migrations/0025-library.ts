// The library (L1): what each skill's current version is, its versions, and their files by SHA-256, in parts of at most a megabyte.
import type { Migration } from './migration.ts';

// `manifest`: JSON, because PostgreSQL keeps no NUL. `content`: base64. `author_key`: who it is, where names may change.
const postgres = [
  `CREATE TABLE repertoire_library_skills (
  name VARCHAR(64) PRIMARY KEY,
  current_digest VARCHAR(80),
  deleted_at TIMESTAMPTZ
)`,
  `CREATE TABLE repertoire_library_versions (
  name VARCHAR(64) NOT NULL REFERENCES repertoire_library_skills(name),
  digest VARCHAR(80) NOT NULL,
  number INTEGER NOT NULL,
  state VARCHAR(8) NOT NULL CHECK (state IN ('proposed', 'approved', 'rejected')),
  author TEXT NOT NULL,
  author_key TEXT NOT NULL,
  created_at TIMESTAMPTZ NOT NULL,
  message TEXT NOT NULL,
  base VARCHAR(80),
  manifest TEXT NOT NULL,
  decided_by TEXT,
  decided_at TIMESTAMPTZ,
  decision TEXT,
  was_current BOOLEAN NOT NULL,
  PRIMARY KEY (name, digest),
  UNIQUE (name, number)
)`,
  `CREATE TABLE repertoire_library_files (
  sha256 CHAR(64) NOT NULL,
  part INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (sha256, part)
)`,
  `CREATE TABLE repertoire_library_policy (
  id INTEGER PRIMARY KEY,
  review VARCHAR(3) NOT NULL CHECK (review IN ('off', 'on'))
)`,
  `INSERT INTO repertoire_library_policy (id, review) VALUES (1, 'off')`,
];

const sqlite = [
  `CREATE TABLE repertoire_library_skills (
  name TEXT PRIMARY KEY NOT NULL CHECK (length(name) <= 64),
  current_digest TEXT,
  deleted_at INTEGER
)`,
  `CREATE TABLE repertoire_library_versions (
  name TEXT NOT NULL REFERENCES repertoire_library_skills(name),
  digest TEXT NOT NULL,
  number INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('proposed', 'approved', 'rejected')),
  author TEXT NOT NULL,
  author_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  message TEXT NOT NULL,
  base TEXT,
  manifest TEXT NOT NULL,
  decided_by TEXT,
  decided_at INTEGER,
  decision TEXT,
  was_current INTEGER NOT NULL CHECK (was_current IN (0, 1)),
  PRIMARY KEY (name, digest),
  UNIQUE (name, number)
)`,
  `CREATE TABLE repertoire_library_files (
  sha256 TEXT NOT NULL,
  part INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (sha256, part)
)`,
  `CREATE TABLE repertoire_library_policy (
  id INTEGER PRIMARY KEY NOT NULL,
  review TEXT NOT NULL CHECK (review IN ('off', 'on'))
)`,
  `INSERT INTO repertoire_library_policy (id, review) VALUES (1, 'off')`,
];

export const library: Migration = { number: 25, name: 'library', part: 'accounts', statements: { sqlite, postgres } };
