// Databases of a test's PostgreSQL: an empty one, and questions straight to the tables of one.
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { openStore } from '../../src/store/store.ts';
import { PATIENT } from './patience.ts';

export type PostgresPlace = StorePlace & { readonly kind: 'postgres' };

/** An empty database of that server. */
export async function createDatabase({ url }: { readonly url: string }): Promise<PostgresPlace> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await queryPostgres(url, `CREATE DATABASE ${name}`);
  return { kind: 'postgres', url: url.replace(/\/postgres$/, `/${name}`) };
}

/** Before a program uses it, that gives up on tables which take too long on a busy machine. */
export async function makeTables(place: StorePlace): Promise<void> {
  const store = openStore(place, PATIENT);
  await store.migrate();
  await store.close();
}

/** An empty place of either kind: a new folder in `folder`, or a database of the run's server with its tables. */
export async function createPlace(kind: StorePlace['kind'], folder: string, postgresUrl: string): Promise<StorePlace> {
  if (kind === 'sqlite') return { kind, dataDirectory: mkdtempSync(join(folder, 'data-')) };
  const place = await createDatabase({ url: postgresUrl });
  await makeTables(place);
  return place;
}

/** What commands say. The second: where loading the driver alone takes longer than a database may. */
export const CANNOT_REACH = /^Cannot (?:reach the database: |use the database: it takes too long)[^\n]*\n$/;

export async function queryPostgres(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
