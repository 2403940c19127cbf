// Floors of the log: one bare INSERT that SQLite brings to the disk; on PostgreSQL a transaction for every invocation.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import type { Invocation, InvocationResult } from '../src/skills/define/invocation.ts';
import { recordOf, resultRecordOf } from '../src/store/invocation-record.ts';
import { insertInvocations, insertResults } from '../src/store/invocation-writes.ts';
import { createPostgres } from '../src/store/postgres.ts';
import { UNHURRIED } from './unhurried.ts';

interface Sample {
  readonly invocation: Invocation;
  readonly ended: Invocation;
  readonly result: InvocationResult;
}

const inputPayload = {
  user_id: '550e8400-e29b-41d4-a716-446655440000',
  title: 'Write the report',
  description: 'Figures of the third quarter, with a page about what changed.',
  priority: 3,
  due_date: '2026-11-20T17:00:00+01:00',
};

/** A run of a skill for tasks that has just ended. */
export function sampleInvocation(): Sample {
  const id = randomUUID();
  const timestamp = new Date();
  const facts = {
    id,
    skillName: 'create_task',
    inputPayload,
    invokingAgent: 'TaskAgent',
    correlationId: id,
    timestamp,
  };
  const outputPayload = { task_id: id, title: inputPayload.title, created_at: timestamp.toISOString() };
  return {
    invocation: { ...facts, status: 'running' },
    ended: { ...facts, status: 'completed' },
    result: { invocationId: id, success: true, outputPayload, durationMs: 3, timestamp },
  };
}

export function openBareInserts(folder: string): { readonly insert: () => void; readonly close: () => void } {
  const database = new Database(join(folder, 'floor.db'));
  for (const setting of ['journal_mode = WAL', 'synchronous = FULL', 'wal_autocheckpoint = 4000']) {
    database.prepare(`PRAGMA ${setting}`).all();
  }
  database.exec('CREATE TABLE runs (id TEXT PRIMARY KEY NOT NULL, payload TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO runs (id, payload) VALUES (?, ?)');
  const payload = JSON.stringify(inputPayload);
  return { insert: () => insert.run(randomUUID(), payload), close: () => database.close() };
}

/** With a pool like the store's, and without the roll-ups: writers one by one would wait for each other's counters. */
export function openSingleWrites(url: string): {
  readonly write: () => Promise<void>;
  readonly close: () => Promise<void>;
} {
  const { operationLimitMs } = UNHURRIED;
  const pool = createPostgres(url, operationLimitMs);
  const owner = randomUUID();
  const write = () => {
    const { ended, result } = sampleInvocation();
    const row = { record: recordOf(ended), state: { status: ended.status, failureCode: null } };
    return pool.write(function* () {
      yield* insertInvocations([row], owner);
      yield* insertResults([resultRecordOf(result, ended.status)]);
    }, operationLimitMs);
  };
  return { write, close: () => pool.close() };
}
