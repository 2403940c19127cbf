// The bare database under a store, for tests that look behind it.
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { createPostgres } from '../../../src/store/postgres.ts';
import { type Sql, withWriteLimit } from '../../../src/store/sql.ts';
import { createSqlite } from '../../../src/store/sqlite.ts';
import { PATIENCE_MS } from '../../support/patience.ts';

/** Opened for this work, and closed behind it. */
export async function onDatabase<T>(place: StorePlace, work: (database: Sql) => Promise<T>): Promise<T> {
  const driver =
    place.kind === 'sqlite'
      ? createSqlite(place.dataDirectory, PATIENCE_MS, () => undefined)
      : createPostgres(place.url, PATIENCE_MS);
  try {
    return await work(withWriteLimit(driver, PATIENCE_MS));
  } finally {
    await driver.close();
  }
}
