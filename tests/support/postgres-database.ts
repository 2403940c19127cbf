// Databases of a test's PostgreSQL: an empty one, and questions straight to the tables of one.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { StorePlace } from '../../src/store/store.ts';

export type PostgresPlace = StorePlace & { readonly kind: 'postgres' };

/** An empty database of that server. */
export async function createDatabase({ url }: { readonly url: string }): Promise<PostgresPlace> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await queryPostgres(url, `CREATE DATABASE ${name}`);
  return { kind: 'postgres', url: url.replace(/\/postgres$/, `/${name}`) };
}

export async function queryPostgres(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
