// `migrate` on a real SQLite file, and the SQL that it prints for both stores (C, X7).
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Asked, createCommandWorld } from './fixtures/command-world.ts';
import { run } from './migrate.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-migrate-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function migrate(asked: Asked) {
  const world = createCommandWorld(asked);
  const code = await run(world.context);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

test('says what it applied, and the second time that all is up to date (C)', async () => {
  const asked: Asked = { given: { data: folder } };
  const first = await migrate(asked);
  expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(/^SQLite: \d+ migrations applied\n$/) });
  expect(first.stdout).toMatch(/^0001-invocations\n(\d{4}-[\w-]+\n)+$/);
  expect(await migrate(asked)).toEqual({ code: 0, stdout: '', stderr: 'SQLite: everything is up to date\n' });
});

test('prints JSON (C)', async () => {
  const { stdout, stderr } = await migrate({ given: { data: folder }, flags: ['json'] });
  expect(JSON.parse(stdout)).toEqual({ store: 'sqlite', applied: expect.arrayContaining(['0001-invocations']) });
  expect(stderr).toBe('');
});

test.each([
  [{}, /INTEGER PRIMARY KEY NOT NULL/],
  [{ databaseUrl: 'postgres://127.0.0.1:1/x' }, /TIMESTAMPTZ/],
])('prints the SQL for the store of %j and opens nothing (C, X7)', async (given, shape) => {
  const { code, stdout, stderr } = await migrate({ given: { data: join(folder, 'none'), ...given }, flags: ['print'] });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/CREATE TABLE (?:IF NOT EXISTS )?skill_invocations/);
  expect(stdout).toMatch(shape);
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

test('the printed SQL runs without what SQLite 3.42 brought, with the time of each migration, and nothing is left to apply (C)', async () => {
  const { stdout } = await migrate({ given: { data: folder }, flags: ['print'] });
  // Milliseconds by `subsec` came with 3.42; the shell of a long-term release is older, and gives NULL for it.
  expect(stdout).not.toContain('subsec');
  const database = new Database(join(folder, 'repertoire.db'));
  database.exec(stdout);
  const row = database.prepare('SELECT MIN(applied_at) AS first FROM repertoire_migrations').get() as { first: number };
  database.close();
  expect(Math.abs(Date.now() - row.first)).toBeLessThan(3_600_000);
  expect(await migrate({ given: { data: folder } })).toMatchObject({ stderr: 'SQLite: everything is up to date\n' });
});

test('prints the SQL as JSON, too (C)', async () => {
  const { stdout } = await migrate({ given: { data: folder }, flags: ['print', 'json'] });
  expect(JSON.parse(stdout)).toEqual({ store: 'sqlite', sql: expect.stringContaining('BEGIN;') });
});

test('says in one sentence that the store cannot be reached, exit 1 (C)', async () => {
  const { code, stdout, stderr } = await migrate({ given: { databaseUrl: 'postgres://127.0.0.1:1/x' } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^Cannot reach the database: [^\n]*\n$/);
});
