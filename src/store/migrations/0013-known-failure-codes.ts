// The codes of what has failed already, from its results (X8). Of a long log the newest hundred thousand failures get theirs
// here: all of them would take SQLite seconds, in which nothing else is done. The sweep does the rest: see missing-codes.ts.
// On PostgreSQL others read and write meanwhile.
import type { Migration } from './migration.ts';

const newest = 'SELECT invocation_id FROM skill_results WHERE failure_code IS NOT NULL ORDER BY';

const codeOfResult = 'SELECT r.failure_code FROM skill_results r WHERE r.invocation_id = skill_invocations.id';

const fill = (order: string): string =>
  `UPDATE skill_invocations SET failure_code = (${codeOfResult})
  WHERE id IN (${newest} ${order} DESC LIMIT 100000)`;

export const knownFailureCodes: Migration = {
  number: 13,
  name: 'known-failure-codes',
  part: 'log',
  statements: { sqlite: [fill('rowid')], postgres: [fill('created_at')] },
};
