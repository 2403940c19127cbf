// Fills a log with invocations, made by the database itself: a million of them one by one would take minutes.
import { join } from 'node:path';
import Database from 'libsql';
import pg from 'pg';

/** What lies in the log now. */
export interface Filled {
  readonly rows: number;
  readonly since: Date;
  readonly until: Date;
}

export type FillLog = (rows: number) => Promise<Filled>;

const days = 30;
const dayMs = 86_400_000;
/** Seconds of the roll-ups. */
const rollUps = [60, 3_600, 86_400] as const;
/** Four steps under each correlation id. */
const perCorrelation = 4;
/** Spreads neighbours over the whole index, as random ids are spread. */
const spread = 2_654_435_761n;
const wordSize = 2n ** 32n;

/** One of those that were filled in, another for each call. */
export function knownCorrelationId(call: number, rows: number): string {
  const groups = Math.ceil(rows / perCorrelation);
  const number = BigInt((call * 7_919) % groups);
  const head = ((number * spread) % wordSize).toString(16).padStart(8, '0');
  return `${head}-0000-4000-9000-${number.toString(16).padStart(12, '0')}`;
}

/** What the two dialects write differently. `i` counts the rows. */
interface Words {
  /** Rows with `i` from 0 up to before the number. */
  readonly count: (rows: number) => string;
  readonly uuid: (number: string, kind: '8000' | '9000') => string;
  readonly moment: (ms: string) => string;
  readonly json: (text: string) => string;
}

const sqliteWords: Words = {
  count: (rows) =>
    `(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${rows}) SELECT i FROM n)`,
  uuid: (number, kind) => `printf('%08x-0000-4000-${kind}-%012x', ((${number}) * ${spread}) % ${wordSize}, ${number})`,
  moment: (ms) => ms,
  json: (text) => text,
};

const postgresWords: Words = {
  count: (rows) => `(SELECT generate_series(0::bigint, ${rows - 1}) AS i) AS n`,
  uuid: (number, kind) =>
    `(lpad(to_hex(((${number}) * ${spread}) % ${wordSize}), 8, '0') || '-0000-4000-${kind}-' || lpad(to_hex(${number}), 12, '0'))::uuid`,
  moment: (ms) => `to_timestamp((${ms}) / 1000.0)`,
  json: (text) => `${text}::jsonb`,
};

export async function fillSqlite(folder: string, rows: number): Promise<Filled> {
  const filled = extentOf(rows);
  const database = new Database(join(folder, 'repertoire.db'));
  try {
    // Only here: nothing of this has to outlive a power cut.
    database.prepare('PRAGMA synchronous = OFF').all();
    database.prepare('PRAGMA cache_size = -200000').all();
    for (const statement of statementsOf(sqliteWords, filled)) database.exec(statement);
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  } finally {
    database.close();
  }
  return filled;
}

export async function fillPostgres(url: string, rows: number): Promise<Filled> {
  const filled = extentOf(rows);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statementsOf(postgresWords, filled)) await client.query(statement);
    // What the server does by itself after a while.
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
  return filled;
}

function extentOf(rows: number): Filled {
  const until = new Date();
  return { rows, since: new Date(until.getTime() - days * dayMs), until };
}

// Each digit of `i` says something else, so that every skill has every duration and both outcomes.
const skill = "'skill_' || (i % 20)";
const duration = '(i / 20) % 20';
const failed = '(i / 400) % 25 = 0';

function statementsOf(words: Words, { rows, since }: Filled): readonly string[] {
  const stepMs = Math.floor((days * dayMs) / rows);
  const ms = `${since.getTime()} + i * ${stepMs}`;
  const source = words.count(rows);
  return [
    `INSERT INTO skill_invocations (id, skill_name, invoking_agent, correlation_id, input_payload, status, created_at)
      SELECT ${words.uuid('i', '8000')}, ${skill}, 'agent_' || (i % 7),
        ${words.uuid(`(i / ${perCorrelation})`, '9000')}, ${words.json(`'{"title":"Write the report","priority":3}'`)},
        CASE WHEN ${failed} THEN 'timeout' ELSE 'completed' END, ${words.moment(ms)} FROM ${source}`,
    `INSERT INTO skill_results
      (invocation_id, success, output_payload, failure_code, failure_message, duration_ms, created_at)
      SELECT ${words.uuid('i', '8000')}, (i / 400) % 25 <> 0, CASE WHEN ${failed} THEN NULL ELSE ${words.json(`'{"title":"Write the report"}'`)} END,
        CASE WHEN ${failed} THEN 'TIMEOUT' END, CASE WHEN ${failed} THEN 'Operation timed out after 30s' END,
        ${duration}, ${words.moment(ms)} FROM ${source}`,
    ...rollUps.map(
      (seconds) => `INSERT INTO skill_invocation_counts (step, start, skill_name, outcome, bucket, invocations)
        SELECT ${seconds}, ${words.moment(`((${ms}) / ${seconds * 1000}) * ${seconds * 1000}`)}, ${skill},
          CASE WHEN ${failed} THEN 'TIMEOUT' ELSE '' END, ${duration}, count(*) FROM ${source} GROUP BY 1, 2, 3, 4, 5`,
    ),
  ];
}
