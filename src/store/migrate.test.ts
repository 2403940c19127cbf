// What the migrations may do beside other processes that use the database.
import { describe, expect, test } from 'vitest';
import { migrations } from './migrate.ts';

/** How long each holds its lock depends on the number of rows. */
const SLOW = /^(?:UPDATE|INSERT|DELETE|CREATE (?:UNIQUE )?INDEX)\b/;

describe('a migration of PostgreSQL, whose locks are held until it ends (X7)', () => {
  // The first makes the tables: there are no rows yet.
  const later = migrations.slice(1).map(({ name, statements }) => ({ name, statements: statements.postgres }));
  const tablesMadeBy = (statements: readonly string[]): readonly string[] =>
    statements.flatMap((statement) => /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/.exec(statement)?.[1] ?? []);
  /** On tables that were there before. */
  const onRows = (statements: readonly string[]): readonly string[] =>
    statements.filter(
      (statement) =>
        !tablesMadeBy(statements).some((table) => new RegExp(`\\b(?:INTO|ON) ${table}\\b`).test(statement)),
    );

  test.each(later)('$name takes no table for itself while it goes through rows (X7)', ({ statements }) => {
    const slow = onRows(statements).filter((statement) => SLOW.test(statement));
    if (statements.some((statement) => /^(?:ALTER|DROP)\b/.test(statement))) expect(slow).toEqual([]);
    // Writers wait for an index: for one at a time, and for nothing else with it.
    if (slow.some((statement) => /\bINDEX\b/.test(statement))) expect(slow).toHaveLength(1);
  });
});
