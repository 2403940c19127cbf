// The bare database under a store, for tests that look behind it.

import type { StorePlace } from '../../../src/settings/store-place.ts';
import { createPostgres } from '../../../src/store/postgres.ts';
import type { Sql } from '../../../src/store/sql.ts';
import { createSqlite } from '../../../src/store/sqlite.ts';
import { PATIENT } from '../../support/patience.ts';

/** Opened for this work, and closed behind it. */
export async function onDatabase<T>(place: StorePlace, work: (database: Sql) => Promise<T>): Promise<T> {
  const database =
    place.kind === 'sqlite'
      ? createSqlite(place.dataDirectory, PATIENT.operationLimitMs)
      : createPostgres(place.url, PATIENT.operationLimitMs);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
