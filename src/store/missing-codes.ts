// Fills in the failure codes that are missing beside the status, from the results: of what an older version ended beside
// this one, and of the oldest part of a long log (X8).
import { nextTurn } from '../async/next-turn.ts';
import { plain, type Sql, type Steps, sql } from './sql.ts';

/** At a time: a transaction of SQLite blocks the event loop. */
const BATCH = 500;
/** In one round: the rest has time. */
const MOST_BATCHES = 20;

/** Answers how many it filled in. Newest first. */
export async function fillMissingCodes(database: Sql): Promise<number> {
  let filled = 0;
  for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
    // A look without a lock: usually there is nothing.
    if ((await database.read(sql`${MISSING} LIMIT 1`)).length === 0) return filled;
    filled += await database.write(fillSome);
    await nextTurn();
  }
  return filled;
}

/** In the words of its index: 0015-missing-failure-codes.ts. */
const MISSING = plain(`SELECT i.id FROM skill_invocations i JOIN skill_results r ON r.invocation_id = i.id
  WHERE i.failure_code IS NULL AND i.status IN ('failed', 'timeout') AND r.failure_code IS NOT NULL
  ORDER BY i.created_at DESC`);

function* fillSome(): Steps<number> {
  const rows = yield sql`UPDATE skill_invocations
    SET failure_code = (SELECT r.failure_code FROM skill_results r WHERE r.invocation_id = skill_invocations.id)
    WHERE failure_code IS NULL AND id IN (${MISSING} LIMIT ${BATCH}) RETURNING id`;
  return rows.length;
}
