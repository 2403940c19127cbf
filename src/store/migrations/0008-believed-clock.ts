// How far the clock was believed when old records were deleted (F12), so that a clock that is wrong deletes nothing. Begins
// with the newest record that is there.
import type { Migration } from './migration.ts';

const newest = `INSERT INTO repertoire_clock (id, believed)
  SELECT 1, max(newest) FROM (
    SELECT max(created_at) AS newest FROM skill_invocations UNION ALL SELECT max(loaded_at) FROM skill_loads
  ) AS records`;

const postgres = [
  `CREATE TABLE repertoire_clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  believed TIMESTAMPTZ,
  claimed TIMESTAMPTZ
)`,
  newest,
];

const sqlite = [
  `CREATE TABLE repertoire_clock (
  id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
  believed INTEGER,
  claimed INTEGER
)`,
  newest,
];

export const believedClock: Migration = {
  number: 8,
  name: 'believed-clock',
  part: 'log',
  statements: { sqlite, postgres },
};
