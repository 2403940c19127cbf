// Rows of grants as the names in them: what a person was granted, or lost (N6).
import type { Row } from './sql.ts';

/** Sorted here: each database has its own rules. */
export const namesOf = (rows: readonly Row[], kind: 'role' | 'scope'): readonly string[] =>
  rows
    .filter((row) => row.kind === kind)
    .map(({ name }) => String(name))
    .sort();

/** As the trail tells of a change. */
export const grantDetails = (rows: readonly Row[]) => ({
  roles: namesOf(rows, 'role'),
  scopes: namesOf(rows, 'scope'),
});
