// Users and their tasks (B1, B2), for the built-in skills. A user who goes takes the tasks along.
import type { Migration } from './migration.ts';

// `email_key` is what emails are compared by: see emailKeyOf in text/email-key.ts.
const postgres = [
  `CREATE TABLE repertoire_users (
  id UUID PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL CONSTRAINT unique_user_email UNIQUE,
  password_hash TEXT NOT NULL,
  display_name TEXT,
  created_at TIMESTAMPTZ NOT NULL
)`,
  `CREATE TABLE repertoire_tasks (
  id UUID PRIMARY KEY,
  user_id UUID NOT NULL REFERENCES repertoire_users(id) ON DELETE CASCADE,
  title VARCHAR(200) NOT NULL,
  description VARCHAR(2000),
  status VARCHAR(20) NOT NULL CHECK (status IN ('pending', 'in_progress', 'completed', 'cancelled')),
  priority INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 5),
  due_date TIMESTAMPTZ,
  created_at TIMESTAMPTZ NOT NULL,
  updated_at TIMESTAMPTZ NOT NULL
)`,
  'CREATE INDEX idx_repertoire_tasks_user ON repertoire_tasks (user_id, created_at, id)',
  'CREATE INDEX idx_repertoire_tasks_user_status ON repertoire_tasks (user_id, status, created_at, id)',
];

const sqlite = [
  `CREATE TABLE repertoire_users (
  id TEXT PRIMARY KEY NOT NULL,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  display_name TEXT,
  created_at INTEGER NOT NULL
)`,
  `CREATE TABLE repertoire_tasks (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES repertoire_users(id) ON DELETE CASCADE,
  title TEXT NOT NULL CHECK (length(title) <= 200),
  description TEXT CHECK (length(description) <= 2000),
  status TEXT NOT NULL CHECK (status IN ('pending', 'in_progress', 'completed', 'cancelled')),
  priority INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 5),
  due_date INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
)`,
  'CREATE INDEX idx_repertoire_tasks_user ON repertoire_tasks (user_id, created_at, id)',
  'CREATE INDEX idx_repertoire_tasks_user_status ON repertoire_tasks (user_id, status, created_at, id)',
];

export const accounts: Migration = { number: 5, name: 'accounts', part: 'accounts', statements: { sqlite, postgres } };
