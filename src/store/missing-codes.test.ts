// Failures that an older version wrote beside this one are found by their code, too (X8).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf, invocationOf, logRun } from '../../tests/contracts/stores/store-world.ts';
import { plain, type Row, type Steps } from './sql.ts';
import { createSqlite } from './sqlite.ts';
import { openStore, type Store } from './store.ts';

let folder = '';
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-codes-'));
  store = openStore({ kind: 'sqlite', dataDirectory: folder });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(text: string): Promise<readonly Row[]> {
  const file = createSqlite(folder, 10_000, () => undefined);
  try {
    return await file.write(function* (): Steps<readonly Row[]> {
      return yield plain(text);
    }, 10_000);
  } finally {
    await file.close();
  }
}

const countOf = async (failureCode: 'NOT_FOUND' | 'TIMEOUT') =>
  (await store.invocations.list({ limit: 10, failureCode })).invocations.length;

test('the sweep fills in the codes that an older process left out (X8)', async () => {
  for (const code of ['NOT_FOUND', 'TIMEOUT'] as const) {
    const invocation = invocationOf();
    await logRun(store.invocations, invocation, failureOf(invocation, code));
  }
  await logRun(store.invocations, invocationOf());
  await run('UPDATE skill_invocations SET failure_code = NULL');
  expect([await countOf('NOT_FOUND'), await countOf('TIMEOUT')]).toEqual([0, 0]);
  expect(await store.sweep()).toBe(0);
  expect([await countOf('NOT_FOUND'), await countOf('TIMEOUT')]).toEqual([1, 1]);
});

test('a long log gets them ten thousand at a time, newest first; one without a result keeps none of them back (X8)', async () => {
  await store.migrate();
  const rows = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10300)';
  const columns = 'id, skill_name, invoking_agent, correlation_id, input_payload, status, created_at';
  await run(`${rows} INSERT INTO skill_invocations (${columns})
    SELECT 'i' || i, 'old', 'TaskAgent', 'c', '{}', 'failed', i FROM n`);
  await run(`${rows} INSERT INTO skill_results (invocation_id, success, failure_code, duration_ms, created_at)
    SELECT 'i' || i, 0, 'NOT_FOUND', 1, i FROM n WHERE i < 10300`);
  const missing =
    'SELECT count(*) AS missing, min(created_at) AS oldest FROM skill_invocations WHERE failure_code IS NULL';
  await store.sweep();
  expect(await run(missing)).toEqual([{ missing: 300, oldest: 1 }]);
  await store.sweep();
  expect(await run(missing)).toEqual([{ missing: 1, oldest: 10_300 }]);
});
