// The way to the database for transactions that enter into the trail: one of this process at a time. They lock one row, and
// those who wait for it would take every connection.
import { createTurns } from '../async/turns.ts';
import { within } from '../async/within.ts';
import type { Sql } from './sql.ts';
import { busyPool } from './store-errors.ts';

/** `limitMs`: one whose turn does not come by then is refused, and not begun any more. */
export function createTrailTurn(database: Sql, limitMs: number): Sql {
  const inTurn = createTurns();
  return {
    dialect: database.dialect,
    read: (statement) => database.read(statement),
    write: (steps) => {
      let state: 'waiting' | 'begun' | 'refused' = 'waiting';
      const written = inTurn(() => {
        if (state === 'refused') throw busyPool();
        state = 'begun';
        return database.write(steps);
      });
      return within(written, limitMs, () => {
        // The write has a limit of its own.
        if (state === 'begun') return written;
        state = 'refused';
        throw busyPool();
      }).then((value) => value);
    },
  };
}
