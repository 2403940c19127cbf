// A run that ends while it is read: its end is never told beside what the run was before it.
import { expect, test } from 'vitest';
import { findRun } from './run-reads.ts';
import { type Row, type Sql, type Statement, sqliteDialect } from './sql.ts';

const ID = '0b0b0b0b-0000-4000-8000-000000000000';
const AGENT = {
  id: ID,
  skill_name: 'work',
  invoking_agent: 'a',
  correlation_id: ID,
  input_payload: '{}',
  created_at: 0,
};
const ENDED = {
  success: 0,
  failure_code: 'INTERNAL_ERROR',
  failure_message: 'x',
  failure_details: '{"cancelled":true}',
};
const RUN = {
  id: ID,
  caller: '{"kind":"agent","name":"a"}',
  progress: null,
  approval: null,
  created_at: 0,
  updated_at: 0,
};

/** It is cancelled, and ends, behind the first read. */
function endingBetweenReads(): Sql {
  let reads = 0;
  const rowOf = (text: string): readonly Row[] => {
    const isOver = reads > 0;
    reads += 1;
    if (text.includes('repertoire_attempts')) return [];
    if (text.includes('repertoire_runs')) return [{ ...RUN, is_cancelled: isOver ? 1 : 0 }];
    const end = isOver ? { ...ENDED, duration_ms: 1, ended_at: 1 } : { success: null };
    return [{ ...AGENT, status: isOver ? 'failed' : 'running', ...end }];
  };
  return {
    dialect: sqliteDialect,
    read: async (statement: Statement) => rowOf(JSON.stringify(statement)),
    write: async () => {
      throw new Error('Nothing is written');
    },
  };
}

test('a run with its end is also known to be cancelled: its task does not change from completed to cancelled (J4)', async () => {
  const run = await findRun(endingBetweenReads(), ID);
  expect(run).toBeDefined();
  expect(run?.result === undefined || run.isCancelled).toBe(true);
});
