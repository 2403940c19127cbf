// SQLite holds the columns and the indexes that the seed describes, in a new file and in one from before (X7).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { invocationOf, logRun } from '../../tests/contracts/stores/store-world.ts';
import { UUID_PATTERN } from '../values/uuid.ts';
import { createActivityStore } from './activity-store.ts';
import { EVERYTHING, migrate, migrations } from './migrate.ts';
import { type Driver, plain, type Row, type Sql, withWriteLimit } from './sql.ts';
import { createSqlite } from './sqlite.ts';
import { openStore } from './store.ts';

let folder = '';
let files: Driver[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-schema-'));
});
afterEach(async () => {
  await Promise.all(files.map((file) => file.close()));
  files = [];
  rmSync(folder, { recursive: true, force: true });
});

function openFile(): Driver {
  const file = createSqlite(folder, 10_000, () => undefined);
  files.push(file);
  return file;
}

const read = (text: string): Promise<readonly Row[]> => openFile().read(plain(text));
const namesOf = async (text: string): Promise<readonly unknown[]> => (await read(text)).map(({ name }) => name);

async function openLog<T>(use: (store: ReturnType<typeof openStore>) => Promise<T>): Promise<T> {
  const store = openStore({ kind: 'sqlite', dataDirectory: folder });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** As the versions before this migration left it. */
async function writeOldFile(statements: readonly string[]): Promise<void> {
  const file = openFile();
  await migrate(withWriteLimit(file, 10_000), { ...EVERYTHING, known: migrations.slice(0, 9) });
  await file.write(function* () {
    for (const statement of statements) yield plain(statement);
  }, 10_000);
}

const COLUMNS = {
  skill_invocations: 'id skill_name invoking_agent correlation_id input_payload status created_at',
  skill_results:
    'id invocation_id success output_payload failure_code failure_message failure_details duration_ms created_at',
};

describe("the seed's schema in SQLite (X7)", () => {
  test.each(Object.entries(COLUMNS))('%s has its columns (X7)', async (table, columns) => {
    await openLog((store) => store.migrate());
    expect(await namesOf(`PRAGMA table_info(${table})`)).toEqual(expect.arrayContaining(columns.split(' ')));
  });

  test.each([
    ['idx_skill_invocations_skill_name', 'skill_name'],
    ['idx_skill_invocations_correlation_id', 'correlation_id'],
    ['idx_skill_invocations_created_at', 'created_at'],
    ['idx_skill_results_success', 'success'],
    ['idx_skill_results_failure_code', 'failure_code'],
    ['idx_skill_invocations_failure_code', 'failure_code'],
  ])('the index %s is there, over %s (X7)', async (index, column) => {
    await openLog((store) => store.migrate());
    expect((await namesOf(`PRAGMA index_info(${index})`))[0]).toBe(column);
  });

  test('each result has an id of its own, whatever its time (X7, M17)', async () => {
    await openLog(async ({ invocations }) => {
      for (let count = 0; count < 3; count++) await logRun(invocations, invocationOf());
    });
    const ids = (await read('SELECT id FROM skill_results ORDER BY rowid')).map(({ id }) => String(id));
    expect(ids).toEqual([expect.stringMatching(UUID_PATTERN), ids[1], ids[2]]);
    expect(new Set(ids).size).toBe(3);
  });

  test('a file from before is taken over with its rows, which get ids and the codes they failed with (X7) (X8)', async () => {
    const { id, correlationId } = invocationOf();
    await writeOldFile([
      `INSERT INTO skill_invocations (id, skill_name, invoking_agent, correlation_id, input_payload, status, created_at)
       VALUES ('${id}', 'old', 'TaskAgent', '${correlationId}', '{"a":1}', 'failed', 1700000000000)`,
      `INSERT INTO skill_results (invocation_id, success, failure_code, failure_message, failure_details, duration_ms, created_at)
       VALUES ('${id}', 0, 'NOT_FOUND', 'Resource not found: x', '{"resource":"x"}', 7, 1700000000007)`,
    ]);
    const listed = await openLog(async ({ migrate: update, invocations }) => {
      expect(await update()).toContain('0010-seed-columns');
      await logRun(invocations, invocationOf({ skillName: 'fresh' }));
      const { invocations: missed } = await invocations.list({ limit: 10, failureCode: 'NOT_FOUND' });
      expect(missed.map(({ invocation }) => invocation.skillName)).toEqual(['old']);
      return (await invocations.list({ limit: 10 })).invocations;
    });
    expect(listed.map(({ invocation }) => invocation.skillName)).toEqual(['fresh', 'old']);
    // By its name: who called was not recorded (J2).
    expect(listed[1]?.invocation).not.toHaveProperty('ownerKey');
    expect(listed[1]?.result).toMatchObject({
      failure: { code: 'NOT_FOUND', details: { resource: 'x' } },
      durationMs: 7,
    });
    const ids = (await read('SELECT id FROM skill_results')).map((row) => String(row.id));
    expect(ids).toEqual([expect.stringMatching(UUID_PATTERN), expect.stringMatching(UUID_PATTERN)]);
  });

  test('of a long log the newest rows get ids; the others are kept without (X7)', async () => {
    const rows = (from: number, to: number) =>
      `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;
    await writeOldFile([
      `${rows(1, 100_010)} INSERT INTO skill_invocations
         (id, skill_name, invoking_agent, correlation_id, input_payload, status, created_at)
         SELECT 'i' || i, 'old', 'TaskAgent', 'c', '{}', 'completed', i FROM n`,
      `${rows(1, 100_010)} INSERT INTO skill_results (invocation_id, success, output_payload, duration_ms, created_at)
         SELECT 'i' || i, 1, '{}', 1, i FROM n`,
    ]);
    await openLog((store) => store.migrate());
    const [counted] = await read('SELECT count(*) AS rows, count(id) AS ids, min(id) AS least FROM skill_results');
    expect(counted).toMatchObject({ rows: 100_010, ids: 100_000, least: expect.stringMatching(UUID_PATTERN) });
  });
});

test('files of skills are listed by an index of their own, not among all loads (U7)', async () => {
  await openLog((store) => store.migrate());
  const file = openFile();
  const plans: unknown[] = [];
  const explaining: Sql = {
    ...withWriteLimit(file, 10_000),
    read: async ({ text, values }) => {
      plans.push(...(await file.read({ text: `EXPLAIN QUERY PLAN ${text}`, values })).map(({ detail }) => detail));
      return [];
    },
  };
  const runs = { stats: () => Promise.reject(new Error('No runs are asked for')) };
  await createActivityStore(explaining, runs).list({ kind: 'file', limit: 50 });
  expect(plans).toEqual([expect.stringContaining('USING INDEX idx_skill_loads_files')]);
});
